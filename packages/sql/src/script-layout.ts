import type { SqlExport } from '@cadmus/model/sql-export'
import { addForeignKeys, createIndexes, createTable } from './compiler.ts'
import { createTypes } from './choice-options.ts'
import type { Dialect } from './dialect.ts'
import { type ExistingObjects, plain } from './existing-objects.ts'
import type { Schema, Table } from './tree.ts'

export type Layout = Pick<SqlExport, 'files' | 'foreignKeys'> & { existing: ExistingObjects }

/** Statements that can run on their own, without semicolons. `name`: of a file. */
export type ScriptPart = { name: string; statements: readonly string[] }

/** The name of the part that adds the foreign keys to tables that may have rows. */
export const foreignKeyPart = 'foreign_keys'

/** The statements of an adapted schema, as the options arrange them: parts of one script, or a file for each table. */
export function scriptParts(schema: Schema, dialect: Dialect, { files, foreignKeys, existing }: Layout): ScriptPart[] {
  const isPlain = existing === plain
  const writer = isPlain ? dialect : { ...dialect, addsKeysOneByOne: true }
  const tables = schema.tables.map(table => compileTable(table, writer, existing))
  const drops = schema.tables.length === 0 ? [] : existing.drop(schema, writer)
  const types = createTypes(schema, writer).map(type => existing.type(type.sql, type.name, writer))
  const keys = tables.flatMap(table => table.foreignKeys)
  const apart = foreignKeys === 'apart' && keys.length > 0 ? keys.map(({ statement }) => statement) : []
  if (files === 'perTable' && schema.tables.length > 0) {
    const own = foreignKeys === 'apart' ? new Map<number, string[]>() : keysByFile(schema, tables)
    return nonEmpty([
      { name: 'drop', statements: drops },
      { name: 'types', statements: types },
      ...schema.tables.map((table, at) => ({
        name: table.name,
        statements: [...writer.preamble([table]), ...(tables[at]?.statements ?? []), ...(own.get(at) ?? [])],
      })),
      { name: foreignKeyPart, statements: apart },
    ])
  }
  const all = (of: keyof Omit<TableStatements, 'foreignKeys' | 'statements'>) => tables.flatMap(table => table[of])
  const main = [
    ...dialect.preamble(schema.tables),
    ...drops,
    ...types,
    ...all('created'),
    ...all('rows'),
    ...all('indexes'),
    ...(foreignKeys === 'apart' ? [] : keys.map(({ statement }) => statement)),
    ...all('comments'),
  ]
  return [{ name: '', statements: main }, ...(apart.length === 0 ? [] : [{ name: foreignKeyPart, statements: apart }])]
}

type TableStatements = {
  created: string[]
  rows: string[]
  indexes: string[]
  comments: string[]
  /** All of these, in order. */
  statements: string[]
  foreignKeys: { statement: string; targets: readonly string[] }[]
}

function compileTable(table: Table, dialect: Dialect, existing: ExistingObjects): TableStatements {
  const created = [existing.table(createTable(table, dialect), table, dialect)]
  const rows = existing.rows(table, dialect)
  const single = dialect.addsKeysOneByOne
  const indexes = (single ? table.indexes.map(index => [index]) : [table.indexes]).flatMap(some =>
    createIndexes({ name: table.name, indexes: some }, dialect).flatMap(sql =>
      existing.index(sql, table, some[0]?.name ?? '', dialect),
    ),
  )
  const foreignKeys = (single ? table.foreignKeys.map(key => [key]) : [table.foreignKeys]).flatMap(some =>
    addForeignKeys({ name: table.name, foreignKeys: some }, dialect).flatMap(sql =>
      existing.foreignKey(sql, table, some[0]?.name ?? '', dialect).map(statement => ({
        statement,
        targets: some.map(({ references }) => references.table),
      })),
    ),
  )
  const comments = existing.comments(table, dialect)
  return { created, rows, indexes, comments, statements: [...created, ...rows, ...indexes, ...comments], foreignKeys }
}

/** The foreign keys by the number of the table that is created last of those that they need. */
function keysByFile({ tables }: Schema, compiled: readonly TableStatements[]): Map<number, string[]> {
  const numbers = new Map(tables.map(({ name }, at) => [name, at]))
  const byFile = new Map<number, string[]>()
  for (const [at, { foreignKeys }] of compiled.entries()) {
    for (const { statement, targets } of foreignKeys) {
      const last = Math.max(at, ...targets.map(target => numbers.get(target) ?? at))
      byFile.set(last, [...(byFile.get(last) ?? []), statement])
    }
  }
  return byFile
}

function nonEmpty(parts: readonly ScriptPart[]): ScriptPart[] {
  return parts.filter(({ statements }) => statements.length > 0)
}
