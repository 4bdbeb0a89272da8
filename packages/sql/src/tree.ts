import type { Literal } from '@cadmus/model/values/literal'
import type { Problem, ProblemStep } from '@cadmus/model/problem'

/**
 * SQL as data, before it is text. Every tree is frozen by its types: who wants another one makes another one.
 * Names are the model's names until `fitted` makes them names of one database.
 */
export type Schema = { readonly name: string; readonly tables: readonly Table[] }

export type Table = {
  readonly name: string
  readonly comment: string
  readonly source: EntitySource
  readonly columns: readonly Column[]
  readonly primaryKey: Key | null
  readonly uniques: readonly Key[]
  readonly checks: readonly Check[]
  readonly indexes: readonly Index[]
  readonly foreignKeys: readonly ForeignKey[]
}

/** The entity that became the table, and the way to it from the root manifest. */
export type EntitySource = {
  readonly id: number
  readonly uid: string
  readonly name: string
  readonly path: string
  readonly place: readonly ProblemStep[]
}

/** The type attribute or relationship that became the column. */
export type ColumnSource = {
  readonly kind: 'typeAttribute' | 'entityAttribute'
  readonly uid: string
  readonly name: string
}

export type Column = {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  readonly default: Literal | null
  /** The database makes the value where none is given. */
  readonly identity: boolean
  /** What the database makes them with, where it must not name it itself. */
  readonly sequence?: string
  /** The column whose type a foreign key has, with a constraint or without one. */
  readonly follows?: { readonly table: string; readonly column: string }
  /** Left without the check of its type: the database has no room for it, or a foreign key sees to it. */
  readonly unchecked?: boolean
  readonly comment: string
  readonly source: ColumnSource
}

/** `length` counts characters, that of a text is checked; `decimal` without precision is the widest exact number the database has. */
export type ColumnType =
  | { readonly kind: 'text'; readonly length?: number }
  | { readonly kind: 'guid' | 'double' | 'boolean' | 'date' | 'time' | 'timestamp' | 'json' | 'binary' }
  | { readonly kind: 'varchar'; readonly length: number }
  | { readonly kind: 'integer'; readonly bits: 16 | 32 | 64 }
  | { readonly kind: 'decimal'; readonly precision: number | null; readonly scale: number }

/** A primary key or a unique constraint; `sources` are what its columns were, in their order. */
export type Key = {
  readonly name: string
  readonly columns: readonly string[]
  readonly sources: readonly ColumnSource[]
}

/** A column that takes none but the listed values. */
export type Check = {
  readonly name: string
  readonly column: string
  readonly values: readonly Literal[]
  readonly source: ColumnSource
}

export type Index = {
  readonly name: string
  readonly columns: readonly string[]
  readonly sources: readonly ColumnSource[]
  readonly unique: boolean
  /** Rows without a value are left out: how SQL Server says "unique, but any number of rows without a value". */
  readonly onlyPresent: boolean
}

export type ReferentialAction = 'noAction' | 'restrict' | 'cascade' | 'setNull'

export type ForeignKey = {
  readonly name: string
  readonly columns: readonly string[]
  readonly references: { readonly table: string; readonly columns: readonly string[] }
  readonly onDelete: ReferentialAction
  readonly source: ColumnSource
}

/** What runs: a text, and the values of its placeholders in their order. What makes a schema has none. */
export type Statement = { readonly text: string; readonly parameters: readonly (string | number | null)[] }

/** What an export says less or otherwise than the model; its path leads to the entity and the attribute it is about. */
export type Note = Problem & { readonly severity: 'warning' | 'note' }
