import { attributeFields, type EntityEditDefinition } from './entity-edit.ts'
import { changedItems, changesBack } from './lists.ts'

export const changeAttributes: EntityEditDefinition<'changeAttributes'> = {
  apply: (content, { changes }) => ({
    ...content,
    typeAttributes: changedItems(content.typeAttributes, changes, attributeFields),
  }),
  invert({ typeAttributes }, { changes }) {
    const back = changesBack(typeAttributes, changes, attributeFields)
    return back.length > 0 ? [{ kind: 'changeAttributes', changes: back }] : []
  },
}
