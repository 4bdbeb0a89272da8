import { type Column, isTypeAttribute } from '../columns.ts'
import { foreignKeyDataTypes, type KeyDataType } from '../data-types.ts'
import type { EntityReference } from '../entity-reference.ts'
import { chosenFrom, type Enumeration } from '../enumeration.ts'
import { type Field, fieldText } from '../fields/field.ts'
import { relationshipFields, relationshipNames } from '../fields/relationship.ts'
import { typeAttributeFields, typeAttributeNames } from '../fields/type-attribute.ts'
import type { KeyPair } from '../key-pair.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { maxLength, parseMaxLength, takesPrecision, takesScale } from '../rules/type-attribute.ts'
import { computedKindOf, computedNamed } from '../values/computed.ts'
import type { ColumnNames } from './column-names.ts'
import { listText, readFlag, readList, readNullable, readTypeWord, typeWord, typeWords } from './words.ts'

// The columns of the attribute sheet, derived from the fields of attributes and relationships. A row is one of either.

export type CellKind = 'text' | 'flag' | 'select' | 'list' | 'reference'

/** Fields of a row with new values. */
export type CellChange = Readonly<Record<string, unknown>>
/** Why a cell cannot take a text. `offer`: a text that it could take. */
export type CellRefusal = { reason: string; offer?: string }
export type CellReading = { change: CellChange } | CellRefusal

/** Target of a foreign key. */
export type ReferenceTarget = {
  entity: EntityReference
  attribute: string
  attributeUid: string | null
  dataType: KeyDataType
}

/** What texts of cells can name outside the entity. */
export type CellLookups = Pick<CellContext, 'target' | 'enumerations'>

export type CellContext = {
  /** Names of the entity's other columns. */
  names: ColumnNames
  /** The target that a text such as `Customer.id` or `Customer` names, or the reason why there is none. */
  target?(text: string): ReferenceTarget | CellRefusal
  /** Those that attributes of the entity can have. */
  enumerations?: readonly Enumeration[]
}

type Cell = {
  header: string
  kind: CellKind
  /** Whether its texts are numbers and words of the model, not prose. */
  isCode: boolean
  isMultiline: boolean
  /** Names of the fields that it shows, of attributes and of relationships. */
  fields: readonly string[]
  /** Whether the row has such a value; otherwise the cell is blank. */
  applies(row: Column): boolean
  text(row: Column): string
  /** Values offered for the cell; with kind `text` others are allowed. */
  options(row: Column): readonly string[]
  /** The change that a text means in the row. A text that the row already has is no change. */
  read(text: string, row: Column, context: CellContext): CellReading
}

export type SheetColumn = Cell & {
  id: string
  /** Whether it cannot be hidden. */
  isFixed: boolean
  /** Whether it is hidden until a user shows it. */
  isHidden: boolean
}

/** Fields of relationships, by the field of attributes with the same column. Others have the same name. */
const counterparts: Readonly<Record<string, string>> = {
  name: 'foreignKeyTypeAttribute',
  dataType: 'foreignKeyDataType',
  purpose: 'foreignKeyPurpose',
}

/** Columns of several fields. */
const combined = {
  defaultValue: ['defaultValue', 'defaultKind'],
  length: ['maxLength', 'precision', 'scale'],
  choices: ['choices', 'enumeration'],
  references: ['associatedEntity', 'associatedEntityTypeAttribute', 'associatedEntityTypeAttributeUid', 'alsoBy'],
}

/** The columns that come first and always stay. */
const leading: readonly string[] = ['name', 'dataType']
/** The columns shown at first, in order. The other fields of the panels have hidden columns. */
const shownFirst: readonly string[] = [
  ...leading,
  'length',
  'nullable',
  'defaultValue',
  'unique',
  'indexed',
  'choices',
  'description',
  'references',
]

