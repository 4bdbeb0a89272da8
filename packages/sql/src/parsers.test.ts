import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { h2Availability } from '@cadmus/testing/availability'
import { startH2 } from '@cadmus/testing/h2'
import type { JdbcEngine } from '@cadmus/testing/jdbc'
import { checkScript } from '@cadmus/testing/parsers'
import { databaseScript } from './script.ts'
import { mssqlForH2, oracleForH2 } from './testing/h2-scripts.ts'
import { edgeModels } from './testing/edge-models.ts'
import { hardModels } from './testing/hard-models.ts'

// Oracle and SQL Server cannot be started here: a parser with a catalogue checks their scripts, and H2 runs them.

const options = { applyAutoIncrement: true }
const models = Object.entries({ ...hardModels, ...edgeModels })
const { present, advice } = h2Availability()

describe.each(['oracle', 'mssql'] as const)('Scripts pass the parser for %s', type => {
  it.each(models)('%s', (_model, make) => {
    const { sql } = databaseScript(make(), type, options)
    expect(checkScript(sql, type)).toEqual([])
    // SQL*Plus limits lines to 4,999 characters.
    expect(Math.max(...sql.split('\n').map(line => line.length))).toBeLessThan(5000)
  })
})

const standIns = {
  oracle: { mode: 'Oracle', adapted: oracleForH2 },
  mssql: { mode: 'MSSQLServer', adapted: mssqlForH2 },
} as const

describe.each(['oracle', 'mssql'] as const)(`H2 runs the scripts for %s ${advice}`, type => {
  describe.skipIf(!present)('in its mode', () => {
    let engine: JdbcEngine

    beforeAll(() => {
      engine = startH2(standIns[type].mode)
    })
    afterAll(() => engine?.stop())

    it.each(models)('%s', async (_model, make) => {
      const database = await engine.createDatabase()
      const script = standIns[type].adapted(databaseScript(make(), type, options).sql)
      await expect(database.execute(script)).resolves.toBeUndefined()
      await database.drop()
    })
  })
})
