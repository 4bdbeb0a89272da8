import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { SqlExport } from '@cadmus/model/sql-export'
import { databaseStatements } from '@cadmus/sql/script'
import type { Schema } from '@cadmus/sql/tree'
import { expect } from 'vitest'
import { readArchive, writeArchive } from '../archive.ts'
import { schemaWriter } from '../ddl/export.ts'
import { readSqlScripts } from '../ddl/read.ts'
import { placedModel } from '../placed-model.ts'
import { comparableTables } from './comparable-schema.ts'

// For tests only.

/** Exports the model with options and imports its zip; another export with the options must give the same schema. Returns its tables. */
export function expectSameAgain(
  resolvedModel: ResolvedModel,
  databaseType: DatabaseType,
  sqlExport: Partial<SqlExport>,
  applyAutoIncrement = true,
): number {
  const options = { databaseType, applyAutoIncrement, sqlExport }
  const { schema } = databaseStatements(resolvedModel, databaseType, options)
  const isRenamed = sqlExport.naming !== undefined || sqlExport.tablePrefix !== undefined
  if (schema.tables.length === 0 || (isRenamed && !resolvedModel.entities.every(isNameable))) return 0
  const { files } = schemaWriter.write({ resolvedModel }, options)
  const model = readSqlScripts(readArchive(writeArchive(files)))
  const again = databaseStatements(placedModel(model), databaseType, options)
  const isUnsure = databaseType === 'hsql' ? jsonColumns(schema) : new Set<string>()
  const compared = (one: Schema) => comparable(one, databaseType, sqlExport, isUnsure)
  expect(compared(again.schema)).toEqual(compared(schema))
  expect(model.report.filter(({ kind }) => kind === 'lost')).toEqual([])
  return schema.tables.length
}

/** An unpaired surrogate can be written in no script. */
function isNameable({ name }: EntityNode): boolean {
  return name.isWellFormed()
}

/** Names of ten thousand characters fit neither a line nor a model. */
const endless = /(?<=["0])(?:T|app_)*(?:a[ _]name[ _]that|long[ _]name[ _]long)[^"\\]*/gi

/** The places of columns that HSQLDB stores as text. */
function jsonColumns({ tables }: Schema): Set<string> {
  const json = tables.flatMap(({ columns }, table) =>
    columns.flatMap(({ type }, at) => (type.kind === 'json' ? [`${table} ${at}`] : [])),
  )
  return new Set(json)
}

function comparable(
  schema: Schema,
  type: DatabaseType,
  { guards, choices }: Partial<SqlExport>,
  unsure: ReadonlySet<string>,
): unknown {
  const tables = comparableTables(schema, type).map((table, at) => {
    const { columns = [], choices: rows = [] } = schema.tables[at] ?? {}
    const own = columns.flatMap(column =>
      column.choices ? [{ column: column.name, values: column.choices.values }] : [],
    )
    const checks = [...table.checks, ...own]
    const checked = new Set(checks.map(({ column }) => column))
    return {
      ...table,
      rows: rows.map(({ value }) => value),
      columns: table.columns.map((column, index) => {
        // A type of its own has no length. Without guards, the types that a database lacks are those that stand for them.
        const isOther = guards === 'off' || (choices === 'native' && checked.has(column.name))
        return { ...column, ...((isOther || unsure.has(`${at} ${index}`)) && { type: null, default: null }) }
      }),
      checks: guards === 'off' ? null : checks.toSorted((a, b) => (a.column < b.column ? -1 : 1)),
    }
  })
  return JSON.parse(JSON.stringify(tables).replaceAll(endless, 'endless'))
}
