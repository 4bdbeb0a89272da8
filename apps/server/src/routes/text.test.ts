import { listManifestEntities } from '@cadmus/model/contract/lists'
import { readSqlText } from '@cadmus/model/contract/text'
import { limits } from '@cadmus/model/limits'
import { printModel } from '@cadmus/model/text/print'
import { readModel } from '@cadmus/model/text/testing/at-once'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest } from '../testing/entities.ts'

const script = (database: string) =>
  readFileSync(new URL(`../../../../packages/sql/golden/references.${database}.sql`, import.meta.url), 'utf8')

describe('Reading a pasted SQL script', () => {
  let server: TestConsole
  let designer: ConsoleClient
  let id: number
  beforeAll(async () => {
    server = await startConsole()
    designer = await server.as('designer')
    id = await addManifest(server, 'Pasted')
  })
  afterAll(() => server.stop())

  const read = (sql: string) => designer.call(readSqlText, { params: { id }, body: { sql } })
  const refused = (sql: string, manifest = id) =>
    designer.refusal(readSqlText, { params: { id: manifest }, body: { sql } })

  it.each(['hsql', 'mssql', 'mysql', 'oracle', 'postgresql'])(
    'a script of %s becomes entities that are shown as a text, which is read as the same entities',
    async name => {
      const { database, entities, report, reportLines } = await read(script(name))
      expect(database).toBe(name)
      expect(reportLines).toBe(report.length)
      const shown = printModel({
        project: null,
        entities: entities.map((content, at) => ({
          id: -2 - at,
          path: '',
          content,
          isEditable: true,
          primaryKey: null,
        })),
        others: [],
      })
      const { problems, added } = readModel(shown, { project: null, entities: [], others: [] })
      expect(problems).toEqual([])
      const relationships = entities.flatMap(entity => entity.entityAttributes)
      expect(relationships.length).toBeGreaterThan(0)
      expect(added.map(entity => entity.uid)).toEqual(entities.map(entity => entity.uid))
      const targets = (of: typeof entities) =>
        of.flatMap(entity => entity.entityAttributes.map(one => [one.uid, one.associatedEntityTypeAttributeUid]))
      expect(targets([...added])).toEqual(targets(entities))
    },
  )

  it('reports by line what is not kept, and stores nothing', async () => {
    const { entities, report } = await read('CREATE TABLE customer (id INT PRIMARY KEY);\nCREATE VIEW v AS SELECT 1;')
    expect(entities.map(({ name, typeAttributes }) => [name, typeAttributes[0]?.purpose])).toEqual([
      ['customer', 'identifiedBy'],
    ])
    expect(report[0]?.message).toMatch(/^Read as /)
    const lost = report.filter(({ kind }) => kind === 'lost')
    expect(lost).toEqual([expect.objectContaining({ message: expect.stringMatching(/^Line 2: /) as unknown })])
    const { totalElements } = await designer.call(listManifestEntities, { params: { id }, query: {} })
    expect(totalElements).toBe(0)
  })

  it('reads the script as that of the chosen database, whatever it looks like', async () => {
    const sql = 'CREATE TABLE visit (id INT PRIMARY KEY, day DATE);'
    const dayAs = async (databaseType?: string) => {
      const { database, entities } = await designer.call(readSqlText, { params: { id }, body: { sql, databaseType } })
      return [database, entities[0]?.typeAttributes[1]?.format]
    }
    expect(await dayAs('postgres')).toEqual(['postgresql', 'date'])
    expect(await dayAs('Oracle 19c')).toEqual(['oracle', 'local'])
    const unknown = await designer.refusal(readSqlText, { params: { id }, body: { sql, databaseType: 'db2' } })
    expect([unknown.status, unknown.message]).toEqual([400, expect.stringContaining('"db2" is not a known database')])
  })

  it('refuses what creates no table, what is too long and a manifest that there is not', async () => {
    const { status, message } = await refused('Dear diary')
    expect([status, message]).toEqual([400, expect.stringContaining('"pasted.sql" creates no table.')])
    expect((await refused('')).status).toBe(400)
    expect((await refused('x'.repeat(limits.sqlText + 1))).status).toBe(400)
    expect((await refused('CREATE TABLE a (b INT);', 999_999)).status).toBe(404)
  })

  it('refuses a script whose choices would repeat to more than an answer holds', async () => {
    const columns = Array.from({ length: 400 }, (_, index) => `c${index} e`)
    const sql = `CREATE TYPE e AS ENUM ('${'x'.repeat(100_000)}');CREATE TABLE t (${columns.join()});`
    const { status, message } = await refused(sql)
    expect([status, message]).toEqual([400, expect.stringContaining('Import the script as a file')])
  })
})
