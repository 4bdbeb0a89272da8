import { holds } from '@cadmus/testing/holds'
import { isProving } from '@cadmus/testing/proof'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseType } from '@cadmus/model/database-types'
import { executedOn } from '@cadmus/model/sql-export'
import { databaseScript, databaseStatements } from './script.ts'
import { edgeModels } from './testing/edge-models.ts'
import { hardModels } from './testing/hard-models.ts'
import { engines, type Engine, type Server } from './testing/engines.ts'
import { expected } from './testing/introspect.ts'
import { singleOptions } from './testing/single-options.ts'

const options = { applyAutoIncrement: true }
const runs = (['postgresql', 'mysql', 'hsql'] as const).flatMap(type =>
  Object.entries<Engine>(engines[type]).map(([name, engine]) => ({ name, type, engine })),
)

const models = Object.entries({ ...hardModels, ...edgeModels })
/** In full proofs all models; otherwise a third of them in each further server mode. */
const modelsOn = (name: string) => {
  const further = Object.keys(engines.mysql).indexOf(name)
  return further < 1 || isProving() ? models : models.filter((_, at) => (further + at) % 3 === 0)
}

for (const { name, type, engine } of runs) {
  describe.skipIf(!engine.availability.present)(`Scripts for ${type} on ${name} ${engine.availability.advice}`, () => {
    let server: Server

    beforeAll(async () => {
      server = await engine.start()
    })
    afterAll(() => server?.stop())

    it.each(modelsOn(name))('give the tables, columns and keys of the schema: %s', async (_model, make) => {
      const resolvedModel = make()
      const database = await server.createDatabase()
      try {
        await database.execute(databaseScript(resolvedModel, type, options).sql)
        const { schema } = databaseStatements(resolvedModel, type, options)
        expect(await engine.introspect(statement => database.query(statement))).toEqual(expected(schema))
      } finally {
        await database.drop()
      }
    })

    it.each(optionRuns(type, name))('give the tables with the option %s', async (_option, sqlExport, makes) => {
      for (const make of makes) {
        const database = await server.createDatabase()
        const schemaName = sqlExport.schema
        try {
          if (schemaName) await database.execute(`CREATE SCHEMA ${quoted(type)(schemaName)}`)
          await database.execute(databaseScript(make(), type, { ...options, sqlExport }).sql)
          const { schema } = databaseStatements(make(), type, { ...options, sqlExport })
          const query = (statement: string) => database.query(schemaName ? inSchema(statement, schemaName) : statement)
          expect(await engine.introspect(query)).toEqual(expected(schema))
        } finally {
          if (schemaName && type === 'mysql') await database.execute(`DROP SCHEMA ${quoted(type)(schemaName)}`)
          await database.drop()
        }
      }
    })

    it('generate keys from 1 with auto-increment, and accept inserted keys without it', holds('M2.176'), async () => {
      for (const applyAutoIncrement of [true, false]) {
        const database = await server.createDatabase()
        await database.execute(databaseScript(hardModels['inheritance']!(), type, { applyAutoIncrement }).sql)
        const table = type === 'mysql' ? '`account`' : '"account"'
        const [name, key, rank, version] = ['Name', 'accountId', 'rank', 'version'].map(quoted(type))
        const insert = (place: string) =>
          database.execute(
            `insert into ${table} (${name}, ${rank}, ${version}${place}) values ('a', 1, 1${place === '' ? '' : ', 7'})`,
          )
        await (applyAutoIncrement ? insert('') : insert(`, ${key}`))
        const [row] = await database.query(`select ${key} as "k" from ${table}`.replaceAll('"k"', quoted(type)('k')))
        expect(Number(row?.['k'])).toBe(applyAutoIncrement ? 1 : 7)
        await database.drop()
      }
    })

    it('preserve defaults and enforce choices and lengths', async () => {
      const database = await server.createDatabase()
      await database.execute(databaseScript(hardModels['data-types']!(), type, options).sql)
      const quote = quoted(type)
      const required = ['code', 'tooLong'].map(quote).join(', ')
      const table = quote('Everything')
      await database.execute(`insert into ${table} (${required}) values ('c1', 'a')`)
      const [row] = await database.query(
        `select ${quote('title')}, ${quote('whole')} as ${quote('whole')} from ${table}`,
      )
      expect([row?.['title'], String(row?.['whole'])]).toEqual(["it's a \\ default", '9223372036854775807'])
      const refused = (column: string, value: string) =>
        expect(
          database.execute(`insert into ${table} (${required}, ${quote(column)}) values ('c2', 'a', ${value})`),
        ).rejects.toThrow()
      await refused('status', "'closed'")
      await refused('rating', '4')
      await database.execute(
        `insert into ${table} (${required}, ${quote('status')}) values ('c3', 'a', ${backslashed(type, 'back', 'slash')})`,
      )
      await database.drop()
    })
  })
}

/** Each option alone; in full proofs with all models, otherwise with one for each. Server modes make no difference. */
function optionRuns(type: DatabaseType, name: string) {
  if (Object.keys(engines.mysql).indexOf(name) > 0) return []
  const executed = singleOptions(type).filter(([, sqlExport]) => executedOn(type, sqlExport) !== null)
  return executed.map(([option, sqlExport], at) => {
    const some = isProving() ? models : [models[at % models.length] ?? models[0]]
    return [option, sqlExport, some.flatMap(model => (model ? [model[1]] : []))] as const
  })
}

/** The catalogue query of another schema. */
function inSchema(statement: string, schema: string): string {
  return statement.replaceAll(/'public'|database\(\)/gi, `'${schema}'`)
}

function quoted(type: DatabaseType): (name: string) => string {
  return name => (type === 'mysql' ? `\`${name}\`` : `"${name}"`)
}

function backslashed(type: DatabaseType, before: string, after: string): string {
  return type === 'mysql' ? `CONCAT('${before}', CHAR(92), '${after}')` : `'${before}\\${after}'`
}
