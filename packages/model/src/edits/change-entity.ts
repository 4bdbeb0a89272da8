import { ownFields, type EntityEditDefinition } from './entity-edit.ts'
import { valuesOf, withChange } from './lists.ts'

/** The entity's own fields: name, description, parent and so on. */
export const changeEntity: EntityEditDefinition<'changeEntity'> = {
  apply: (content, { change }) => withChange(content, change, ownFields),
  invert(content, { change }) {
    const back = valuesOf(content, change, ownFields)
    return Object.keys(back).length > 0 ? [{ kind: 'changeEntity', change: back }] : []
  },
}
