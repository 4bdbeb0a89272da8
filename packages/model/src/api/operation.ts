import type { TextPieces } from '../text-pieces.ts'

/**
 * A protocol-independent request: protocols translate into it, databases run it. Names are the API's (`ApiEntity.name`, `ApiField.name`);
 * values are plain JSON and are checked against the field's type before they reach SQL.
 */
export type Operation =
  | ({ readonly kind: 'selectAll'; readonly entity: string; readonly select: Selection } & Listing)
  | { readonly kind: 'select'; readonly entity: string; readonly key: WireKey; readonly select: Selection }
  | ({
      readonly kind: 'related'
      readonly entity: string
      readonly key: WireKey
      readonly relation: string
      readonly select: Selection
    } & Listing)
  | ({ readonly kind: 'insert' } & ChangedRecord)
  /** The record includes the key. */
  | ({ readonly kind: 'update' } & ChangedRecord)
  | { readonly kind: 'delete'; readonly entity: string; readonly key: WireKey }
  | { readonly kind: 'aggregate'; readonly entity: string; readonly query: string; readonly filters: readonly Filter[] }
  | { readonly kind: 'history'; readonly entity: string; readonly key: WireKey }
  | { readonly kind: 'changes'; readonly entity: string; readonly after: string; readonly limit: number }

type ChangedRecord = {
  readonly entity: string
  readonly record: WireRecord
  /** Format of the returned record, fields only. */
  readonly layout?: Layout
  /** Reads the answer in the same transaction; the entity needs a key. By default all fields without relations. */
  readonly select?: Selection
}

export type WireValue = string | number | boolean | null | readonly WireValue[] | { readonly [name: string]: WireValue }
export type WireRecord = Readonly<Record<string, WireValue>>
/** The values of `ApiEntity.key`, in its order. */
export type WireKey = readonly WireValue[]

/** Parts of a record to read: fields by name (null: all), and the selection of each relation. */
export type Selection = {
  readonly fields: readonly string[] | null
  readonly relations: readonly { readonly name: string; readonly select: Selection; readonly listing?: Listing }[]
  /** Format of the returned records; by default fields, then relations, under their own names. */
  readonly layout?: Layout
}

/**
 * Members of a written record in order: fields and relations of the selection, each once. Names come from the model, never from a client.
 */
export type Layout = readonly LayoutMember[]
export type LayoutMember = {
  /** Name in the output. */
  readonly as: string
} & ({ readonly member: string } | { readonly text: string })

export type Listing = {
  readonly filters: readonly Filter[]
  /** Case-insensitive substring of any text field; '' = any. */
  readonly search: string
  readonly sort: readonly { readonly field: string; readonly descending: boolean }[]
  readonly limit: number | null
  readonly offset: number
}

export const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'like', 'null'] as const
export type Comparison = (typeof comparisons)[number]

/** `in` takes a list, `null` a boolean, `like` a text with % and _. Filters are combined by AND. */
export type Filter = { readonly field: string; readonly comparison: Comparison; readonly value: WireValue }

/** The caller, as far as data access depends on it. `at`: when its request came; absent: now. */
export type Caller = { readonly name: string; readonly tenant: string | null; readonly at?: Date }

/** `total` counts the filtered records, `totalNotFiltered` all records (of the tenant). */
export type OperationResult =
  | {
      readonly kind: 'list'
      readonly records: readonly WireRecord[]
      readonly total: number
      readonly totalNotFiltered: number
    }
  | { readonly kind: 'record'; readonly record: WireRecord }
  | { readonly kind: 'done' }

/** An operation result with records as JSON text. */
export type WrittenResult =
  | { readonly kind: 'list'; readonly records: TextPieces; readonly total: number; readonly totalNotFiltered: number }
  | { readonly kind: 'record'; readonly record: TextPieces }
  | { readonly kind: 'done' }

/** Failure of an operation; `message` is for clients and reveals nothing about the database. */
export type OperationFault = {
  readonly kind: 'invalid' | 'notFound' | 'conflict' | 'unavailable'
  readonly message: string
  /** Of a conflict: the fields whose values another record has, if they are known; of a violated check: those that it compares. */
  readonly fields?: readonly string[]
}
