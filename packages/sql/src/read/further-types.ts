import type { Context } from './context.ts'
import type { RawTable } from './read-schema.ts'
import type { SqlColumn, SqlTable } from './sql-model.ts'

/**
 * Gives further columns of foreign keys the types of the columns that they refer to: databases compare texts of different lengths and
 * numbers of different sizes, models do not. `raw`: the tables as they were read.
 */
export function withTypesOfTargets(
  context: Context,
  raw: readonly RawTable[],
  tables: readonly SqlTable[],
): readonly SqlTable[] {
  const pairs = pairsOf(tables)
  if (pairs.size === 0 || context.isOwn) return tables
  return tables.map((table, index) => {
    if (!table.columns.some(column => pairs.has(column))) return table
    context.attend(raw[index] ?? null)
    return { ...table, columns: table.columns.map(column => fitted(context, table, column, pairs.get(column))) }
  })
}

function fitted(context: Context, table: SqlTable, own: SqlColumn, target: SqlColumn | undefined): SqlColumn {
  if (!target || !differs(own, target)) return own
  const message = 'A column of a foreign key is imported with the type of the column that it refers to.'
  context.changed(own.line, message, { name: `${table.name}.${own.name}` })
  return { ...own, ...typeOf(target) }
}

function differs(own: SqlColumn, target: SqlColumn): boolean {
  const isNumber = numbers.has(own.dataType) && numbers.has(target.dataType)
  const isComparable = isNumber || (own.dataType === 'string' && target.dataType === 'string')
  const isBound = own.choices.length > 0 || (target.format === 'fixed' && own.defaultValue !== null)
  if (!isComparable || isBound) return false
  const [before, after] = [Object.values(typeOf(own)), Object.values(typeOf(target))]
  return before.some((value, at) => value !== after[at])
}

const numbers = new Set<SqlColumn['dataType']>(['integer', 'double', 'float'])

function typeOf({ dataType, format, maxLength, precision, scale }: SqlColumn) {
  return { dataType, format, maxLength, precision, scale }
}

/** The further columns that are no relationships themselves, with the ends of their keys. */
function pairsOf(tables: readonly SqlTable[]): Map<SqlColumn, SqlColumn> {
  const next = new Map<SqlColumn, SqlColumn>()
  const further: SqlColumn[] = []
  const columnsOf = newColumnIndex(tables)
  for (const [index, { columns }] of tables.entries())
    for (const column of columns) {
      const { reference } = column
      if (!reference) continue
      const target = columnsOf(reference.table, reference.column)
      if (target) next.set(column, target)
      for (const { name, target: other } of reference.further) {
        const [own, end] = [columnsOf(index, name), columnsOf(reference.table, other)]
        if (!own || !end || own.reference || next.has(own)) continue
        next.set(own, end)
        further.push(own)
      }
    }
  return new Map(further.map(own => [own, endOf(own, next)]))
}

/** Columns of the tables by name, indexed when they are first looked up. */
function newColumnIndex(tables: readonly SqlTable[]): (table: number, name: string) => SqlColumn | undefined {
  const indexes = new Map<number, Map<string, SqlColumn>>()
  return (table, name) => {
    const index = indexes.get(table) ?? new Map(tables[table]?.columns.map(column => [column.name, column]))
    indexes.set(table, index)
    return index.get(name)
  }
}

/** Shortens the chain for later calls. */
function endOf(start: SqlColumn, next: Map<SqlColumn, SqlColumn>): SqlColumn {
  const chain = new Set<SqlColumn>()
  let end = start
  for (let at: SqlColumn | undefined = start; at && !chain.has(at); at = next.get(at)) {
    chain.add(at)
    end = at
  }
  for (const column of chain) if (column !== end) next.set(column, end)
  return end
}
