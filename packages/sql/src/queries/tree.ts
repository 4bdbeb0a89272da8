import type { ColumnType } from '../tree.ts'

// Queries as data, with names of the database. Values sent by callers are in slots, which become placeholders.

/** A column; `of` is the alias of its table, '' for the only table of the statement. */
export type ColumnReference = { readonly of: string; readonly name: string; readonly type: ColumnType }

export type Parameter = { readonly kind: 'parameter'; readonly slot: number; readonly type: ColumnType }

export type Summary = 'COUNT' | 'SUM' | 'MIN' | 'MAX' | 'AVG'

export type Expression =
  /** `read`: converted for output. */
  | { readonly kind: 'column' | 'read'; readonly ref: ColumnReference }
  | Parameter
  /** The number 1. */
  | { readonly kind: 'one' }
  | { readonly kind: 'countAll' }
  | { readonly kind: 'summary'; readonly name: Summary; readonly ref: ColumnReference }
  /** The single value of a query. */
  | { readonly kind: 'scalar'; readonly select: Select }
  /** 1 if the query has a row, else 0. */
  | { readonly kind: 'exists'; readonly select: Select }
  /** The single row, or null, as a JSON list of its values. */
  | { readonly kind: 'row'; readonly select: Select }
  /** The rows as a JSON list of JSON lists. */
  | { readonly kind: 'rows'; readonly select: Select }
  /** A column's value in JSON, as sent to callers. */
  | { readonly kind: 'wire'; readonly ref: ColumnReference }
  /** A text of the model. */
  | { readonly kind: 'constant'; readonly text: string }
  /** The single row, or null, as a JSON object with these names. */
  | { readonly kind: 'object'; readonly select: Select; readonly names: readonly string[] }
  /** JSON as a string, which drivers do not parse. `limit`: maximum number of bytes, beyond which the statement fails. */
  | { readonly kind: 'text'; readonly json: Expression; readonly limit?: Parameter | null }
  /** The rows as a JSON list of objects. */
  | { readonly kind: 'objects'; readonly select: Select; readonly names: readonly string[] }

export type Operator = '=' | '<>' | '>' | '>=' | '<' | '<='

export type Condition =
  | { readonly kind: 'compare'; readonly operator: Operator; readonly ref: ColumnReference; readonly value: Parameter }
  | { readonly kind: 'in'; readonly ref: ColumnReference; readonly values: readonly Parameter[] }
  | { readonly kind: 'like'; readonly ref: ColumnReference; readonly value: Parameter }
  /** Whether any of the columns contains the value, ignoring case; false without columns. */
  | { readonly kind: 'search'; readonly refs: readonly ColumnReference[]; readonly value: Parameter }
  | { readonly kind: 'null'; readonly ref: ColumnReference; readonly isNull: boolean }
  | { readonly kind: 'same'; readonly ref: ColumnReference; readonly other: ColumnReference }
  | { readonly kind: 'is'; readonly ref: ColumnReference; readonly select: Select }
  | { readonly kind: 'exists'; readonly select: Select }
  /** All conditions of one of the lists. */
  | { readonly kind: 'any'; readonly of: readonly (readonly Condition[])[] }
  | { readonly kind: 'never' }

export type Sorting = { readonly ref: ColumnReference; readonly descending: boolean; readonly nullable: boolean }

export type Page = { readonly limit: Parameter; readonly offset: Parameter | null }

export type Select = {
  readonly columns: readonly Expression[]
  readonly from: { readonly table: string; readonly alias: string } | null
  readonly where: readonly Condition[]
  readonly groupBy: readonly ColumnReference[]
  readonly orderBy: readonly Sorting[]
  readonly page: Page | null
  /** Pages each group of rows with the same values of these columns; empty: the rows are one group. */
  readonly pageOf: readonly ColumnReference[]
  /** Locks the rows until the transaction ends. */
  readonly forUpdate: boolean
}

export type Insert = {
  readonly kind: 'insert'
  readonly table: string
  readonly values: readonly (readonly [column: string, value: Parameter])[]
  /** Inserts nothing if these do not hold; only for databases that return changed rows. */
  readonly where: readonly Condition[]
  /** A column to name in a row of defaults. */
  readonly anyColumn: string
  /** Columns returned of the new row, if the database can. */
  readonly returning: readonly Expression[]
}

export type Update = {
  readonly kind: 'update'
  readonly table: string
  readonly values: readonly (readonly [column: string, value: Parameter | null])[]
  readonly where: readonly Condition[]
  readonly returning: readonly Expression[]
}

export type Delete = { readonly kind: 'delete'; readonly table: string; readonly where: readonly Condition[] }

export function newSelect(parts: Partial<Select> & Pick<Select, 'columns'>): Select {
  return { from: null, where: [], groupBy: [], orderBy: [], page: null, pageOf: [], forUpdate: false, ...parts }
}
