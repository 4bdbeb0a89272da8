import type { Literal } from '@cadmus/model/values/literal'
import type { Dialect } from './dialect.ts'
import { bytesOf } from './names.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { Column, Table } from './tree.ts'

/**
 * A table that fits into what the database keeps of its definition: the longest are left out, checks of a type before descriptions,
 * choices and defaults. The length of a text is checked in any case.
 */
export function withFewerExpressions(table: Table, dialect: Dialect, notes: Notes): Table {
  const limit = dialect.limits.expressions
  if (limit === null) return table
  const drop = dropper(
    table.columns.map(column => columnLength(column, dialect)),
    limit,
  )
  const lost = drop([
    table.columns.map(column => typeCheckLength(column, dialect)),
    table.columns.map(({ comment }) => bytesOf(comment)),
    table.checks.map(({ values }) => values.reduce((sum, value) => sum + lengthOf(value, dialect), 0)),
    table.columns.map(column => defaultLength(column, dialect)),
  ])
  if (!lost) return table
  const [types, comments, choices, defaults] = lost
  const unchecked = new Set(table.checks.filter((_, index) => choices?.has(index)).map(({ column }) => column))
  const columns = table.columns.map((column, index) => {
    const { source } = column
    const say = (code: 'typeUnchecked' | 'commentLeftOut' | 'choicesTooLong' | 'defaultType') =>
      notes.about(code, noteTexts[code](source.name), table.source, source)
    if (types?.has(index)) say('typeUnchecked')
    if (comments?.has(index)) say('commentLeftOut')
    if (unchecked.has(column.name)) say('choicesTooLong')
    if (defaults?.has(index)) say('defaultType')
    return {
      ...column,
      ...(types?.has(index) ? { unchecked: true } : {}),
      ...(comments?.has(index) ? { comment: '' } : {}),
      ...(defaults?.has(index) ? { default: null } : {}),
    }
  })
  return { ...table, columns, checks: table.checks.filter((_, index) => !choices?.has(index)) }
}

/** Drops of each list in turn the longest until all is within the limit; undefined where all is from the start. */
function dropper(kept: readonly number[], limit: number) {
  return (lists: readonly (readonly number[])[]): Set<number>[] | undefined => {
    let total = [kept, ...lists].flat().reduce((sum, length) => sum + length, 0)
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

/** What is kept of a column in any case: its name, what the server notes of it, and the check of its length. */
function columnLength(column: Column, dialect: Dialect): number {
  return 19 + bytesOf(column.name) + (column.type.kind === 'text' ? checkLength(column, dialect) : 0)
}

/** What a text may be long is the model's word, all else only what the type means everywhere. */
function typeCheckLength(column: Column, dialect: Dialect): number {
  return column.type.kind === 'text' ? 0 : checkLength(column, dialect)
}

function checkLength({ name, type }: Column, dialect: Dialect): number {
  const check = dialect.typeCheck(type, dialect.quote(name))
  return check === null ? 0 : bytesOf(check) + 20
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
