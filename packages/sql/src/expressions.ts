import type { Literal } from '@cadmus/model/values/literal'
import { defaultText, type Dialect } from './dialect.ts'
import { bytesOf } from './names.ts'
import { noteTexts, type Notes } from './notes.ts'
import { rowCondition } from './condition-sql.ts'
import type { Check, Column, RowCheck, Table } from './tree.ts'

/**
 * Fits a table into the limit of its stored definition by omitting the longest items: type checks, then comments, checks of rows,
 * choices, defaults and, last, length checks.
 */
export function withFewerExpressions(table: Table, dialect: Dialect, notes: Notes): Table {
  const limit = dialect.limits.expressions
  if (limit === null || definitionBound(table, dialect) <= limit) return table
  const droppedSets = dropper(table.columns.map(columnLength), limit)(lengthsOf(table, dialect))
  if (!droppedSets) return table
  const [types, comments, conditions, choices, defaults, lengths] = droppedSets
  const unmeasured = table.columns.filter((_, index) => lengths?.has(index)).map(({ source }) => source.uid)
  if (unmeasured.length > 0) notes.remove('lengthAsCheck', new Set(unmeasured))
  const unchecked = new Set(table.checks.filter((_, index) => choices?.has(index)).map(({ column }) => column))
  const columns = table.columns.map((column, index) => {
    const { source } = column
    const note = (code: 'typeUnchecked' | 'commentLeftOut' | 'choicesTooLong' | 'defaultType' | 'lengthUnchecked') =>
      notes.about(code, noteTexts[code](source.name), table.source, source)
    if (types?.has(index)) note('typeUnchecked')
    if (comments?.has(index)) note('commentLeftOut')
    if (unchecked.has(column.name)) note('choicesTooLong')
    if (defaults?.has(index)) note('defaultType')
    if (lengths?.has(index)) note('lengthUnchecked')
    return {
      ...column,
      ...(types?.has(index) || lengths?.has(index) ? { unchecked: true } : {}),
      ...(comments?.has(index) ? { comment: '' } : {}),
      ...(defaults?.has(index) ? { default: null } : {}),
    }
  })
  const isLeft = (_: unknown, index: number) => !conditions?.has(index)
  for (const check of table.conditions?.filter((_, index) => conditions?.has(index)) ?? [])
    notes.about('checkTooLong', noteTexts.checkTooLong(check.name), table.source)
  return {
    ...table,
    columns,
    checks: table.checks.filter((_, index) => !choices?.has(index)),
    ...(table.conditions ? { conditions: table.conditions.filter(isLeft) } : {}),
  }
}

/** The lengths of what can be left out, by kind, in the order in which it is. */
function lengthsOf({ columns, checks, conditions = [] }: Table, dialect: Dialect): number[][] {
  return [
    columns.map(column => typeCheckLength(column, dialect)),
    columns.map(({ comment }) => bytesOf(comment)),
    conditions.map(check => conditionLength(check, dialect)),
    checks.map(check => choicesLength(check, dialect)),
    columns.map(column => defaultLength(column, dialect)),
    columns.map(column => (column.type.kind === 'text' ? checkLength(column, dialect) : 0)),
  ]
}

/** An upper bound, because counting bytes takes time and most tables are far from the limit. */
function definitionBound({ columns, checks, conditions = [] }: Table, dialect: Dialect): number {
  let units = 0
  for (const { name, type, comment, default: literal } of columns) {
    units += 30 + 4 * name.length + (dialect.typeCheck(name, type)?.length ?? 0) + comment.length
    if (literal) units += 2 * defaultText(dialect, literal, type).length
  }
  for (const { name, column, values } of checks) {
    units += 20 + name.length + column.length
    for (const value of values) units += 2 + 2 * dialect.literal(value).length
  }
  for (const check of conditions) units += conditionLength(check, dialect)
  // A UTF-16 code unit takes at most three bytes.
  return 3 * units
}

/** Drops the longest items of each list in turn until the total fits; undefined if nothing has to be dropped. */
function dropper(fixed: readonly number[], limit: number) {
  return (lists: readonly (readonly number[])[]): Set<number>[] | undefined => {
    let total = [fixed, ...lists].flat().reduce((sum, length) => sum + length, 0)
    if (total <= limit) return undefined
    return lists.map(lengths => {
      const dropped = new Set<number>()
      for (const index of lengths
        .keys()
        .toArray()
        .toSorted((a, b) => lengthAt(lengths, b) - lengthAt(lengths, a))) {
        if (total <= limit || lengthAt(lengths, index) === 0) break
        dropped.add(index)
        total -= lengthAt(lengths, index)
      }
      return dropped
    })
  }
}

function lengthAt(lengths: readonly number[], index: number): number {
  return lengths[index] ?? 0
}

/** Bytes always stored for a column: its name, metadata and the implicit check of a JSON column. */
export function columnLength({ name, type }: Column): number {
  const length = bytesOf(name)
  return 19 + length + (type.kind === 'json' ? 'json_valid(``)'.length + 2 * length + 8 : 0)
}

/** Length checks of texts are excluded: they come from the model and are dropped last. */
function typeCheckLength(column: Column, dialect: Dialect): number {
  return column.type.kind === 'text' ? 0 : checkLength(column, dialect)
}

/** An unnamed check is stored with the name of its column. */
function checkLength({ name, type }: Column, dialect: Dialect): number {
  const check = dialect.typeCheck(dialect.quote(name), type)
  return check === null ? 0 : bytesOf(check) + bytesOf(name) + 8
}

function choicesLength({ name, column, values }: Check, dialect: Dialect): number {
  const listed = values.reduce((sum, value) => sum + lengthOf(value, dialect), 0)
  return listed + bytesOf(name) + bytesOf(column) + 20
}

function conditionLength({ name, condition }: RowCheck, dialect: Dialect): number {
  return bytesOf(rowCondition(condition, dialect) ?? '') + bytesOf(name) + 20
}

/** Plain literals are not stored as expressions. */
function defaultLength({ default: value, type }: Column, dialect: Dialect): number {
  if (!value || !defaultText(dialect, value, type).startsWith('(')) return 0
  return value.kind === 'computed' ? bytesOf(defaultText(dialect, value, type)) : lengthOf(value, dialect)
}

/** Bytes as stored by the database: UTF-8, with control characters escaped. */
function lengthOf(literal: Literal, dialect: Dialect): number {
  const text = dialect.literal(literal)
  return bytesOf(text) + (text.match(/\p{Cc}/gu)?.length ?? 0) + 2
}
