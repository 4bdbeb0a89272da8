import type { Dialect } from './dialect.ts'
import { bytesOf } from './names.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { Column, Literal, Table } from './tree.ts'

/**
 * A table whose choices and defaults fit into what the database keeps of a table's expressions: the longest are left out, choices
 * before defaults.
 */
export function withFewerExpressions(table: Table, dialect: Dialect, notes: Notes): Table {
  const limit = dialect.limits.expressions
  if (limit === null) return table
  const defaults = table.columns.map(column => defaultLength(column, dialect))
  const checks = table.checks.map(({ values }) => values.reduce((sum, value) => sum + lengthOf(value, dialect), 0))
  let total = [...defaults, ...checks].reduce((sum, length) => sum + length, 0)
  if (total <= limit) return table
  const drop = (lengths: readonly number[]): Set<number> => {
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
  }
  const lostChecks = drop(checks)
  const lostDefaults = drop(defaults)
  const unchecked = new Set(table.checks.filter((_, index) => lostChecks.has(index)).map(({ column }) => column))
  for (const [index, { name, source }] of table.columns.entries()) {
    if (unchecked.has(name)) notes.about('choicesTooLong', noteTexts.choicesTooLong(source.name), table.source, source)
    if (lostDefaults.has(index)) notes.about('defaultType', noteTexts.defaultType(source.name), table.source, source)
  }
  return {
    ...table,
    columns: table.columns.map((column, index) => (lostDefaults.has(index) ? { ...column, default: null } : column)),
    checks: table.checks.filter((_, index) => !lostChecks.has(index)),
  }
}

function lengthAt(lengths: readonly number[], index: number): number {
  return lengths[index] ?? 0
}

/** A plain literal is none of the table's expressions. */
function defaultLength({ default: literal, type }: Column, dialect: Dialect): number {
  if (!literal || !dialect.defaultValue(literal, type).startsWith('(')) return 0
  return lengthOf(literal, dialect)
}

/** As the database writes it: in UTF-8, with what controls a line as two characters. */
function lengthOf(literal: Literal, dialect: Dialect): number {
  const text = dialect.literal(literal)
  return bytesOf(text) + (text.match(/\p{Cc}/gu)?.length ?? 0) + 2
}
