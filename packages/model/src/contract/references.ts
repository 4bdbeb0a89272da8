import * as z from 'zod'
import { onReferencesChoices } from '../detach.ts'
import { entityCall, manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams, referenceItem } from './shared.ts'

/**
 * How references to a deleted entity, or to an attribute or foreign key removed by a save, are handled. Without it such a call is 409 with
 * the list of references.
 */
export const onReferencesQuery = z.object({ onReferences: z.enum(onReferencesChoices).optional() })

const answer = z.object({ references: z.array(referenceItem), totalElements: z.number().int() })
const query = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(1000) })

/** Comma-separated uids. */
const uidList = z
  .string()
  .max(4000)
  .transform(text => text.split(',').filter(uid => uid !== ''))

export const listEntityReferences = entityCall({
  id: 'listEntityReferences',
  method: 'GET',
  path: `${base}/entity/{id}/references`,
  summary:
    'Lists references to an entity: relationships, subtypes, manifests that list it in place, and configurations. `attributes`: only references to these attributes and foreign keys. `inherited`: only references that break if the entity no longer extends its parent.',
  params: idParams,
  query: query.extend({ attributes: uidList.optional(), inherited: z.literal('true').optional() }),
  answer,
})

export const listManifestReferences = manifestCall({
  id: 'listManifestReferences',
  method: 'GET',
  path: `${base}/manifest/{id}/references`,
  summary: 'Lists references from outside to the entities that a manifest owns.',
  params: idParams,
  query,
  answer,
})
