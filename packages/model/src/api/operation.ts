import type { TextPieces } from '../text-pieces.ts'

/**
 * The narrow waist: each protocol turns its request into one of these, and each database runs it. Names are the API's (`ApiEntity.name`,
 * `ApiField.name`); values are as JSON has them, and are checked against the field's type before they come near SQL.
 */
export type Operation =
  | ({ readonly kind: 'selectAll'; readonly entity: string; readonly select: Selection } & Listing)
  | { readonly kind: 'select'; readonly entity: string; readonly key: WireValue; readonly select: Selection }
  | ({
      readonly kind: 'related'
      readonly entity: string
      readonly key: WireValue
      readonly relation: string
      readonly select: Selection
    } & Listing)
  | { readonly kind: 'insert'; readonly entity: string; readonly record: WireRecord; readonly layout?: Layout }
  /** The key is in the record. `layout`: of fields, how the record is written of which the text is asked for. */
  | { readonly kind: 'update'; readonly entity: string; readonly record: WireRecord; readonly layout?: Layout }
  | { readonly kind: 'delete'; readonly entity: string; readonly key: WireValue }
  | { readonly kind: 'aggregate'; readonly entity: string; readonly query: string; readonly filters: readonly Filter[] }
  | { readonly kind: 'history'; readonly entity: string; readonly key: WireValue }
  | { readonly kind: 'changes'; readonly entity: string; readonly after: string; readonly limit: number }

export type WireValue = string | number | boolean | null | readonly WireValue[] | { readonly [name: string]: WireValue }
export type WireRecord = Readonly<Record<string, WireValue>>

/** What is read of a record: fields by name (null: all), and through relations what is read of those records. */
export type Selection = {
  readonly fields: readonly string[] | null
  readonly relations: readonly { readonly name: string; readonly select: Selection; readonly listing?: Listing }[]
  /** How records are written of which the text is asked for; without one their fields stand before their relations, under their own names. */
  readonly layout?: Layout
}

/** What a record has when it is written: fields and relations of the selection, each once, in this order. Names come from the model, never from a caller. */
export type Layout = readonly LayoutMember[]
export type LayoutMember = {
  /** Under which it stands. */
  readonly as: string
} & ({ readonly member: string } | { readonly text: string })

export type Listing = {
  readonly filters: readonly Filter[]
  /** Text that one of the record's texts holds, whatever the case; '' = any. */
  readonly search: string
  readonly sort: readonly { readonly field: string; readonly descending: boolean }[]
  readonly limit: number | null
  readonly offset: number
}

export const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'like', 'null'] as const
export type Comparison = (typeof comparisons)[number]

/** `in` takes a list, `null` a boolean, `like` a text with % and _. All filters hold together. */
export type Filter = { readonly field: string; readonly comparison: Comparison; readonly value: WireValue }

/** Who calls, as far as data depend on it. */
export type Caller = { readonly name: string; readonly tenant: string | null }

/** `records` of lists in order; `total` counts what the filters leave, `totalNotFiltered` all (of the tenant). */
export type OperationResult =
  | {
      readonly kind: 'list'
      readonly records: readonly WireRecord[]
      readonly total: number
      readonly totalNotFiltered: number
    }
  | { readonly kind: 'record'; readonly record: WireRecord }
  | { readonly kind: 'done' }

/** The same with records as JSON. */
export type WrittenResult =
  | { readonly kind: 'list'; readonly records: TextPieces; readonly total: number; readonly totalNotFiltered: number }
  | { readonly kind: 'record'; readonly record: TextPieces }
  | { readonly kind: 'done' }

/** Why an operation was not made; `message` is for the caller and holds nothing of the database. */
export type OperationFault = {
  readonly kind: 'invalid' | 'notFound' | 'conflict' | 'unavailable'
  readonly message: string
}
