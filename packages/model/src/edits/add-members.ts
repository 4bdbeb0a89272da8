import { insertItems, newInsertions } from './lists.ts'
import type { ManifestEditDefinition } from './manifest-edit.ts'

const idOf = ({ id }: { id: number }) => id

export const addMembers: ManifestEditDefinition<'addMembers'> = {
  apply(content, { added }) {
    if (newInsertions(content.entities, added, idOf).length === 0) return content
    return { ...content, entities: insertItems(content.entities, added, idOf) }
  },
  invert({ entities }, { added }) {
    const ids = newInsertions(entities, added, idOf).map(({ item }) => item.id)
    return ids.length > 0 ? [{ kind: 'removeMembers', ids }] : []
  },
}
