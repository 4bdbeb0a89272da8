import * as z from 'zod'
import { asAnswered } from '../contract/request-fields.ts'
import { withItems } from '../stored/nested-forms.ts'
import { ofRecord, unchanged } from '../stored/stored-form.ts'

/**
 * Role of a field in its item. `value`: set by users; `copiedFrom`: uid of the item that it was copied from; `target`, `targetUid`: name and
 * uid of the attribute that it refers to, which are compared and merged as one.
 */
export type Part = 'uid' | 'position' | 'name' | 'value' | 'traits' | 'copiedFrom' | 'target' | 'targetUid'

/** Display and editor of a field in the properties panel. The page has one editor per kind. */
export type Editor<V, Item> =
  | { kind: 'text'; multiline?: true; parse?(text: string): V }
  | { kind: 'checkbox' }
  /** `none`: label for null. `wordsOf`: further search texts of an option. */
  | {
      kind: 'select'
      options(item: Item): readonly string[]
      none?: string | ((item: Item) => string)
      wordsOf?(option: string): readonly string[]
    }
  /** The page has a component for this field. */
  | { kind: 'special' }
  | { kind: 'list'; emptyText: string; entryRule(entry: string, others: readonly string[]): string | undefined }

export type Panel<V, Item> = {
  label: string
  editor: Editor<V, Item>
  /** Replaces the editor for some items. */
  editorFor?(item: Item): Editor<V, Item> | undefined
  /** Whether the field applies to the item; absent: always. */
  applies?(item: Item): boolean
}

/** The only description of a field. Schema, default, upgrade, requests, answers, edits, merge and comparison derive from it. */
export type OwnField<S extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> = {
  schema: S
  part: Part
  /** Default in new items, and in items stored before the field existed. */
  default?: z.output<S>
  /** Format of the stored content that added the field: `editFormat` + 1. Absent: the first. */
  since?: number
  /** Format of the stored content that added values to the schema. */
  extended?: number
  /** Schema in requests and conversion of what they send, if they differ. */
  request?: R
  read?(sent: z.output<R>): z.output<S>
}

/**
 * A field of a column. Its rules, panel and exports derive from this. `Item`: the properties of the item that rules and
 * editors read.
 */
export type Field<Item, S extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> = OwnField<S, R> & {
  /** Applies unless the value and the fields named in `reads` are unchanged. `old`: the value before. */
  rule?: {
    reads: readonly (keyof Item & string)[]
    check(value: z.output<S>, item: Item, old?: z.output<S>): string | undefined
  }
  /** Whether a change of other fields resets the field to its default. */
  clearedBy?(change: Partial<Item>, item: Item): boolean
  /** Place in the panel; null: not in the panel. */
  panel: Panel<z.output<S>, Item> | null
  carried: Carried<z.output<S>>
}

/** Treatment of a field in formats other than the product's own. */
export type Carried<V> = {
  /** Stored in its document, or in `cadmus.json` with a note on what CDM does not support (null: none). */
  cdm: 'document' | { sidecar: string | null }
  /** Written, silently omitted, or reported in these words if it differs from its default. */
  dataModel: 'written' | 'omitted' | { lost(value: V): string }
}

/** Declares a field; infers its types from its schemas. */
export function fieldOf<Item>() {
  return <S extends z.ZodType, R extends z.ZodType = S>(field: Field<Item, S, R>): Field<Item, S, R> => field
}

export const inDocument = { cdm: 'document', dataModel: 'written' } as const
export const internal = { cdm: { sidecar: null }, dataModel: 'omitted' } as const

const field = fieldOf<object>()

/** Fields that attributes and relationships have in common. */
export const columnFields = {
  uid: field({ schema: z.string(), part: 'uid', request: z.string().max(60), panel: null, carried: internal }),
  description: field({
    schema: z.string(),
    part: 'value',
    default: '',
    request: z.string().max(20_000),
    panel: { label: 'Description', editor: { kind: 'text', multiline: true } },
    carried: inDocument,
  }),
  unique: field({
    schema: z.boolean(),
    part: 'value',
    default: false,
    panel: { label: 'Unique', editor: { kind: 'checkbox' } },
    carried: { cdm: { sidecar: 'unique values' }, dataModel: { lost: () => 'that it is unique' } },
  }),
  /** Attributes and relationships of an entity have one order. */
  position: field({
    schema: z.number().int().nonnegative(),
    part: 'position',
    request: z.number().int().min(0),
    panel: null,
    carried: inDocument,
  }),
  /** Imported; exported while the column is unchanged. */
  traits: field({
    schema: z.array(z.unknown()),
    part: 'traits',
    default: [],
    request: asAnswered,
    panel: null,
    carried: { cdm: 'document', dataModel: 'omitted' },
  }),
  copiedFrom: field({
    schema: z.string().nullable(),
    part: 'copiedFrom',
    default: null,
    request: asAnswered,
    panel: null,
    carried: internal,
  }),
}

export function ownField<S extends z.ZodType, R extends z.ZodType = S>(field: OwnField<S, R>): OwnField<S, R> {
  return field
}

type AnyFields = Readonly<Record<string, OwnField>>

type Schemas<F> = { [K in keyof F]: F[K] extends { schema: infer S } ? S : never }