/** A field with a place in the panel. */
type Side = {
  name: string
  label: string
  kind: CellKind
  isMultiline: boolean
  /** Value of a blank cell; undefined: unchanged. */
  blank: unknown
  applies(row: Column): boolean
  options(row: Column): readonly string[]
  parse(text: string): unknown
}

const kinds = { text: 'text', checkbox: 'flag', select: 'select', special: 'text', list: 'list' } as const

function sidesOf<Item>(
  fields: Readonly<Record<string, Field<Item>>>,
  names: readonly string[],
): ReadonlyMap<string, Side> {
  return new Map(names.flatMap(name => (fields[name]?.panel ? [[name, sideOf(name, fields[name])] as const] : [])))
}

function sideOf<Item>(name: string, { panel, default: fresh }: Field<Item>): Side {
  const { label = name, editor } = panel ?? {}
  const blankOption = editor?.kind === 'select' && editor.none === undefined ? undefined : null
  return {
    name,
    label,
    kind: kinds[editor?.kind ?? 'special'],
    isMultiline: editor?.kind === 'text' && editor.multiline === true,
    blank: editor?.kind === 'select' ? blankOption : fresh,
    applies: (row: Column & Item) => panel?.applies?.(row) ?? true,
    options(row: Column & Item) {
      const used = panel?.editorFor?.(row) ?? editor
      return used?.kind === 'select' ? used.options(row) : []
    },
    parse: text => (editor?.kind === 'text' && editor.parse ? editor.parse(text) : text),
  }
}

const attributeSides = sidesOf<Extract<Column, { dataType: unknown }>>(typeAttributeFields, typeAttributeNames)
const relationshipSides = sidesOf<Exclude<Column, { dataType: unknown }>>(relationshipFields, relationshipNames)

