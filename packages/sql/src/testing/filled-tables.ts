import type { Literal } from '@cadmus/model/values/literal'
import { pairsOf } from '../alter-pairs.ts'
import { isCopied } from '../alter-conversions.ts'
import type { Dialect } from '../dialect.ts'
import type { Column, ColumnType, Schema, Table } from '../tree.ts'
import type { Runner } from './runners.ts'

// For tests only: tables with records, and the values that an alteration must keep.

const rowsOfTable = 4

/** Inserts records as far as the keys allow; returns their number. */
export async function fill(runner: Runner, { tables }: Schema, dialect: Dialect): Promise<number> {
  let inserted = 0
  await runner.begin()
  for (const table of tables) {
    for (let number = 1; number <= rowsOfTable; number += 1) {
      await runner.make(['SAVEPOINT one'])
      try {
        await runner.make([insertOf(table, number, dialect)])
        inserted += 1
      } catch {
        await runner.make(['ROLLBACK TO SAVEPOINT one'])
      }
      await runner.make(['RELEASE SAVEPOINT one'])
    }
  }
  await runner.commit()
  return inserted
}

/** Reads the columns shared by both schemas, before or after an alteration: by table, each record as a text. */
export function sharedRows(runner: Runner, before: Schema, after: Schema, dialect: Dialect) {
  const { pairs } = pairsOf(before, after)
  const columns = pairs.map(pair =>
    pair.columns.filter(one => isCopied(one) && !(one.before.nullable && !one.after.nullable && one.after.default)),
  )
  const read = async (of: 'before' | 'after') => {
    const records: string[][] = []
    for (const [index, pair] of pairs.entries()) {
      const own = columns[index]?.map(one => dialect.quote(one[of].name)) ?? []
      const text = `SELECT ${['1', ...own].join(', ')} FROM ${dialect.quote(pair[of].name)}`
      const rows = await runner.run({ text, parameters: [], answers: 'rows' })
      records.push(rows.map(row => JSON.stringify(row.map(comparable))).toSorted())
    }
    return records
  }
  return { before: () => read('before'), after: () => read('after') }
}

function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function insertOf(table: Table, number: number, dialect: Dialect): string {
  const foreignKeyColumns = new Set(table.foreignKeys.flatMap(({ columns }) => columns))
  const columns = table.columns.filter(
    ({ name, nullable, identity }) => !identity && !(foreignKeyColumns.has(name) && nullable),
  )
  if (columns.length === 0) return `INSERT INTO ${dialect.quote(table.name)} DEFAULT VALUES`
  const values = columns.map(column => valueText(table, column, number, dialect))
  const names = columns.map(({ name }) => dialect.quote(name))
  return `INSERT INTO ${dialect.quote(table.name)} (${names.join(', ')}) VALUES (${values.join(', ')})`
}

function valueText(table: Table, column: Column, number: number, dialect: Dialect): string {
  if (column.nullable && number === rowsOfTable) return 'NULL'
  const choices = table.checks.find(check => check.column === column.name)?.values
  const literal = choices ? choices[number % choices.length] : literalOf(column.type, number)
  return literal ? dialect.defaultValue(literal, column.type) : 'NULL'
}

function literalOf(type: ColumnType, number: number): Literal {
  switch (type.kind) {
    case 'text':
    case 'varchar':
      if (type.isFixed) return { kind: 'text', value: `${number}`.padStart(type.length ?? 1, 'x') }
      return { kind: 'text', value: `${number}ü'"😀`.slice(0, Math.min(type.length ?? 6, 6)) }
    case 'guid':
      return { kind: 'text', value: `0190a0a0-0000-7000-8000-00000000000${number}` }
    case 'integer':
      return { kind: 'number', value: String(number) }
    case 'decimal':
      return { kind: 'number', value: type.precision === type.scale ? `0.${number}` : String(number) }
    case 'double':
      return { kind: 'number', value: `${number}.5` }
    case 'boolean':
      return { kind: 'boolean', value: number % 2 === 0 }
    case 'date':
      return { kind: 'date', value: `2024-02-0${number}` }
    case 'time':
      return { kind: 'time', value: `08:30:0${number}` }
    case 'timestamp':
    case 'instant':
      return { kind: type.kind, value: `2024-02-29T08:30:0${number}` }
    case 'json':
      return { kind: 'json', value: `{"a":${number}}` }
    case 'binary':
      return { kind: 'bytes', value: `FF0${number}` }
  }
}
