import { attributeChange } from '@cadmus/model/edits/entity-edit'
import { changeAttributeEdits } from '@cadmus/model/edits/attribute-edits'
import { fieldText, type Field } from '@cadmus/model/fields/field'
import { typeAttributeFields, typeAttributeNames } from '@cadmus/model/fields/type-attribute'
import { limits } from '@cadmus/model/limits'
import { takenNames } from '@cadmus/model/rules/taken-names'
import { typeAttributeName } from '@cadmus/model/rules/type-attribute-name'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import type { Property, PropertyGroup } from '../../ui/PropertyTable.tsx'
import { editRow } from './edit-row.ts'
import { offeredPurposes } from './entity-draft.ts'
import type { EntityView } from './entity-view.ts'

type View = Pick<EntityView, 'key' | 'draft' | 'locked'>
type Name = keyof TypeAttribute
type AttributeField = Field<TypeAttribute>

/** Type attribute group of the properties panel; null if the attribute was deleted. */
export function attributeProperties(view: View, uid: string): PropertyGroup | null {
  const attribute = view.draft.content.typeAttributes.find(row => row.uid === uid)
  if (!attribute) return null
  const properties = typeAttributeNames.flatMap(name => propertyOf(view, attribute, name) ?? [])
  return { id: 'typeAttribute', title: 'Type Attribute', properties }
}

/** Returns null if the panel does not show the field of this attribute. */
function propertyOf(view: View, attribute: TypeAttribute, name: Name): Property | null {
  const { panel }: AttributeField = typeAttributeFields[name]
  if (panel === null || panel.applies?.(attribute) === false) return null
  const head = { id: name, label: panel.label }
  if (view.locked) return { ...head, editor: 'shown', value: shownText(attribute[name]) }
  const apply = (value: unknown) => {
    const change = attributeChange.parse({ [name]: value })
    editRow(view, attribute, content => changeAttributeEdits(content, attribute.uid, change))
  }
  return { ...head, ...editorOf(view, attribute, name, apply) }
}

type Editing = Property extends infer P ? (P extends Property ? Omit<P, 'id' | 'label'> : never) : never

function editorOf(view: View, attribute: TypeAttribute, name: Name, apply: (value: unknown) => void): Editing {
  const { panel, rule }: AttributeField = typeAttributeFields[name]
  const value = attribute[name]
  switch (panel?.editor.kind) {
    case 'checkbox':
      return { editor: 'checkbox', value: value === true, onApply: apply }
    case 'list': {
      const { emptyText, entryRule } = panel.editor
      const list = Array.isArray(value) ? value.map(String) : []
      return { editor: 'list', value: list, emptyText, problem: entryRule, onApply: apply }
    }
    case 'select': {
      const { none } = panel.editor
      const options =
        name === 'purpose' ? offeredPurposes(view.draft, attribute.purpose) : panel.editor.options(attribute)
      return {
        editor: 'select',
        mono: true,
        value: fieldText(value ?? none),
        options: [...(none === undefined ? [] : [none]), ...options].map(option => ({ value: option, label: option })),
        onApply: option => apply(option === none ? null : option),
      }
    }
    default: {
      const { multiline = false, parse = (text: string): unknown => text } = panel?.editor ?? {}
      const validate =
        name === 'name' ? nameRule(view, attribute) : rule && ((text: string) => rule.check(parse(text), attribute))
      return {
        editor: 'text',
        value: fieldText(value),
        ...(multiline ? { multiline } : {}),
        ...(validate ? { validate: text => validate(text) ?? null } : {}),
        onApply: text => apply(parse(text)),
      }
    }
  }
}

function nameRule({ draft }: View, { uid }: TypeAttribute): (name: string) => string | undefined {
  const others = draft.content.typeAttributes.filter(row => row.uid !== uid).map(row => row.name)
  const foreignKeys = takenNames(draft.content.entityAttributes.map(row => row.foreignKeyTypeAttribute))
  return name => typeAttributeName(name, { taken: takenNames(others), foreignKeys })
}

function shownText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.slice(0, limits.treePageSize).join(', ') : fieldText(value)
}
