import { reinsertionsOf } from './lists.ts'
import type { ManifestEditDefinition } from './manifest-edit.ts'

export const removeMembers: ManifestEditDefinition<'removeMembers'> = {
  apply(content, { ids }) {
    const removed = new Set(ids)
    const entities = content.entities.filter(({ id }) => !removed.has(id))
    return entities.length === content.entities.length ? content : { ...content, entities }
  },
  invert({ entities }, { ids }) {
    const added = reinsertionsOf(entities, new Set(ids), ({ id }) => id)
    return added.length > 0 ? [{ kind: 'addMembers', added }] : []
  },
}
