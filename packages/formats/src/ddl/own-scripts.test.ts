import { scriptDatabases } from '@cadmus/sql/databases'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { placedModel } from '../placed-model.ts'
import { generatedColumns, comparableTables } from '../testing/comparable-schema.ts'
import { readSqlScripts } from './read.ts'

const options = { applyAutoIncrement: true }

describe.each(Object.entries(hardModels))('reading back the script of %s', (_, make) => {
  it.each(scriptDatabases)(
    'our own scripts are read back to the schema that they were written from: %s',
    holds('M3.96'),
    type => {
      const resolvedModel = make()
      const { sql, notes } = databaseScript(resolvedModel, type, options)
      const model = readSqlScripts(new Map([['Shop.sql', sql]]))
      const { schema } = databaseStatements(placedModel(model), type, options)
      expect(comparableTables(schema, type)).toEqual(
        comparableTables(databaseStatements(resolvedModel, type, options).schema, type),
      )
      expect(generatedColumns(schema)).toEqual(
        generatedColumns(databaseStatements(resolvedModel, type, options).schema),
      )
      expect(model.name).toBe('Shop')
      // Every statement of our own scripts is supported; the only report lines are the notes that the scripts contain.
      expect(model.report.filter(({ level }) => level === 'warning')).toEqual([])
      expect(model.report.some(isOwn)).toBe(notes.length > 0)
    },
  )
})

function isOwn({ message }: { message: string }): boolean {
  return message.includes('Note in the script: ')
}
