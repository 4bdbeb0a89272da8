import { relationshipFields, type EntityEditDefinition } from './entity-edit.ts'
import { changedItems, changesBack } from './lists.ts'

export const changeRelationships: EntityEditDefinition<'changeRelationships'> = {
  apply: (content, { changes }) => ({
    ...content,
    entityAttributes: changedItems(content.entityAttributes, changes, relationshipFields),
  }),
  invert({ entityAttributes }, { changes }) {
    const back = changesBack(entityAttributes, changes, relationshipFields)
    return back.length > 0 ? [{ kind: 'changeRelationships', changes: back }] : []
  },
}
