import { changeAttributeEdits } from '@cadmus/model/edits/attribute-edits'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { choice } from '@cadmus/model/rules/choices'
import { defaultValue } from '@cadmus/model/rules/default-value'
import { maxLength, parseMaxLength } from '@cadmus/model/rules/max-length'
import { precision, takesPrecision } from '@cadmus/model/rules/precision'
import { scale } from '@cadmus/model/rules/scale'
import { takenNames } from '@cadmus/model/rules/taken-names'
import { typeAttributeName } from '@cadmus/model/rules/type-attribute-name'
import {
  dataTypes,
  formats,
  isPrimaryKey,
  keyDataTypes,
  purposes,
  type TypeAttribute,
} from '@cadmus/model/type-attribute'
import type { Property, PropertyGroup } from '../../ui/PropertyTable.tsx'
import { editRow } from './edit-row.ts'
import { offeredPurposes } from './entity-draft.ts'
import type { EntityView } from './entity-view.ts'
import { formatsOf } from '@cadmus/model/rules/format'

type Change = (change: Partial<Omit<TypeAttribute, 'uid' | 'position'>>) => void

/** Type attribute group of the properties panel; null if the attribute was deleted. */
export function attributeProperties(view: EntityView, uid: string): PropertyGroup | null {
  const attribute = view.draft.content.typeAttributes.find(row => row.uid === uid)
  if (!attribute) return null
  const change: Change = changes => editRow(view, attribute, content => changeAttributeEdits(content, uid, changes))
  const properties = view.locked ? shownProperties(attribute) : editedProperties(view, attribute, change)
  return { id: 'typeAttribute', title: 'Type Attribute', properties }
}

function editedProperties(view: EntityView, attribute: TypeAttribute, change: Change): Property[] {
  return [
    nameProperty(view, attribute, change),
    ...typeProperties(view, attribute, change),
    {
      id: 'nullable',
      label: 'Nullable',
      editor: 'checkbox',
      value: attribute.nullable,
      onApply: nullable => change({ nullable }),
    },
    ...textProperties(attribute, change),
    {
      id: 'choices',
      label: 'Choices',
      editor: 'list',
      value: attribute.choices,
      emptyText: messages.empty.choices,
      problem: (name, others) => choice(name, { others }),
      onApply: choices => change({ choices }),
    },
    {
      id: 'unique',
      label: 'Unique',
      editor: 'checkbox',
      value: attribute.unique,
      onApply: unique => change({ unique }),
    },
    {
      id: 'indexed',
      label: 'Indexed',
      editor: 'checkbox',
      value: attribute.indexed,
      onApply: indexed => change({ indexed }),
    },
  ]
}

function nameProperty({ draft }: EntityView, attribute: TypeAttribute, change: Change): Property {
  const others = draft.content.typeAttributes.filter(row => row.uid !== attribute.uid).map(row => row.name)
  const foreignKeys = takenNames(draft.content.entityAttributes.map(row => row.foreignKeyTypeAttribute))
  return {
    id: 'name',
    label: 'Name',
    editor: 'text',
    value: attribute.name,
    validate: name => typeAttributeName(name, { taken: takenNames(others), foreignKeys }) ?? null,
    onApply: name => change({ name: name.trim() }),
  }
}

function typeProperties({ draft }: EntityView, attribute: TypeAttribute, change: Change): Property[] {
  const types = isPrimaryKey(attribute) ? keyDataTypes : dataTypes
  const fitting = formatsOf[attribute.dataType]
  const dataType: Property = {
    id: 'dataType',
    label: 'Data Type',
    editor: 'select',
    mono: true,
    value: attribute.dataType,
    options: types.map(type => ({ value: type, label: type })),
    onApply: value => change({ dataType: dataTypes.find(type => type === value) ?? attribute.dataType }),
  }
  const format: Property = {
    id: 'format',
    label: 'Format',
    editor: 'select',
    mono: true,
    value: attribute.format ?? 'any',
    options: [{ value: 'any', label: 'any' }, ...fitting.map(value => ({ value, label: value }))],
    onApply: value => change({ format: formats.find(candidate => candidate === value) ?? null }),
  }
  const purpose: Property = {
    id: 'purpose',
    label: 'Purpose',
    editor: 'select',
    mono: true,
    value: attribute.purpose,
    options: offeredPurposes(draft, attribute.purpose).map(value => ({ value, label: value })),
    onApply: value => change({ purpose: purposes.find(candidate => candidate === value) ?? attribute.purpose }),
  }
  return fitting.length > 0 ? [dataType, format, purpose] : [dataType, purpose]
}

function textProperties(attribute: TypeAttribute, change: Change): Property[] {
  return [
    ...(attribute.dataType === 'string' ? [lengthProperty(attribute, change)] : []),
    ...(takesPrecision(attribute.dataType) ? decimalProperties(attribute, change) : []),
    {
      id: 'defaultValue',
      label: 'Default Value',
      editor: 'text',
      value: attribute.defaultValue ?? '',
      validate: text => (text === '' ? null : (defaultValue(text, attribute) ?? null)),
      onApply: text => change({ defaultValue: text === '' ? null : text }),
    },
    {
      id: 'description',
      label: 'Description',
      editor: 'text',
      multiline: true,
      value: attribute.description,
      onApply: description => change({ description }),
    },
  ]
}

function lengthProperty(attribute: TypeAttribute, change: Change): Property {
  return {
    id: 'maxLength',
    label: 'Max Length',
    editor: 'text',
    value: attribute.maxLength === null ? '' : String(attribute.maxLength),
    validate: text => maxLength(text) ?? null,
    onApply: text => change({ maxLength: parseMaxLength(text) }),
  }
}

function decimalProperties(attribute: TypeAttribute, change: Change): Property[] {
  const setPrecision = (value: number | null) =>
    change(value === null ? { precision: null, scale: null } : { precision: value })
  return [
    numberProperty('precision', 'Precision', attribute.precision, value => precision(value, attribute), setPrecision),
    numberProperty(
      'scale',
      'Scale',
      attribute.scale,
      value => scale(value, attribute),
      value => change({ scale: value }),
    ),
  ]
}

function numberProperty(
  id: string,
  label: string,
  value: number | null,
  rule: (value: number | null) => string | undefined,
  onApply: (value: number | null) => void,
): Property {
  const parsed = (text: string) => (text.trim() === '' ? null : Number(text))
  return {
    id,
    label,
    editor: 'text',
    value: value === null ? '' : String(value),
    validate: text => rule(parsed(text)) ?? null,
    onApply: text => onApply(parsed(text)),
  }
}

function shownProperties(attribute: TypeAttribute): Property[] {
  const rows: [string, string, string][] = [
    ['name', 'Name', attribute.name],
    ['dataType', 'Data Type', attribute.dataType],
    ['format', 'Format', attribute.format ?? ''],
    ['purpose', 'Purpose', attribute.purpose],
    ['nullable', 'Nullable', attribute.nullable ? 'Yes' : 'No'],
    ['maxLength', 'Max Length', attribute.maxLength === null ? '' : String(attribute.maxLength)],
    ['defaultValue', 'Default Value', attribute.defaultValue ?? ''],
    ['description', 'Description', attribute.description],
    ['choices', 'Choices', attribute.choices.slice(0, limits.treePageSize).join(', ')],
    ['unique', 'Unique', attribute.unique ? 'Yes' : 'No'],
    ['indexed', 'Indexed', attribute.indexed ? 'Yes' : 'No'],
  ]
  return rows.map(([id, label, value]) => ({ id, label, editor: 'shown', value }))
}