/** The cells that differ from those of their fields. */
const specialCells: Readonly<Record<string, Partial<Cell>>> = {
  name: {
    read(text, row, { names }) {
      const name = text.trim()
      const refusal = names.refusal(name, row)
      return refusal ?? { change: { [isTypeAttribute(row) ? 'name' : 'foreignKeyTypeAttribute']: name } }
    },
  },
  dataType: {
    header: 'Type',
    text: row => (isTypeAttribute(row) ? typeWord(row) : row.foreignKeyDataType),
    // What is typed is taken as the start of an option, so that `date` has to be one.
    options(row) {
      const types = fieldCell('dataType').options(row)
      return isTypeAttribute(row) ? typeWords.filter(word => types.includes(readTypeWord(word)?.dataType ?? '')) : types
    },
    read(text, row) {
      if (text.trim() === '') return { change: {} }
      const shape = readTypeWord(text)
      if (shape === undefined) return { reason: sheetTexts.unknownType(text) }
      // The word replaces a format that the cell shows, and a fixed length.
      const isReset = isTypeAttribute(row) && (typeWord(row) !== row.dataType || row.format === 'fixed')
      if (isTypeAttribute(row)) return { change: isReset ? { format: null, ...shape } : shape }
      const foreignKeyDataType = foreignKeyDataTypes.find(type => type === shape.dataType)
      return foreignKeyDataType === undefined ? { reason: sheetTexts.keyType } : { change: { foreignKeyDataType } }
    },
  },
  nullable: {
    read(text) {
      const nullable = readNullable(text) ?? readFlag(text)
      return nullable === undefined ? { reason: sheetTexts.noFlag(text) } : { change: { nullable } }
    },
  },
  defaultValue: {
    header: 'Default',
    isCode: true,
    fields: combined.defaultValue,
    applies: isTypeAttribute,
    text: row =>
      isTypeAttribute(row) && row.defaultKind !== 'literal' ? row.defaultKind : fieldText(valueOf(row, 'defaultValue')),
    options(row) {
      const computed = isTypeAttribute(row) && row.choices.length === 0 ? computedKindOf(row) : null
      return [...fieldCell('defaultValue').options(row), ...(computed === null ? [] : [computed])]
    },
    read(text, row) {
      if (text === '' || text === 'NULL') return { change: { defaultValue: null, defaultKind: 'literal' } }
      const computed = isTypeAttribute(row) ? computedNamed(text, row) : null
      if (computed !== null) return { change: { defaultKind: computed, defaultValue: null } }
      const flag = isTypeAttribute(row) && row.dataType === 'boolean' ? readFlag(text) : undefined
      return { change: { defaultValue: flag === undefined ? text : String(flag) } }
    },
  },
  /** The name of an enumeration, or a list. */
  choices: {
    fields: combined.choices,
    text: row => (isTypeAttribute(row) && row.enumeration?.name) || fieldCell('choices').text(row),
    read(text, row, { enumerations = [] }) {
      const named = enumerations.find(({ name }) => foldName(name) === foldName(text.trim()))
      if (named) return { change: chosenFrom(named) }
      const isListed = isTypeAttribute(row) && row.enumeration === null
      return { change: { choices: readList(text), ...(isListed ? {} : chosenFrom(undefined)) } }
    },
  },
  /** `40` for texts; `10` or `10,2` for numbers. */
  length: {
    header: 'Length',
    isCode: true,
    fields: combined.length,
    applies: row => isTypeAttribute(row) && (row.dataType === 'string' || takesPrecision(row.dataType)),
    text(row) {
      if (!isTypeAttribute(row)) return ''
      if (row.dataType === 'string') return fieldText(row.maxLength)
      if (!takesPrecision(row.dataType) || row.precision === null) return ''
      return row.scale === null ? fieldText(row.precision) : `${row.precision},${row.scale}`
    },
    read: (text, row) =>
      isTypeAttribute(row) && row.dataType === 'string' ? readLength(text) : readPrecision(text, row),
  },
  /** `OrderLine.orderNo`, or with further columns `OrderLine.orderNo, line → lineNo`. */
  references: {
    header: 'References',
    kind: 'reference',
    fields: combined.references,
    applies: () => true,
    text(row) {
      if (isTypeAttribute(row)) return ''
      const { associatedEntity, associatedEntityTypeAttribute, alsoBy } = row
      const further = alsoBy.map(({ name, target }) => `${name} → ${target}`)
      return [`${associatedEntity.name}.${associatedEntityTypeAttribute}`, ...further].join(', ')
    },
    read(text, row, { target }) {
      if (text.trim() === '') return { reason: messages.fieldRequired }
      const { main, further } = readFurther(text.trim())
      const result = target?.(main) ?? { reason: sheetTexts.unknownTarget(text) }
      if ('reason' in result) return result
      const hadPairs = !isTypeAttribute(row) && row.alsoBy.length > 0
      const { entity, attribute, attributeUid, dataType } = result
      return {
        change: {
          associatedEntity: entity,
          associatedEntityTypeAttribute: attribute,
          associatedEntityTypeAttributeUid: attributeUid,
          foreignKeyDataType: dataType,
          ...(hadPairs || further.length > 0 ? { alsoBy: further } : {}),
        },
      }
    },
  },
}

/** The target, and further columns by name, which get their uids when the change is applied. */
function readFurther(text: string): { main: string; further: KeyPair[] } {
  const [main = '', ...parts] = text.split(',').map(part => part.trim())
  const pairs = parts.map(part => /^(.+?)\s*(?:→|->)\s*(.+)$/.exec(part))
  const further = pairs.flatMap(pair =>
    pair ? [{ uid: '', name: pair[1] ?? '', target: pair[2] ?? '', targetUid: null }] : [],
  )
  return further.length === parts.length ? { main, further } : { main: text, further: [] }
}

function readLength(text: string): CellReading {
  // Schemas of SQL Server have these lengths for unlimited text.
  const digits = /^\s*(?:max|-1)\s*$/i.test(text) ? '' : text
  const reason = maxLength(digits)
  return reason === undefined ? { change: { maxLength: parseMaxLength(digits) } } : { reason }
}

