import type { EntityEditDefinition } from './entity-edit.ts'
import { insertItems } from './lists.ts'
import { newColumns } from './new-columns.ts'
import { uidOf } from './uid-of.ts'

export const addAttributes: EntityEditDefinition<'addAttributes'> = {
  apply(content, { added }) {
    const fresh = newColumns(content, added)
    return fresh.length > 0
      ? { ...content, typeAttributes: insertItems(content.typeAttributes, fresh, uidOf) }
      : content
  },
  invert(content, { added }) {
    const uids = newColumns(content, added).map(({ item }) => item.uid)
    return uids.length > 0 ? [{ kind: 'removeAttributes', uids }] : []
  },
}
