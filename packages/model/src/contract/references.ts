import * as z from 'zod'
import { onReferencesChoices } from '../detach.ts'
import { defineCall } from './call.ts'
import { entityTag, manifestTag } from './lists.ts'
import { base } from './routes.ts'
import { idParams, referenceItem } from './shared.ts'

/**
 * What becomes of what refers to that which goes: a deleted entity, or an attribute or foreign key that a save takes away. Without
 * it such a call is 409 with the list.
 */
export const onReferencesQuery = z.object({ onReferences: z.enum(onReferencesChoices).optional() })

const answer = z.object({ references: z.array(referenceItem), totalElements: z.number().int() })
const query = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(1000) })

/** Uids, with commas between them. */
const uidList = z
  .string()
  .max(4000)
  .transform(text => text.split(',').filter(uid => uid !== ''))

export const listEntityReferences = defineCall({
  id: 'listEntityReferences',
  method: 'GET',
  path: `${base}/entity/{id}/references`,
  tag: entityTag,
  access: 'user',
  summary:
    'What refers to an entity: relationships, heirs, manifests that list it in place, and what configurations name. `attributes`: only what refers to these of its attributes and foreign keys. `inherited`: only what would have to let go if it extended nothing.',
  params: idParams,
  query: query.extend({ attributes: uidList.optional(), inherited: z.literal('true').optional() }),
  answer,
})

export const listManifestReferences = defineCall({
  id: 'listManifestReferences',
  method: 'GET',
  path: `${base}/manifest/{id}/references`,
  tag: manifestTag,
  access: 'user',
  summary: 'What refers to the entities that a manifest owns, from outside of it.',
  params: idParams,
  query,
  answer,
})

export const referenceCalls = { listEntityReferences, listManifestReferences }
