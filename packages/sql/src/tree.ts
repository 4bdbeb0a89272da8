import type { Computed } from '@cadmus/model/values/computed'
import type { ConditionColumn, Typed } from '@cadmus/model/conditions/types'
import type { Literal } from '@cadmus/model/values/literal'
import type { Problem, ProblemStep } from '@cadmus/model/problem'

/** A schema as immutable data. Names are the model's until `adaptSchema` converts them to names of one database. */
export type Schema = {
  readonly name: string
  readonly tables: readonly Table[]
  /** Types of their own for choices; absent without any. */
  readonly types?: readonly ChoiceType[]
}

/** A type with these values; without a name, it is written in the column. */
export type ChoiceType = { readonly name: string | null; readonly values: readonly Literal[] }

export type Table = {
  readonly name: string
  readonly comment: string
  readonly source: EntitySource
  readonly columns: readonly Column[]
  readonly primaryKey: Key | null
  readonly uniques: readonly Key[]
  readonly checks: readonly Check[]
  /** Conditions on rows; absent without any. */
  readonly conditions?: readonly RowCheck[]
  /** Further ones that the database cannot say, but can count by the evaluator; absent without any. No part of the table. */
  readonly counted?: readonly RowCheck[]
  readonly indexes: readonly Index[]
  readonly foreignKeys: readonly ForeignKey[]
  /** The rows of a table of choices, which are in no model; absent for other tables. */
  readonly choices?: readonly { readonly value: Literal; readonly label: string }[]
  /** Columns that the database does not have, by name, with the expressions of their values; absent without any. */
  readonly computed?: readonly { readonly name: string; readonly sql: string }[]
}

/** The entity of a table, and its path from the root manifest. */
export type EntitySource = {
  readonly id: number
  readonly uid: string
  readonly name: string
  readonly path: string
  readonly place: readonly ProblemStep[]
}

/** The type attribute or relationship of a column. */
export type ColumnSource = {
  readonly kind: 'typeAttribute' | 'entityAttribute'
  readonly uid: string
  readonly name: string
}

export type Column = {
  readonly name: string
  readonly type: ColumnType
  /** Written in the place of the type. */
  readonly choices?: ChoiceType
  readonly nullable: boolean
  readonly default: Literal | Computed | null
  /** Whether the database generates missing values. */
  readonly identity: boolean
  /** The sequence's name, if the database must not choose it. */
  readonly sequence?: string
  /** The column whose type a foreign key has, with or without a constraint. */
  readonly follows?: { readonly table: string; readonly column: string }
  /** Whether the type check is omitted: the database has no room for it, or a foreign key ensures it. */
  readonly unchecked?: boolean
  readonly comment: string
  readonly source: ColumnSource
}

/**
 * `length` counts characters; for a text it is checked. A text that `isFixed` has exactly that many, and no space at its end; a double that
 * `isSingle` is one of single precision. A `decimal` without precision is the widest exact number of the
 * database. A `timestamp` is in UTC, or the time of a clock on a wall. An `integer` has at most `digits` decimal digits, which 64 bits hold;
 * one of more digits is a `decimal` that `isWhole`.
 */
export type ColumnType =
  | { readonly kind: 'text'; readonly length?: number; readonly isFixed?: true }
  | { readonly kind: 'double'; readonly isSingle?: true }
  | { readonly kind: 'guid' | 'boolean' | 'date' | 'time' | 'instant' | 'json' | 'binary' }
  | { readonly kind: 'timestamp'; readonly isLocal?: true }
  | { readonly kind: 'varchar'; readonly length: number; readonly isFixed?: true }
  | { readonly kind: 'integer'; readonly bits: 16 | 32 | 64; readonly digits?: number }
  | { readonly kind: 'decimal'; readonly precision: number | null; readonly scale: number; readonly isWhole?: true }

/** A primary key or unique constraint; `sources` are the origins of its columns, in order. */
export type Key = {
  readonly name: string
  readonly columns: readonly string[]
  readonly sources: readonly ColumnSource[]
}

/** A list of allowed values. */
export type Check = {
  readonly name: string
  readonly column: string
  readonly values: readonly Literal[]
  readonly source: ColumnSource
}

/** A condition that no row violates. `columns`: those that it compares. */
export type RowCheck = {
  readonly name: string
  readonly uid: string
  readonly message: string
  /** As people read it, with the model's names. */
  readonly text: string
  readonly condition: Typed<CheckedColumn>
  readonly columns: readonly string[]
}

export type CheckedColumn = ConditionColumn & { readonly name: string; readonly columnType: ColumnType }

export type Index = {
  readonly name: string
  readonly columns: readonly string[]
  readonly sources: readonly ColumnSource[]
  readonly unique: boolean
  /** Whether each column is in descending order; absent if none is. */
  readonly descending?: readonly boolean[]
  /** Excludes rows with a null in any column: the equivalent of a unique constraint on SQL Server and Oracle. */
  readonly onlyPresent: boolean
}

export type ReferentialAction = 'noAction' | 'restrict' | 'cascade' | 'setNull'

export type ForeignKey = {
  readonly name: string
  readonly columns: readonly string[]
  readonly references: { readonly table: string; readonly columns: readonly string[] }
  readonly onDelete: ReferentialAction
  /** Absent: a change of the key is refused. */
  readonly onUpdate?: ReferentialAction
  readonly source: ColumnSource
}

/** A difference of an export from the model; its path leads to the entity and attribute. */
export type Note = Problem & { readonly severity: 'warning' | 'note' }
