import type { OperationFault } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import type { ColumnType } from '../tree.ts'
import { faults } from './faults.ts'
import type { SqlValue } from './plan.ts'
import type { Operator, Page } from './tree.ts'

/** The query syntax of a database: the standard's, overridden by a file in `dialects/`. */
export type QueryDialect = {
  quote(name: string): string
  /** The placeholder of the n-th parameter, counted from 1. */
  placeholder(index: number): string
  /** Whether a placeholder may be repeated. */
  numbered: boolean
  /** A parameter cast to the type. */
  bind(placeholder: string, type: ColumnType): string
  /** The value sent to the driver. */
  value(literal: Literal, type: ColumnType): SqlValue
  /** Converts a column for output so that neither the driver nor JSON loses precision. */
  read(column: string, type: ColumnType): string
  /** Converts a value so that comparing and sorting it has the same result on all databases. */
  ordered(value: string, type: ColumnType): string
  /** Reverses `ordered`. */
  unordered(value: string, type: ColumnType): string
  compare(column: string, operator: Operator, value: string, type: ColumnType): string
  /** Case-insensitive containment. */
  contains(column: string, value: string): string
  like(column: string, value: string): string
  /** Translates a pattern of % and _, without further special characters, for `like`. */
  pattern(text: string): string
  /** A sum, converted as by `read`. */
  sum(column: string, type: ColumnType): string
  /** Nulls are last in ascending and first in descending order. */
  orderBy(value: string, descending: boolean, nullable: boolean): string
  /** A placeholder for a limit or an offset. */
  bindPage(placeholder: string): string
  page(limit: string, offset: string | null): string
  /** Order of the placeholders of a page. */
  pageOrder: readonly (keyof Page)[]
  /** The FROM clause of a query without a table. */
  dual: string
  /** Building of JSON lists in the database; null: nested records are read level by level. */
  json: {
    items(items: readonly string[]): string
    row(select: string): string
    rows(select: string): string
    /**
     * Whether lists are returned as rows with JSON only for related records, so that a driver can fetch large ones in
     * parts.
     */
    listsAsRows: boolean
  } | null
  /** Building of JSON that can be sent to callers unchanged; null if the database's notation differs. */
  wire: {
    value(column: string, type: ColumnType): string
    constant(text: string): string
    /** Whether an object can have a member of this name. */
    fits(name: string): boolean
    object(select: string): string
    objects(select: string): string
    /** JSON as a string. */
    text(json: string): string
    /** Like `text`, but fails with a division by zero, which no other statement causes, if the text has more bytes. */
    atMost(json: string, limit: string): string
  } | null
  /** Whether the database has ROW_NUMBER with PARTITION BY. */
  numbersRows: boolean
  /** Row locks of a query: after the table, or at the end. */
  lock: { table: string; query: string }
  /** Whether a query with a page can lock its rows. */
  locksPages: boolean
  /** Serializes inserts of concurrent transactions into a table; null: not supported or always the case. */
  lockTable: ((table: string) => string) | null
  /**
   * Form in which a change returns columns: as rows, before or after the values, or only the generated key as an output
   * parameter.
   */
  returning: 'rows' | 'output' | 'key' | 'none'
  /** Reads the generated key if a change returns nothing. */
  lastKey: string | null
  /** The values clause of a row that has only defaults. */
  emptyInsert(firstColumn: string): string
  /** Statements run on every new connection. */
  session: readonly string[]
  /** The kind of data that an error of the driver rejects; undefined for other errors. */
  violationOf(error: unknown): Violation | undefined
  /** The violated key in an error about a duplicate: the name of its constraint or index, or its columns. */
  violatedKeyOf(error: unknown): string | undefined
}

/** Maximum number of arguments of a JSON function in every database that builds JSON. */
export const maxItems = 90

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
  contains: (column, value) => `LOCATE(LOWER(${value}), LOWER(${column})) > 0`,
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
  locksPages: true,
  lockTable: null,
  returning: 'none',
  lastKey: null,
  emptyInsert: () => 'DEFAULT VALUES',
  session: [],
} as const satisfies Omit<QueryDialect, 'violationOf' | 'violatedKeyOf'>

/** For databases without NULLS FIRST and NULLS LAST. */
export function nullsLast(value: string, descending: boolean, nullable: boolean): string {
  const direction = descending ? ' DESC' : ''
  return nullable
    ? `CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END${direction}, ${value}${direction}`
    : `${value}${direction}`
}

/** Decimal places of a compared number: more than any database has. */
export const comparedScale = 1000

/** A decimal type that keeps all integer digits and as many decimal places as the database supports. */
export function decimalWithin(
  { precision, scale }: ColumnType & { kind: 'decimal' },
  max: { precision: number; scale: number },
): string {
  const whole = (precision ?? max.precision) - scale
  const digits = Math.max(0, Math.min(scale, max.scale, max.precision - whole))
  return `DECIMAL(${whole + digits}, ${digits})`
}

/** A value with a space instead of the T of a timestamp. */
export function spacedMoment({ kind, value }: Literal): string {
  return kind === 'timestamp' || kind === 'instant' ? String(value).replace('T', ' ') : String(value)
}

type Violation = 'duplicate' | 'reference' | 'value'

const kinds: Readonly<Record<Violation, OperationFault['kind']>> = {
  duplicate: 'conflict',
  reference: 'conflict',
  value: 'invalid',
}

/** The fault of an error caused by the data. */
export function faultOf(
  error: unknown,
  queries: QueryDialect,
  keys: (description: string) => readonly string[] | undefined,
): OperationFault | undefined {
  const violation = queries.violationOf(error)
  const key = violation === 'duplicate' ? queries.violatedKeyOf(error) : undefined
  const fields = key === undefined ? undefined : keys(key)
  if (fields) return { kind: 'conflict', message: faults.duplicateOf(fields), fields }
  return violation && { kind: kinds[violation], message: faults[violation] }
}

/** Reads the violated key from the message of an error; values in it are the caller's, so the last match counts. */
export function keyInMessage(pattern: RegExp): (error: unknown) => string | undefined {
  return error => {
    const message = property(error, 'message') ?? (error instanceof Error ? error.message : '')
    return typeof message === 'string' ? pattern.exec(message)?.[1] : undefined
  }
}

/** The named property of a driver's error. */
export function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null && name in error
    ? Object.entries(error).find(([key]) => key === name)?.[1]
    : undefined
}

/** SQLSTATE codes of integrity and data errors. */
export function ofState(code: unknown): Violation | undefined {
  if (typeof code !== 'string') return undefined
  if (code === '23505') return 'duplicate'
  if (code === '23503' || code === '23001' || code === '23504') return 'reference'
  return code.startsWith('23') || code.startsWith('22') || code === '54000' ? 'value' : undefined
}

/** By the number that the driver's errors have in this property. */
export function byCode(
  name: string,
  codes: Readonly<Record<Violation, readonly number[]>>,
): (error: unknown) => Violation | undefined {
  const violations = new Map([
    ...codes.duplicate.map(code => [code, 'duplicate'] as const),
    ...codes.reference.map(code => [code, 'reference'] as const),
    ...codes.value.map(code => [code, 'value'] as const),
  ])
  return error => violations.get(Number(property(error, name)))
}
