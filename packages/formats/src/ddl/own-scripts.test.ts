import { databaseTypes } from '@cadmus/model/database-types'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { placedModel } from '../testing/placed-model.ts'
import { generatedColumns, spoken } from '../testing/spoken-schema.ts'
import { readSqlScripts } from './read.ts'

const options = { applyAutoIncrement: true }

describe.each(Object.entries(hardModels))('The script of %s, read back', (_, make) => {
  it.each(databaseTypes)('has the schema that it was written from: %s', holds('M3.96'), type => {
    const closure = make()
    const { sql, notes } = databaseScript(closure, type, options)
    const model = readSqlScripts(new Map([['Shop.sql', sql]]))
    const { schema } = databaseStatements(placedModel(model), type, options)
    expect(spoken(schema, type)).toEqual(spoken(databaseStatements(closure, type, options).schema, type))
    expect(generatedColumns(schema)).toEqual(generatedColumns(databaseStatements(closure, type, options).schema))
    expect(model.name).toBe('Shop')
    // Of our own scripts every statement is known; what they say less than the model they say themselves.
    const [own, others] = [model.report.filter(isOwn), model.report.filter(line => !isOwn(line))]
    expect(others.filter(({ message }) => !message.startsWith('The name '))).toEqual([])
    expect(own.length > 0).toBe(notes.length > 0)
  })
})

function isOwn({ message }: { message: string }): boolean {
  return message.startsWith('The script itself says: ')
}
