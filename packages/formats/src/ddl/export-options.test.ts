import { scriptDatabases } from '@cadmus/sql/databases'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { describe, expect, it } from 'vitest'
import { placedModel } from '../placed-model.ts'
import { comparableTables } from '../testing/comparable-schema.ts'
import { readSqlScripts } from './read.ts'

const applied = { applyAutoIncrement: true }
const renaming = [{ naming: 'snake' }, { naming: 'upper', tablePrefix: 'app_' }, { tablePrefix: 'T' }] as const

describe.each(Object.entries(hardModels))('Options that change the names of %s', (_, make) => {
  it.each(scriptDatabases)('an import restores the names of the model: %s', type => {
    const resolvedModel = make()
    const { schema: expected } = databaseStatements(resolvedModel, type, applied)
    for (const sqlExport of renaming) {
      const { sql } = databaseScript(resolvedModel, type, { ...applied, sqlExport })
      const model = readSqlScripts(new Map([['Shop.sql', sql]]))
      const { schema } = databaseStatements(placedModel(model), type, applied)
      expect(withoutEndless(comparableTables(schema, type))).toEqual(withoutEndless(comparableTables(expected, type)))
      expect(model.report.filter(({ level }) => level === 'warning')).toEqual([])
    }
  })
})

/** Names of ten thousand characters fit neither a line nor a model. */
function withoutEndless(tables: object): unknown {
  return JSON.parse(JSON.stringify(tables).replaceAll(/"(?:T|app_)?a[ _]name[ _]that[^"]{0,200}"/gi, '"endless"'))
}
