import * as z from 'zod'
import { databaseTypes } from '../database-types.ts'
import { defineCall } from './call.ts'
import { firstRoutes } from './routes.ts'

const tag = 'Sign-in'

/** A user's place in an organisation: its code, its name and the number of the subscription, 0 for none. */
export const permissionSchema = z.object({ oc: z.string(), on: z.string(), ng: z.number().int() })

export const userAnswer = z.object({
  userId: z.string(),
  username: z.string(),
  fullname: z.string(),
  email: z.string(),
  avatar: z.string().nullable(),
  memberId: z.string(),
  organisationCode: z.string().nullable(),
  organisationName: z.string().nullable(),
  negroniPermission: z.string(),
  negroniLicenseLimits: z.string(),
  isAdmin: z.boolean(),
  permissions: z.array(permissionSchema),
})
export type UserAnswer = z.output<typeof userAnswer>

/** What the organisation's licence allows; `manifestLimit` null = no limit, the first database is the default. */
const licenceAnswer = z.object({
  manifestLimit: z.number().int().nullable(),
  rest: z.boolean(),
  graphql: z.boolean(),
  databaseTypes: z.array(z.enum(databaseTypes)),
})
export type LicenceAnswer = z.output<typeof licenceAnswer>

const sessionAnswer = z.object({
  eccUser: userAnswer,
  /** The one that the request names, else the only one; null: one must be chosen. */
  organisation: z
    .object({
      code: z.string(),
      name: z.string(),
      licence: licenceAnswer,
      /** Whether manifests may be given service options here: in one organisation they may. */
      serviceOptions: z.boolean(),
    })
    .nullable(),
  memberDetails: z.object({ avatar: z.string().nullable(), fullname: z.string(), memberId: z.string() }),
  /** When the session cookie ends, as ISO 8601. */
  expiresAt: z.string(),
  demo: z.boolean(),
  /** Whether the user's onboarding tour has begun, here or anywhere else. */
  onboarded: z.boolean(),
})

export type SessionAnswer = z.output<typeof sessionAnswer>

export const authorize = defineCall({
  ...firstRoutes.authorize,
  tag,
  access: 'public',
  summary: "Starts a sign-in: the provider's address and the state that the callback must bring back.",
  answer: z.object({ url: z.string(), state: z.string() }),
})

export const signIn = defineCall({
  ...firstRoutes.signIn,
  tag,
  access: 'public',
  summary: "Turns the provider's code into a session.",
  query: z.object({ code: z.string().max(4000), state: z.string().max(400) }),
  answer: sessionAnswer,
})

export const refreshSession = defineCall({
  ...firstRoutes.refreshSession,
  tag,
  access: 'public',
  summary: 'Renews a session. With the cookie it answers the new expiry only.',
  query: z.object({ refreshToken: z.string().max(4000).optional() }),
  answer: z.object({
    expiresAt: z.string(),
    eccOAuthToken: z.object({ id_token: z.string(), access_token: z.string(), refresh_token: z.string() }).optional(),
  }),
})

export const getSession = defineCall({
  ...firstRoutes.getSession,
  tag,
  access: 'public',
  summary: 'Who is signed in; 401 where nobody is.',
  answer: sessionAnswer,
})

export const signOut = defineCall({
  ...firstRoutes.signOut,
  tag,
  access: 'public',
  summary:
    "Ends the session and answers the provider's logout address; null where the provider has none or cannot be reached.",
  answer: z.object({ url: z.string().nullable() }),
})

export const ssoCalls = { authorize, signIn, refreshSession, getSession, signOut }
