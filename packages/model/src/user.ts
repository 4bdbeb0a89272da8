import * as z from 'zod'
import { permissionSchema } from './organisation.ts'

/** The signed-in user as the page keeps it: no token in it. */
export const userSchema = z.object({
  userId: z.string(),
  username: z.string(),
  fullname: z.string(),
  email: z.string(),
  avatar: z.string(),
  memberId: z.string(),
  /** The organisation worked in; '' until one is chosen. */
  organisationCode: z.string(),
  organisationName: z.string(),
  /** The subscription number and the licence text of that organisation. */
  negroniPermission: z.number().int().nonnegative(),
  negroniLicenseLimits: z.string(),
  isAdmin: z.boolean(),
  permissions: z.array(permissionSchema),
})
export type User = z.infer<typeof userSchema>
