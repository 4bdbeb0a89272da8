import type { EntityEditDefinition } from './entity-edit.ts'
import { reinsertionsOf } from './lists.ts'
import { uidOf } from './uid-of.ts'

export const removeRelationships: EntityEditDefinition<'removeRelationships'> = {
  apply(content, { uids }) {
    const removed = new Set(uids)
    const entityAttributes = content.entityAttributes.filter(({ uid }) => !removed.has(uid))
    return entityAttributes.length === content.entityAttributes.length ? content : { ...content, entityAttributes }
  },
  invert({ entityAttributes }, { uids }) {
    const added = reinsertionsOf(entityAttributes, new Set(uids), uidOf)
    return added.length > 0 ? [{ kind: 'addRelationships', added }] : []
  },
}
