import { attributeChange } from '@cadmus/model/edits/entity-edits'
import { changeAttributeEdits } from '@cadmus/model/edits/column-edits'
import { typeAttributeFields, typeAttributeNames } from '@cadmus/model/fields/type-attribute'
import { takenNames } from '@cadmus/model/rules/names'
import { typeAttributeName } from '@cadmus/model/rules/type-attribute'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { explain } from '../../commands/glossary.ts'
import type { PropertyGroup } from '../../ui/PropertyTable.tsx'
import { editRow } from './edit-row.ts'
import { offeredPurposes } from './entity-draft.ts'
import type { EntityView } from './entity-view.ts'
import { fieldProperty } from './field-properties.ts'

type View = Pick<EntityView, 'key' | 'draft' | 'locked'>

/** Type attribute group of the properties panel; null if the attribute was deleted. */
export function attributeProperties(view: View, uid: string): PropertyGroup | null {
  const attribute = view.draft.content.typeAttributes.find(row => row.uid === uid)
  if (!attribute) return null
  const properties = typeAttributeNames.flatMap(name => {
    const property = fieldProperty<TypeAttribute>(name, typeAttributeFields[name], {
      item: attribute,
      value: attribute[name],
      locked: view.locked !== null,
      options: name === 'purpose' ? offeredPurposes(view.draft, attribute.purpose) : undefined,
      rule: name === 'name' ? nameRule(view, attribute) : undefined,
      apply: value => {
        const change = attributeChange.parse({ [name]: value })
        editRow(view, attribute, content => changeAttributeEdits(content, uid, change))
      },
    })
    return property ?? []
  })
  return { id: 'typeAttribute', title: 'Type Attribute', hint: explain('Type Attribute'), properties }
}

function nameRule({ draft }: View, { uid }: TypeAttribute): (name: string) => string | undefined {
  const others = draft.content.typeAttributes.filter(row => row.uid !== uid).map(row => row.name)
  const foreignKeys = takenNames(draft.content.entityAttributes.map(row => row.foreignKeyTypeAttribute))
  return name => typeAttributeName(name, { taken: takenNames(others), foreignKeys })
}
