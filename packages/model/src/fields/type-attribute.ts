import * as z from 'zod'
import { dataTypes, defaultKinds, formats, keyDataTypes, purposes, type DataType, type Format } from '../data-types.ts'
import { enumerationReference, enumerationRequest } from '../enumeration.ts'
import { isEqual } from '../equal.ts'
import { messages } from '../messages.ts'
import {
  choice,
  choices,
  defaultKind,
  defaultValue,
  format,
  formatsOf,
  keyDataType,
  maxLength,
  parseMaxLength,
  precision,
  scale,
  takesPrecision,
  takesScale,
} from '../rules/type-attribute.ts'
import { computedKindOf } from '../values/computed.ts'
import type { DefaultType } from '../values/literal.ts'
import { columnFields, fieldOf, fieldText, inDocument, inOrder, namesOf } from './field.ts'

const field = fieldOf<DefaultType>()

const parseNumber = (text: string) => (text.trim() === '' ? null : Number(text))
const isOther = (dataType: DataType | undefined, item: DefaultType) =>
  dataType !== undefined && dataType !== item.dataType
/** An integer, or a float of single precision, has digits or a format: one replaces the other. */
const isReplaced = (other: number | Format | null | undefined, { dataType, format: own }: DefaultType) =>
  other !== null && other !== undefined && (dataType === 'integer' || other === 'single' || own === 'single')

/** Maximum number of values among which a default is selected; with more it is typed. */
const maxOptions = 200
const noDefault = 'none'

/** Formats of a data type, as further search words of its option. */
export function formatWords(dataType: string): string[] {
  const entries: readonly [string, readonly Format[]][] = Object.entries(formatsOf)
  return entries.flatMap(([type, formats]) => (type === dataType ? formats : []))
}

function firstOf(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ')
}

