import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { scriptDatabases } from '@cadmus/sql/databases'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { writeArchive, readArchive } from '../archive.ts'
import { placedModel } from '../placed-model.ts'
import { generatedColumns, comparableTables } from '../testing/comparable-schema.ts'
import { readSqlScripts } from './read.ts'

it.each(scriptDatabases)(
  'Decisions 7: %s scripts of generated models are read back to the schema that they were written from',
  type => {
    const count = proofCount('sql_read', 10, 500)
    const started = performance.now()
    let tables = 0
    for (let seed = proofSeed(); seed < proofSeed() + count; seed += 1) {
      const resolvedModel = arbitraryModel(seed, { crowds: true })
      const options = { applyAutoIncrement: seed % 2 === 0 }
      const { sql } = databaseScript(resolvedModel, type, options)
      const { schema } = databaseStatements(resolvedModel, type, options)
      if (schema.tables.length === 0) continue
      const model = readSqlScripts(readArchive(writeArchive(new Map([['Root.sql', sql]]))))
      const back = databaseStatements(placedModel(model), type, options)
      expect(comparableTables(back.schema, type), `seed ${seed}`).toEqual(comparableTables(schema, type))
      expect(generatedColumns(back.schema), `seed ${seed}`).toEqual(expect.arrayContaining(generatedColumns(schema)))
      const unknown = model.report.filter(({ message }) => /not supported/.test(message))
      const unexpected = unknown.filter(({ message }) => !message.includes('Note in the script: '))
      expect(unexpected, `seed ${seed}`).toEqual([])
      tables += schema.tables.length
    }
    recordProof({
      name: `Generated ${type} scripts are read back to their schema`,
      counts: { models: count, tables },
      durationMs: performance.now() - started,
    })
  },
)