function readPrecision(text: string, row: Column): CellReading {
  if (text.trim() === '') return { change: { precision: null, scale: null } }
  const [isRead, precision, scale] = /^\s*(\d{1,9})\s*(?:[,.;]\s*(\d{1,9})\s*)?$/.exec(text) ?? []
  if (isRead === undefined) return { reason: sheetTexts.length }
  const hasNone = scale === undefined || (Number(scale) === 0 && isTypeAttribute(row) && !takesScale(row.dataType))
  return { change: { precision: Number(precision), scale: hasNone ? null : Number(scale) } }
}

/** All columns of the sheet, first those shown at first. */
export const sheetColumns: readonly SheetColumn[] = [...new Set([...shownFirst, ...derivedIds()])].map(sheetColumn)

export const columnsById: ReadonlyMap<string, SheetColumn> = new Map(sheetColumns.map(column => [column.id, column]))

/** The column that shows a field; undefined for fields that the sheet does not show. */
export function columnOfField(field: string): SheetColumn | undefined {
  return columnsByField.get(field)
}

const columnsByField = new Map(sheetColumns.flatMap(column => column.fields.map(field => [field, column] as const)))

function derivedIds(): string[] {
  const shownByOthers = new Set([...Object.values(combined).flat(), ...Object.values(counterparts)])
  return [...attributeSides.keys(), ...relationshipSides.keys()].filter(name => !shownByOthers.has(name))
}

function sheetColumn(id: string): SheetColumn {
  const cell = { ...fieldCell(id), ...specialCells[id] }
  const { header, applies, text, read } = cell
  return {
    ...cell,
    id,
    isFixed: leading.includes(id),
    isHidden: !shownFirst.includes(id),
    read(typed, row, context) {
      if (isSameText(typed, text(row))) return { change: {} }
      if (applies(row)) return read(typed, row, context)
      return typed.trim() === '' ? { change: {} } : { reason: notApplicable(header, row) }
    },
  }
}

function fieldCell(id: string): Cell {
  const relationshipName = counterparts[id] ?? id
  const [attribute, relationship] = [attributeSides.get(id), relationshipSides.get(relationshipName)]
  const { label: header = id, kind = 'text', isMultiline = false } = attribute ?? relationship ?? {}
  const sideIn = (row: Column) => (isTypeAttribute(row) ? attribute : relationship)
  return {
    header,
    kind,
    isCode: kind === 'select',
    isMultiline,
    fields: [...new Set([id, relationshipName])],
    applies: row => sideIn(row)?.applies(row) ?? false,
    options: row => sideIn(row)?.options(row) ?? [],
    text(row) {
      const side = sideIn(row)
      return side ? valueText(valueOf(row, side.name)) : ''
    },
    read(text, row) {
      const side = sideIn(row)
      return side ? readValue(side, text, row) : { change: {} }
    },
  }
}

function notApplicable(header: string, row: Column): string {
  return isTypeAttribute(row) ? sheetTexts.notInType(header, row.dataType) : sheetTexts.notInRelationship(header)
}

/** Clipboards change line breaks. */
function isSameText(one: string, other: string): boolean {
  return one === other || one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n')
}

function valueOf(row: Column, name: string): unknown {
  const values: Readonly<Record<string, unknown>> = row
  return values[name]
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? listText(value.map(String)) : fieldText(value)
}

function readValue({ name, kind, blank, options, parse }: Side, text: string, row: Column): CellReading {
  switch (kind) {
    case 'flag': {
      const flag = readFlag(text)
      return flag === undefined ? { reason: sheetTexts.noFlag(text) } : { change: { [name]: flag } }
    }
    case 'list':
      return { change: { [name]: readList(text) } }
    case 'select': {
      const word = text.trim().toLowerCase()
      if (word === '') return { change: blank === undefined ? {} : { [name]: blank } }
      const option = options(row).find(one => one.toLowerCase() === word)
      return option === undefined ? { reason: sheetTexts.noOption(options(row)) } : { change: { [name]: option } }
    }
    default:
      return { change: { [name]: parse(text) } }
  }
}