/** The fields of a type attribute, in stored order. A new one is described here and nowhere else. */
export const typeAttributeFields = {
  uid: columnFields.uid,
  name: field({
    schema: z.string(),
    part: 'name',
    default: '',
    read: sent => sent.trim(),
    panel: { label: 'Name', editor: { kind: 'text', parse: text => text.trim() } },
    carried: inDocument,
  }),
  dataType: field({
    schema: z.enum(dataTypes),
    part: 'value',
    default: 'string',
    rule: {
      reads: ['purpose'],
      check: (value, { purpose }) => keyDataType(value, { isKey: purpose === 'identifiedBy' }),
    },
    panel: {
      label: 'Data Type',
      editor: {
        kind: 'select',
        options: ({ purpose }) => (purpose === 'identifiedBy' ? keyDataTypes : dataTypes),
        wordsOf: formatWords,
      },
    },
    carried: inDocument,
  }),
  purpose: field({
    schema: z.enum(purposes),
    part: 'value',
    default: 'hasA',
    panel: { label: 'Purpose', editor: { kind: 'select', options: () => purposes } },
    carried: inDocument,
  }),
  description: columnFields.description,
  nullable: field({
    schema: z.boolean(),
    part: 'value',
    default: false,
    panel: { label: 'Nullable', editor: { kind: 'checkbox' } },
    carried: inDocument,
  }),
  choices: field({
    schema: z.array(z.string()),
    part: 'value',
    default: [],
    request: z.array(z.string().max(4000)).max(10_000),
    read: sent => [...sent],
    rule: { reads: [], check: (value, _item, old) => choices(value, old) },
    panel: {
      label: 'Choices',
      editor: {
        kind: 'list',
        emptyText: messages.empty.choices,
        entryRule: (entry, others) => choice(entry, { others }),
      },
      // Imported choices of a boolean can be removed.
      applies: ({ dataType, choices: present }) => dataType !== 'boolean' || present.length > 0,
    },
    carried: inDocument,
  }),
  /** The enumeration of the manifest that the choices are a copy of. */
  enumeration: field({
    schema: enumerationReference.nullable(),
    part: 'value',
    default: null,
    since: 5,
    request: enumerationRequest.nullable(),
    clearedBy: (change, item) =>
      item.enumeration !== null && change.choices !== undefined && !isEqual(change.choices, item.choices),
    panel: null,
    carried: { cdm: { sidecar: null }, dataModel: { lost: value => `its enumeration ${value?.name ?? ''}` } },
  }),
  maxLength: field({
    schema: z.number().int().positive().nullable(),
    part: 'value',
    default: null,
    request: z.union([z.number().int(), z.string()]).nullable(),
    read: sent => (typeof sent === 'string' ? parseMaxLength(sent) : sent),
    // Invalid input arrives as NaN; the rule checks it as typed.
    rule: { reads: [], check: value => maxLength(fieldText(value)) },
    clearedBy: ({ dataType }, item) => isOther(dataType, item) && dataType !== 'string',
    panel: {
      label: 'Max Length',
      editor: { kind: 'text', parse: parseMaxLength },
      applies: ({ dataType }) => dataType === 'string',
    },
    carried: inDocument,
  }),
  defaultValue: field({
    schema: z.string().nullable(),
    part: 'value',
    default: null,
    request: z.string().max(20_000).nullable(),
    rule: {
      reads: ['dataType', 'format', 'maxLength', 'choices', 'precision', 'scale', 'purpose', 'unique', 'indexed'],
      check: (value, item) => defaultValue(value, item),
    },
    clearedBy: ({ defaultKind: kind = 'literal' }, item) => kind !== 'literal' && item.defaultValue !== null,
    panel: {
      label: 'Default Value',
      editor: { kind: 'text', parse: text => (text === '' ? null : text) },
      editorFor: item => {
        const options = item.choices.length === 0 && item.dataType === 'boolean' ? ['true', 'false'] : item.choices
        const canSelect = options.length > 0 && options.length <= maxOptions && !options.includes(noDefault)
        return canSelect ? { kind: 'select', options: () => options, none: noDefault } : undefined
      },
      applies: ({ defaultKind: kind }) => kind === 'literal',
    },
    carried: { cdm: { sidecar: 'default values' }, dataModel: 'written' },
  }),
  defaultKind: field({
    schema: z.enum(defaultKinds),
    part: 'value',
    default: 'literal',
    since: 4,
    rule: {
      reads: ['dataType', 'format', 'choices', 'defaultValue'],
      check: (value, item) => defaultKind(value, item),
    },
    // A value takes the place of what is computed; a type that cannot have it clears it.
    clearedBy: (change, item) =>
      item.defaultKind !== 'literal' &&
      ((change.defaultValue ?? null) !== null || computedKindOf({ ...item, ...change }) !== item.defaultKind),
    panel: {
      label: 'Default',
      editor: {
        kind: 'select',
        options: item => defaultKinds.filter(kind => kind === 'literal' || kind === computedKindOf(item)),
      },
      applies: item => item.defaultKind !== 'literal' || (computedKindOf(item) !== null && item.choices.length === 0),
    },
    carried: { cdm: { sidecar: 'computed defaults' }, dataModel: { lost: value => `its computed default ${value}` } },
  }),
  unique: columnFields.unique,
  indexed: field({
    schema: z.boolean(),
    part: 'value',
    default: false,
    panel: { label: 'Indexed', editor: { kind: 'checkbox' } },
    carried: { cdm: { sidecar: 'indexes' }, dataModel: { lost: () => 'its index' } },
  }),
  precision: field({
    schema: z.number().int().positive().nullable(),
    part: 'value',
    default: null,
    request: z.number().int().nullable(),
    rule: { reads: ['dataType', 'format'], check: (value, item) => precision(value, item) },
    clearedBy: (change, item) => isOther(change.dataType, item) || isReplaced(change.format, item),
    panel: {
      label: 'Precision',
      editor: { kind: 'text', parse: parseNumber },
      applies: ({ dataType }) => takesPrecision(dataType),
    },
    carried: {
      cdm: { sidecar: 'precision and scale' },
      dataModel: { lost: value => `its precision ${value}` },
    },
  }),
  scale: field({
    schema: z.number().int().nonnegative().nullable(),
    part: 'value',
    default: null,
    request: z.number().int().nullable(),
    rule: { reads: ['dataType', 'precision'], check: (value, item) => scale(value, item) },
    clearedBy: (change, item) =>
      isOther(change.dataType, item) || change.precision === null || change.format === 'single',
    panel: {
      label: 'Scale',
      editor: { kind: 'text', parse: parseNumber },
      applies: ({ dataType }) => takesScale(dataType),
    },
    carried: { cdm: { sidecar: 'precision and scale' }, dataModel: { lost: value => `its scale ${value}` } },
  }),
  format: field({
    schema: z.enum(formats).nullable(),
    part: 'value',
    default: null,
    extended: 5,
    rule: { reads: ['dataType', 'maxLength'], check: (value, item) => format(value, item) },
    clearedBy: (change, item) => isOther(change.dataType, item) || isReplaced(change.precision, item),
    panel: {
      label: 'Format',
      editor: {
        kind: 'select',
        options: ({ dataType }) => formatsOf[dataType],
        none: ({ dataType }) => `any (${firstOf(formatsOf[dataType])})`,
      },
      applies: ({ dataType }) => formatsOf[dataType].length > 0,
    },
    carried: { cdm: { sidecar: 'formats of data types' }, dataModel: 'written' },
  }),
  position: columnFields.position,
  traits: field({ ...columnFields.traits, clearedBy: ({ dataType }, item) => isOther(dataType, item) }),
  copiedFrom: columnFields.copiedFrom,
}

type Name = keyof typeof typeAttributeFields

const shownFirst = [
  'name',
  'dataType',
  'format',
  'purpose',
  'nullable',
  'maxLength',
  'precision',
  'scale',
  'defaultKind',
  'defaultValue',
  'description',
  'choices',
] as const satisfies readonly Name[]

/** Names of all fields in the order of the panel, then fields without a place in declaration order. */
export const typeAttributeNames: readonly Name[] = inOrder(typeAttributeFields, shownFirst)

/** Fields that define the values of an attribute; rules relate them to each other. */
export const shapeFields: readonly Name[] = [
  ...new Set<Name>([
    ...(typeAttributeFields.defaultValue.rule?.reads ?? []),
    ...namesOf(typeAttributeFields, ({ rule }) => rule !== undefined),
  ]),
]
