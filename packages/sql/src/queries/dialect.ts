import type { Literal } from '@cadmus/model/values/literal'
import type { ColumnType } from '../tree.ts'
import type { SqlValue } from './plan.ts'
import type { Operator, Page } from './tree.ts'

/** How a database's queries are written: the standard's answer to each question, and where a file of `dialects/` says so, its own. */
export type QueryDialect = {
  quote(name: string): string
  /** The placeholder of the n-th parameter, from 1. */
  placeholder(index: number): string
  /** Whether one placeholder may stand in several places. */
  numbered: boolean
  /** A parameter as a value of the type. */
  bind(placeholder: string, type: ColumnType): string
  /** What a driver sends for the value. */
  value(literal: Literal, type: ColumnType): SqlValue
  /** The form in which a column's value leaves the database: nothing of it is lost in a driver or in JSON. */
  read(column: string, type: ColumnType): string
  /** The form that compares and sorts as the model means it, the same on all databases. */
  ordered(value: string, type: ColumnType): string
  /** Back from that form. */
  unordered(value: string, type: ColumnType): string
  compare(column: string, operator: Operator, value: string, type: ColumnType): string
  /** Whether a text holds another one, whatever the case. */
  holds(column: string, value: string): string
  like(column: string, value: string): string
  /** A pattern of % and _, in which nothing else means anything, as `like` takes it. */
  pattern(text: string): string
  /** A sum in the form in which it is read. */
  sum(column: string, type: ColumnType): string
  /** Missing values come last, and first where it descends. */
  orderBy(value: string, descending: boolean, nullable: boolean): string
  /** A number of a page in its place. */
  bindPage(placeholder: string): string
  page(limit: string, offset: string | null): string
  /** The parts of a page that are values, in the order of their placeholders. */
  pageOrder: readonly (keyof Page)[]
  /** What a query without a table is from. */
  dual: string
  /** JSON that is built in the database; null: nested records are read level by level. */
  json: {
    items(items: readonly string[]): string
    row(select: string): string
    rows(select: string): string
    /** Whether lists come as rows, whose related records alone are JSON: of a large one a driver then takes as much as it wants to. */
    listsAsRows: boolean
  } | null
  /** JSON that needs nothing more to be sent to a caller; null: the database writes values otherwise. */
  wire: {
    /** A column's value in JSON. */
    value(column: string, type: ColumnType): string
    constant(text: string): string
    /** Whether an object can have the name. */
    fits(name: string): boolean
    object(select: string): string
    objects(select: string): string
    /** JSON as a text. */
    text(json: string): string
    /** The same, where it has no more bytes; otherwise a division by zero, which no other text of ours makes. */
    atMost(json: string, limit: string): string
  } | null
  /** Whether rows can be numbered within groups. */
  numbersRows: boolean
  /** Behind a table that is read to be changed, or behind the query. */
  lock: { table: string; query: string }
  /** Lets one transaction after the other add rows to a table; null: it cannot be said, or is so anyway. */
  lockTable: ((table: string) => string) | null
  /** How a changed row is answered: as rows, behind or before its values; or only a generated key, as a value that comes out. */
  returning: 'rows' | 'output' | 'key' | 'none'
  /** The query of a generated key where nothing is answered. */
  lastKey: string | null
  /** What is inserted of a row that has nothing but defaults. */
  emptyInsert(firstColumn: string): string
  /** What a connection says first. */
  session: readonly string[]
}

/** As many values as one function of JSON takes on every database that builds it. */
export const mostItems = 90

export const standardQueries = {
  quote: name => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => '?',
  numbered: false,
  bind: placeholder => placeholder,
  value: literal => (typeof literal.value === 'boolean' ? Number(literal.value) : literal.value),
  read: column => column,
  ordered: value => value,
  unordered: value => value,
  compare(column, operator, value, type) {
    return `${this.ordered(column, type)} ${operator} ${this.ordered(value, type)}`
  },
  holds: (column, value) => `LOCATE(LOWER(${value}), LOWER(${column})) > 0`,
  like: (column, value) => `${column} LIKE ${value}`,
  pattern: text => text,
  sum: column => `SUM(${column})`,
  orderBy: (value, descending, nullable) =>
    `${value}${descending ? ' DESC' : ''}${nullable ? ` NULLS ${descending ? 'FIRST' : 'LAST'}` : ''}`,
  bindPage: placeholder => placeholder,
  page: (limit, offset) => `LIMIT ${limit}${offset === null ? '' : ` OFFSET ${offset}`}`,
  pageOrder: ['limit', 'offset'],
  dual: '',
  json: null,
  wire: null,
  numbersRows: true,
  lock: { table: '', query: ' FOR UPDATE' },
  lockTable: null,
  returning: 'none',
  lastKey: null,
  emptyInsert: () => 'DEFAULT VALUES',
  session: [],
} as const satisfies QueryDialect

/** Missing values in their place where the database cannot be told. */
export function missingLast(value: string, descending: boolean, nullable: boolean): string {
  const way = descending ? ' DESC' : ''
  return nullable ? `CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END${way}, ${value}${way}` : `${value}${way}`
}

/** Digits behind the point of a number that is compared: more than a database has. */
export const comparedScale = 1000

/** The decimal that keeps all digits before the point, and as many behind it as the database has. */
export function decimalWithin(
  { precision, scale }: ColumnType & { kind: 'decimal' },
  most: { precision: number; scale: number },
): string {
  const whole = (precision ?? most.precision) - scale
  const digits = Math.max(0, Math.min(scale, most.scale, most.precision - whole))
  return `DECIMAL(${whole + digits}, ${digits})`
}

/** A moment with a blank in the place of its T. */
export function blankMoment({ kind, value }: Literal): string {
  return kind === 'timestamp' ? String(value).replace('T', ' ') : String(value)
}
