import type { Literal } from '@cadmus/model/values/literal'
import type { Dialect } from './dialect.ts'
import { bytesOf } from './names.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { Check, Column, Table } from './tree.ts'

/**
 * A table that fits into what the database keeps of its definition: the longest are left out, checks of a type before descriptions,
 * choices, defaults and, last, the lengths of texts.
 */
export function withFewerExpressions(table: Table, dialect: Dialect, notes: Notes): Table {
  const limit = dialect.limits.expressions
  if (limit === null) return table
  const drop = dropper(table.columns.map(keptLength), limit)
  const lost = drop([
    table.columns.map(column => typeCheckLength(column, dialect)),
    table.columns.map(({ comment }) => bytesOf(comment)),
    table.checks.map(check => choicesLength(check, dialect)),
    table.columns.map(column => defaultLength(column, dialect)),
    table.columns.map(column => (column.type.kind === 'text' ? checkLength(column, dialect) : 0)),
  ])
  if (!lost) return table
  const [types, comments, choices, defaults, lengths] = lost
  const unmeasured = table.columns.filter((_, index) => lengths?.has(index)).map(({ source }) => source.uid)
  if (unmeasured.length > 0) notes.takeBack('lengthAsCheck', new Set(unmeasured))
  const unchecked = new Set(table.checks.filter((_, index) => choices?.has(index)).map(({ column }) => column))
  const columns = table.columns.map((column, index) => {
    const { source } = column
    const say = (code: 'typeUnchecked' | 'commentLeftOut' | 'choicesTooLong' | 'defaultType' | 'lengthUnchecked') =>
      notes.about(code, noteTexts[code](source.name), table.source, source)
    if (types?.has(index)) say('typeUnchecked')
    if (comments?.has(index)) say('commentLeftOut')
    if (unchecked.has(column.name)) say('choicesTooLong')
    if (defaults?.has(index)) say('defaultType')
    if (lengths?.has(index)) say('lengthUnchecked')
    return {
      ...column,
      ...(types?.has(index) || lengths?.has(index) ? { unchecked: true } : {}),
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

/** What is kept of a column in any case, in bytes: its name, what the server notes of it, and the check that it gives JSON by itself. */
export function keptLength({ name, type }: Column): number {
  const length = bytesOf(name)
  return 19 + length + (type.kind === 'json' ? 'json_valid(``)'.length + 2 * length + 8 : 0)
}

/** What a text may be long is the model's word, all else only what the type means everywhere. */
function typeCheckLength(column: Column, dialect: Dialect): number {
  return column.type.kind === 'text' ? 0 : checkLength(column, dialect)
}

/** A check without a name of its own is kept under the column's. */
function checkLength({ name, type }: Column, dialect: Dialect): number {
  const check = dialect.typeCheck(type, dialect.quote(name))
  return check === null ? 0 : bytesOf(check) + bytesOf(name) + 8
}

function choicesLength({ name, column, values }: Check, dialect: Dialect): number {
  const listed = values.reduce((sum, value) => sum + lengthOf(value, dialect), 0)
  return listed + bytesOf(name) + bytesOf(column) + 20
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