export function schemasOf<F extends AnyFields>(fields: F): Schemas<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as Schemas<F>
}

type RequestSchemas<F> = {
  [K in keyof F]: F[K] extends OwnField<z.ZodType, infer R> ? (R extends z.ZodOptional ? R : z.ZodOptional<R>) : never
}

/** Schemas of the fields in requests, all optional. */
export function requestSchemasOf<F extends AnyFields>(fields: F): RequestSchemas<F> {
  const entries = Object.entries(fields).map(([name, field]) => [name, requestSchemaOf(field)])
  return Object.fromEntries(entries) as RequestSchemas<F>
}

function requestSchemaOf({ schema, request = schema, default: fresh }: OwnField): z.ZodType {
  if (request instanceof z.ZodOptional) return request
  return fresh === undefined ? request.optional() : optionalField(request, fresh)
}

/** An optional field of a request. `fresh`: its value in a new item if absent. */
export function optionalField<T extends z.ZodType>(schema: T, fresh: unknown): z.ZodOptional<T> {
  return schema.optional().describe(`Absent: unchanged; ${JSON.stringify(fresh)} in a new item.`)
}

type Defaults<F> = { [K in keyof F]: F[K] extends { schema: infer S extends z.ZodType } ? z.output<S> : never }

/** Returns a function that creates the defaults, with new lists each time. */
export function defaultsOf<F extends AnyFields>(fields: F): () => Defaults<F> {
  const entries = Object.entries(fields).flatMap(([name, field]) => ('default' in field ? [[name, field.default]] : []))
  const defaults = Object.fromEntries(entries) as Defaults<F>
  const lists = Object.fromEntries(entries.filter(([, value]) => Array.isArray(value)))
  return () => {
    const fresh = { ...defaults }
    for (const name in lists) Reflect.set(fresh, name, [])
    return fresh
  }
}

/** Names of the fields that requests cannot set. */
export function readOnlyNames<F extends AnyFields>(fields: F): (keyof F & string)[] {
  return namesOf(fields, ({ request }) => request === asAnswered)
}

/** Values of names and other fields that a request sends. */
export function sentValues(fields: AnyFields, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, { part, read, request }] of Object.entries(fields)) {
    const value = sent[name]
    const isSent = value !== undefined && request !== asAnswered
    if (isSent && (part === 'name' || part === 'value')) values[name] = read ? read(value) : value
  }
  return values
}

/** Names of the fields that fulfil a condition, as declared. */
export function namesOf<F extends AnyFields>(fields: F, has: (field: F[keyof F]) => boolean): (keyof F & string)[] {
  const names: (keyof F & string)[] = []
  for (const name in fields) if (has(fields[name])) names.push(name)
  return names
}

/** The newest format of a content that added a field or values of one. */
export function newestFormat(...all: readonly AnyFields[]): number {
  return Math.max(
    ...all.flatMap(fields => Object.values(fields).map(({ since = 1, extended = 1 }) => Math.max(since, extended))),
  )
}

type Upgrade = (stored: unknown) => unknown

/** Upgrades of a content from each format to the next, which add its own fields and those of its items, by list. */
export function fieldUpgrades(
  format: number,
  own: AnyFields,
  lists: Readonly<Record<string, AnyFields>> = {},
): Record<number, Upgrade> {
  const upgradeTo = (to: number): Upgrade => {
    const inItems = Object.entries(lists).flatMap(([list, fields]): Upgrade[] => {
      const upgrade = addition(fields, to)
      return upgrade ? [content => withItems(content, list, upgrade)] : []
    })
    const all = [addition(own, to) ?? [], inItems].flat()
    return all.length === 0 ? unchanged : stored => all.reduce((content, upgrade) => upgrade(content), stored)
  }
  return Object.fromEntries(Array.from({ length: format - 1 }, (_, index) => [index + 1, upgradeTo(index + 2)]))
}

/** Adds the fields of a format to an item; undefined if the format neither added nor extended one. */
function addition(fields: AnyFields, format: number): Upgrade | undefined {
  const added = Object.entries(fields).filter(([, { since }]) => since === format)
  if (added.length === 0 && !Object.values(fields).some(({ extended }) => extended === format)) return undefined
  const missingIn = (item: Readonly<Record<string, unknown>>) => added.filter(([name]) => item[name] === undefined)
  return ofRecord(item => ({
    ...item,
    ...Object.fromEntries(missingIn(item).map(([name, field]) => [name, field.default])),
  }))
}

/** All names: first those in `order`, then the others as declared. */
export function inOrder<F extends AnyFields>(fields: F, order: readonly (keyof F & string)[]): (keyof F & string)[] {
  return [...new Set([...order, ...namesOf(fields, () => true)])]
}

/** Names of the fields that a comparison reports one by one; identity, name, place and target have words of their own. */
export function comparedNames<F extends AnyFields>(fields: F): (keyof F & string)[] {
  return namesOf(fields, ({ part }) => part === 'value' || part === 'traits')
}

/** Names of the fields that only the sidecar of a CDM folder holds. */
export function sidecarNames<F extends Readonly<Record<string, Field<never>>>>(fields: F): (keyof F & string)[] {
  return namesOf(fields, ({ carried }) => carried.cdm !== 'document')
}

/** A value as text, as in the panel or a cell of a sheet; null is empty. */
export function fieldText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}
