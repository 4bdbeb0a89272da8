import type { ColumnType } from '../tree.ts'

// Queries as data, in the database's own names. Whatever a caller sent stands in slots, which become placeholders.

/** A column of what `of` stands for: an alias, or '' for the only table there is. */
export type Place = { readonly of: string; readonly name: string; readonly type: ColumnType }

export type Parameter = { readonly kind: 'parameter'; readonly slot: number; readonly type: ColumnType }

export type Summary = 'COUNT' | 'SUM' | 'MIN' | 'MAX' | 'AVG'

export type Expression =
  /** `read`: in the form in which its value leaves the database. */
  | { readonly kind: 'column' | 'read'; readonly place: Place }
  | Parameter
  /** 1 */
  | { readonly kind: 'one' }
  | { readonly kind: 'countAll' }
  | { readonly kind: 'summary'; readonly name: Summary; readonly place: Place }
  /** The only value of the only row. */
  | { readonly kind: 'scalar'; readonly select: Select }
  /** 1 or 0. */
  | { readonly kind: 'exists'; readonly select: Select }
  /** The only row, or null, as a JSON list of its values. */
  | { readonly kind: 'row'; readonly select: Select }
  /** The rows as a JSON list of such lists. */
  | { readonly kind: 'rows'; readonly select: Select }
  /** A column's value in JSON, as it is on the wire. */
  | { readonly kind: 'wire'; readonly place: Place }
  /** A text of the model. */
  | { readonly kind: 'constant'; readonly text: string }
  /** The only row, or null, as a JSON object with these names. */
  | { readonly kind: 'object'; readonly select: Select; readonly names: readonly string[] }
  /** JSON as a text, which no driver reads. `limit`: of its bytes, beyond which the statement fails. */
  | { readonly kind: 'text'; readonly json: Expression; readonly limit?: Parameter | null }
  /** The rows as a JSON list of such objects. */
  | { readonly kind: 'objects'; readonly select: Select; readonly names: readonly string[] }

export type Operator = '=' | '<>' | '>' | '>=' | '<' | '<='

export type Condition =
  | { readonly kind: 'compare'; readonly operator: Operator; readonly place: Place; readonly value: Parameter }
  | { readonly kind: 'in'; readonly place: Place; readonly values: readonly Parameter[] }
  | { readonly kind: 'like'; readonly place: Place; readonly value: Parameter }
  /** One of the texts holds the value, whatever the case; where there are none nothing does. */
  | { readonly kind: 'search'; readonly places: readonly Place[]; readonly value: Parameter }
  | { readonly kind: 'null'; readonly place: Place; readonly isNull: boolean }
  | { readonly kind: 'same'; readonly place: Place; readonly other: Place }
  | { readonly kind: 'is'; readonly place: Place; readonly select: Select }
  | { readonly kind: 'exists'; readonly select: Select }
  | { readonly kind: 'never' }

export type Sorting = { readonly place: Place; readonly descending: boolean; readonly nullable: boolean }

export type Page = { readonly limit: Parameter; readonly offset: Parameter | null }

export type Select = {
  readonly columns: readonly Expression[]
  readonly from: { readonly table: string; readonly alias: string } | null
  readonly where: readonly Condition[]
  readonly groupBy: readonly Place[]
  readonly orderBy: readonly Sorting[]
  readonly page: Page | null
  /** The page is one of each group of rows with the same value. */
  readonly pageOf: Place | null
  /** Nobody else changes the rows before the transaction ends. */
  readonly forUpdate: boolean
}

export type Insert = {
  readonly kind: 'insert'
  readonly table: string
  readonly values: readonly (readonly [column: string, value: Parameter])[]
  /** Nothing is inserted where they do not hold: only for databases that answer changed rows. */
  readonly where: readonly Condition[]
  /** Of a row of nothing but defaults one column must be named. */
  readonly anyColumn: string
  /** What is answered of the new row, where the database can. */
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

export function selecting(given: Partial<Select> & Pick<Select, 'columns'>): Select {
  return { from: null, where: [], groupBy: [], orderBy: [], page: null, pageOf: null, forUpdate: false, ...given }
}
