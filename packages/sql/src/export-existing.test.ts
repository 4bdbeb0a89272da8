import type { DatabaseType } from '@cadmus/model/database-types'
import type { SqlExport } from '@cadmus/model/sql-export'
import { aKey, aList, anEntity, aRelationship, aResolvedModel } from '@cadmus/model/testing/builders'
import { isProving } from '@cadmus/testing/proof'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readScript } from './read/script.ts'
import { databaseScript, databaseStatements } from './script.ts'
import { edgeModels } from './testing/edge-models.ts'
import { type Engine, engines, type Server } from './testing/engines.ts'
import { hardModels } from './testing/hard-models.ts'
import { attribute } from './testing/hard-names.ts'
import { expected } from './testing/introspect.ts'

/** Tables that refer to each other and to themselves, with an index, a group and choices. */
function cycle() {
  const order = anEntity({
    name: `Order's \\ "list"`,
    typeAttributes: aList(aKey(), attribute('state', { choices: ['new', "customer's", ''], indexed: true })),
  })
  const line = anEntity({
    name: 'Line',
    description: 'A part.',
    typeAttributes: aList(aKey(), attribute('rank', { dataType: 'integer', choices: ['1', '2'] })),
    entityAttributes: [aRelationship(order, { foreignKeyTypeAttribute: 'order', nullable: true, position: 7 })],
  })
  order.entityAttributes = [
    aRelationship(line, { foreignKeyTypeAttribute: 'firstLine', nullable: true, position: 8 }),
    aRelationship(order, { foreignKeyTypeAttribute: 'parent', nullable: true, position: 9 }),
  ]
  return aResolvedModel([order, line])
}

const models = Object.entries({ cycle, ...hardModels, ...edgeModels })
const others: readonly Partial<SqlExport>[] = [
  {},
  { foreignKeys: 'apart', choices: 'table' },
  { choices: 'native', files: 'perTable', naming: 'snake' },
  { choices: 'table', files: 'perTable', foreignKeys: 'apart' },
]
/** The modes of a server make a difference to texts of statements only. */
const runs = (['postgresql', 'mysql', 'hsql'] as const).flatMap(type =>
  Object.entries<Engine>(engines[type]).map(([name, engine], at) => ({ type, name, engine, isFirst: at === 0 })),
)

for (const { type, name, engine, isFirst } of runs) {
  describe.skipIf(!engine.availability.present)(`A script on ${name} that runs twice`, () => {
    let server: Server
    beforeAll(async () => {
      server = await engine.start()
    })
    afterAll(() => server?.stop())

    const some = isProving() && isFirst ? models : models.slice(0, isFirst ? 5 : 1)
    const cases = some.flatMap(([model, make], at) =>
      (model === 'cycle' || isProving() ? others : others.slice(at % 4, (at % 4) + 1)).flatMap(options =>
        (['skip', 'drop'] as const).map(exists => ({ model, make, sqlExport: { ...options, exists } })),
      ),
    )
    it.each(cases)('leaves the same tables: $model with $sqlExport', async ({ make, sqlExport }) => {
      const database = await server.createDatabase()
      try {
        const settings = { applyAutoIncrement: true, sqlExport }
        const { scripts } = databaseScript(make(), type, settings)
        for (const _turn of [1, 2]) for (const { sql } of scripts) await database.execute(sql)
        const { schema } = databaseStatements(make(), type, settings)
        expect(await engine.introspect(statement => database.query(statement))).toEqual(expected(schema))
        for (const table of schema.tables.filter(({ choices }) => choices)) {
          const [row] = await database.query(`select count(*) as n from ${quoted(type, table.name)}`)
          expect(Number(Object.values(row ?? {})[0])).toBe(table.choices?.length)
        }
      } finally {
        await database.drop()
      }
    })

    it('keeps rows if what exists stays, and none if it is dropped', async () => {
      const database = await server.createDatabase()
      try {
        const run = (exists: SqlExport['exists']) =>
          database.execute(databaseScript(cycle(), type, { applyAutoIncrement: true, sqlExport: { exists } }).sql)
        const count = async () => {
          const [row] = await database.query(`select count(*) as n from ${quoted(type, 'Line')}`)
          return Number(Object.values(row ?? {})[0])
        }
        await run('skip')
        await database.execute(`insert into ${quoted(type, 'Line')} (${quoted(type, 'rank')}) values (1);`)
        await run('skip')
        expect(await count()).toBe(1)
        await run('drop')
        expect(await count()).toBe(0)
        await expect(run('fail')).rejects.toThrow()
      } finally {
        await database.drop()
      }
    })
  })
}

function quoted(type: DatabaseType, name: string): string {
  return type === 'mysql' ? `\`${name}\`` : `"${name.replaceAll('"', '""')}"`
}

describe('A script with options for what exists', () => {
  const scriptOf = (type: DatabaseType, sqlExport: Partial<SqlExport>) =>
    databaseScript(cycle(), type, { applyAutoIncrement: true, sqlExport })

  it('notes that a table of the same name stays as it is', () => {
    const { notes, sql } = scriptOf('postgresql', { exists: 'skip' })
    expect(notes.filter(({ code }) => code === 'existingStays')).toHaveLength(1)
    expect(sql).toContain(
      '-- One note: differences of this schema from the model.\n-- A table that exists already stays',
    )
  })

  it('has blocks of Oracle that no text of the model can end', () => {
    const choice = "~' !' ^' |' #' %' $'; DROP TABLE users; --"
    const thing = anEntity({ name: 'Thing', typeAttributes: aList(aKey(), attribute('state', { choices: [choice] })) })
    const { sql } = databaseScript(aResolvedModel([thing]), 'oracle', {
      applyAutoIncrement: true,
      sqlExport: { exists: 'skip' },
    })
    const [, mark = '', rest = ''] = /^EXECUTE IMMEDIATE q'(\S)(.*?)^END;$/ms.exec(sql) ?? []
    expect(rest.split(`${mark}'`)).toEqual([
      expect.stringContaining('CREATE TABLE'),
      expect.stringMatching(/^;\nEXCEPTION /),
    ])
    expect(readScript(sql, 'oracle').tables[0]?.columns[1]?.choices).toEqual([choice])
  })

  it('creates foreign keys in a second part, after all tables, indexes and comments', () => {
    const { scripts } = scriptOf('postgresql', { foreignKeys: 'apart' })
    const [first = '', second = ''] = scripts[0]?.sql.split('-- Second part: foreign keys.') ?? []
    expect([first.match(/FOREIGN KEY/g), second.match(/FOREIGN KEY/g)?.length]).toEqual([null, 3])
    expect(second).not.toContain('CREATE')
  })

  it('is one file for each table, with the foreign keys in the file of the later table or in the last file', () => {
    const keysOf = (sqlExport: Partial<SqlExport>) =>
      scriptOf('mssql', sqlExport).scripts.map(({ name, sql }) => [name, sql.match(/FOREIGN KEY/g)?.length ?? 0])
    expect(keysOf({ files: 'perTable' })).toEqual([
      [`Order's \\ "list"`, 1],
      ['Line', 2],
    ])
    expect(keysOf({ files: 'perTable', foreignKeys: 'apart' })).toEqual([
      [`Order's \\ "list"`, 0],
      ['Line', 0],
      ['foreign_keys', 3],
    ])
    expect(
      scriptOf('mssql', { files: 'perTable' }).scripts.every(({ sql }) => sql.startsWith('-- Database schema of')),
    ).toBe(true)
  })
})
