import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { databaseStatements } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { describe, expect, it } from 'vitest'
import { generatorScript } from '../testing/mssql-generator.ts'
import { placedModel } from '../placed-model.ts'
import { comparableScript, generatedColumns } from '../testing/comparable-schema.ts'
import { readSqlScripts } from './read.ts'

const options = { applyAutoIncrement: true }
const generated = Object.fromEntries(
  Array.from({ length: 20 }, (_, seed) => [`model ${seed}`, () => arbitraryModel(seed)]),
)

describe("reading output of SQL Server's script generator", () => {
  it.each(Object.entries({ ...hardModels, ...generated }))(
    'SQL Server generator output is read to the same tables: %s',
    (_, make) => {
      const { schema } = databaseStatements(make(), 'mssql', options)
      if (schema.tables.length === 0) return
      // The generator writes UTF-16 with a byte-order mark.
      const bytes = new Uint8Array(Buffer.from(`\ufeff${generatorScript(schema)}`, 'utf16le'))
      const model = readSqlScripts(new Map([['script.sql', bytes]]))
      const back = databaseStatements(placedModel(model), 'mssql', options).schema
      expect(comparableScript(back, 'mssql')).toEqual(comparableScript(schema, 'mssql'))
      expect(generatedColumns(back)).toEqual(expect.arrayContaining(generatedColumns(schema)))
      expect(model.report.filter(({ level }) => level === 'warning')).toEqual([])
    },
  )
})
