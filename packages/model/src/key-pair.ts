import * as z from 'zod'
import { limits } from './limits.ts'

/** A further column of a foreign key, an own column of the entity, and the attribute of the target that it refers to. */
export const keyPairSchema = z.object({
  uid: z.string(),
  name: z.string(),
  target: z.string(),
  /** Null if unknown: then the name counts. */
  targetUid: z.string().nullable(),
})
export type KeyPair = z.infer<typeof keyPairSchema>

/** A pair in requests. Its column may be named by uid or by name, and so may the attribute of the target. */
export const keyPairRequest = z.strictObject({
  uid: z.string().max(60).default(''),
  // Imported attributes may have any name.
  name: z.string().default(''),
  target: z.string().default(''),
  targetUid: z.string().max(60).nullable().default(null),
})

export const keyPairsRequest = z.array(keyPairRequest).max(limits.groups.sent)
