import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { databaseStatements } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { describe, expect, it } from 'vitest'
import { generatorScript } from '../testing/mssql-generator.ts'
import { placedModel } from '../testing/placed-model.ts'
import { generatedColumns, spoken } from '../testing/spoken-schema.ts'
import { readSqlScripts } from './read.ts'

const options = { applyAutoIncrement: true }
const generated = Object.fromEntries(
  Array.from({ length: 20 }, (_, seed) => [`model ${seed}`, () => arbitraryModel(seed)]),
)

describe("What SQL Server's script generator writes of our schemas", () => {
  it.each(Object.entries({ ...hardModels, ...generated }))('is read to the same tables: %s', (_, make) => {
    const { schema } = databaseStatements(make(), 'mssql', options)
    if (schema.tables.length === 0) return
    // Its files are UTF-16 with a mark at the beginning.
    const bytes = new Uint8Array(Buffer.from(`\ufeff${generatorScript(schema)}`, 'utf16le'))
    const model = readSqlScripts(new Map([['script.sql', bytes]]))
    const back = databaseStatements(placedModel(model), 'mssql', options).schema
    expect(spoken(back, 'mssql')).toEqual(spoken(schema, 'mssql'))
    expect(generatedColumns(back)).toEqual(expect.arrayContaining(generatedColumns(schema)))
    expect(model.report.filter(({ message }) => !message.startsWith('The name '))).toEqual([])
  })
})
