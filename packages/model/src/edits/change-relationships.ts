import { relationshipFields, type EntityEdit, type EntityEditDefinition } from './entity-edit.ts'
import { applyChanges, invertChanges } from './lists.ts'

export const changeRelationships: EntityEditDefinition<'changeRelationships'> = {
  apply: (content, { changes }) => ({
    ...content,
    entityAttributes: applyChanges(content.entityAttributes, changes.map(retargeted), relationshipFields),
  }),
  invert({ entityAttributes }, { changes }) {
    const back = invertChanges(entityAttributes, changes.map(retargeted), relationshipFields)
    return back.length > 0 ? [{ kind: 'changeRelationships', changes: back }] : []
  },
}

type Changes = Extract<EntityEdit, { kind: 'changeRelationships' }>['changes']

/** The stored uid of the target attribute is invalid once the target or its attribute name changes. */
function retargeted(item: Changes[number]): Changes[number] {
  const { associatedEntity, associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid } = item.change
  const isAnother = (associatedEntity !== undefined || name !== undefined) && uid === undefined
  return isAnother ? { ...item, change: { ...item.change, associatedEntityTypeAttributeUid: null } } : item
}
