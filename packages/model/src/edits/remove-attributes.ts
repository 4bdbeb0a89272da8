import type { EntityEditDefinition } from './entity-edit.ts'
import { reinsertionsOf } from './lists.ts'
import { uidOf } from './uid-of.ts'

export const removeAttributes: EntityEditDefinition<'removeAttributes'> = {
  apply(content, { uids }) {
    const removed = new Set(uids)
    const typeAttributes = content.typeAttributes.filter(({ uid }) => !removed.has(uid))
    return typeAttributes.length === content.typeAttributes.length ? content : { ...content, typeAttributes }
  },
  invert({ typeAttributes }, { uids }) {
    const added = reinsertionsOf(typeAttributes, new Set(uids), uidOf)
    return added.length > 0 ? [{ kind: 'addAttributes', added }] : []
  },
}
