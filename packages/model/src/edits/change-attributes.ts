import { attributeFields, type EntityEditDefinition } from './entity-edit.ts'
import { applyChanges, invertChanges } from './lists.ts'

export const changeAttributes: EntityEditDefinition<'changeAttributes'> = {
  apply: (content, { changes }) => ({
    ...content,
    typeAttributes: applyChanges(content.typeAttributes, changes, attributeFields),
  }),
  invert({ typeAttributes }, { changes }) {
    const back = invertChanges(typeAttributes, changes, attributeFields)
    return back.length > 0 ? [{ kind: 'changeAttributes', changes: back }] : []
  },
}
