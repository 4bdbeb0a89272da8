import { gzipSync } from 'node:zlib'
import * as z from 'zod'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArchive, writeArchive } from '@cadmus/formats/archive'
import { getEntity } from '@cadmus/model/contract/entity'
import { listManifestEntities, listManifestLogs, listManifests } from '@cadmus/model/contract/manifest'
import {
  downloadImportReport,
  exportManifest,
  importManifest,
  validateManifest,
} from '@cadmus/model/contract/manifest-transfer'
import { scriptDatabases } from '@cadmus/sql/databases'
import { databaseScript } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

const sales = `
CREATE TABLE customer (id serial PRIMARY KEY, name varchar(80) NOT NULL, tier varchar(10) DEFAULT 'new' CHECK (tier IN ('new', 'old')));
CREATE TABLE "order" (id bigint PRIMARY KEY, customer_id int NOT NULL REFERENCES customer ON DELETE CASCADE, CHECK (id / 2 > customer_id));
COMMENT ON TABLE "order" IS 'What was bought.';
CREATE VIEW v AS SELECT 1;
`

describeOnBothStores.whenProving('Import of a database schema', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  const zipOf = (name: string, script: string) => writeArchive(new Map([[`${name}.sql`, script]]))
  const form = (bytes: Uint8Array, importAs = 'DATABASE_STRUCTURE') => ({
    fields: { importAs },
    files: { manifestFile: { name: 'sales-postgresql.zip', bytes } },
  })

  it(
    'creates entities from tables and relationships from foreign keys, and reports the rest by line',
    holds('M3.96', 'M7.43', 'M7.44'),
    async () => {
      const answer = await designer.call(importManifest, form(zipOf('Sales', sales)))
      expect(answer.message).toBe("Manifest 'Sales' successfully imported")
      expect(answer.counts).toEqual({ files: 1, entities: 2, manifests: 1, relationships: 1 })
      expect(answer.report.map(({ severity, path, message }) => `${severity} ${path} ${message}`)).toEqual([
        'info  Read as PostgreSQL.',
        'info  Read: 2 tables, 5 columns, 2 primary keys, 1 foreign key, 2 checks, 1 default value, 1 comment.',
        'info  Imported: 2 entities, 4 attributes, 1 relationship, 2 primary keys, 1 check, 1 default value, 1 comment.',
        'info  Not imported: 1 check.',
        'info  Listed below: 0 to mend before an export, 2 lost, 0 changed.',
        "warning Sales.sql Line 3: The check (id / 2 > customer_id) of table 'order' is ignored.",
        "warning Sales.sql Line 5: Views are not imported: 'v'.",
      ])
      const { entity } = await designer.call(listManifestEntities, { params: { id: answer.manifest.id } })
      expect(entity.map(({ name }) => name)).toEqual(['customer', 'order'])
      const read = async (index: number) => {
        return (await designer.call(getEntity, { params: { id: entity[index]?.id ?? 0 } })).entity
      }
      const [customer, order] = [await read(0), await read(1)]
      expect(customer.typeAttributes).toMatchObject([
        { name: 'id', dataType: 'integer', purpose: 'identifiedBy' },
        { name: 'name', maxLength: 80, nullable: false },
        { name: 'tier', choices: ['new', 'old'], defaultValue: 'new' },
      ])
      expect(order).toMatchObject({
        description: 'What was bought.',
        path: 'user-defined/Sales/order',
        entityAttributes: [
          { foreignKeyTypeAttribute: 'customer_id', associatedEntity: { id: customer.id }, onDelete: 'cascade' },
        ],
      })
      const { manifestLogs } = await designer.call(listManifestLogs, { query: { actionType: 'CREATE', limit: 1 } })
      expect(JSON.stringify(manifestLogs)).toContain('Sales')
    },
  )

  it.each(scriptDatabases)('exports the imported script again: %s', holds('M3.96'), async databaseType => {
    const make = hardModels['references']
    if (!make) throw new Error('There is no such model.')
    const { sql } = databaseScript(make(), databaseType, { applyAutoIncrement: true })
    const name = `Own_${databaseType}`
    const { manifest } = await designer.call(importManifest, form(zipOf(name, sql)))
    expect(manifest.name).toBe(name)
    const params = { id: manifest.id }
    const { problems } = await designer.call(validateManifest, { params })
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    const { bytes } = await designer.download(exportManifest, { params, body: { databaseType } })
    const requireExport = Buffer.from(readArchive(bytes).get(`${name}.sql`) ?? '').toString()
    expect(statements(requireExport)).toEqual(statements(sql))
  })

  it('reports equal findings once, with all places in the download', async () => {
    const view = (name: string) => `CREATE VIEW ${name} AS SELECT 1;\n`
    const files = { '2.sql': view('b'), '10.sql': view('d') + view('c'), 'readme.md': '' }
    const tables = { '1.sql': 'CREATE TABLE event (day boolean PRIMARY KEY);', '0.down.sql': 'DROP TABLE event;' }
    const bytes = writeArchive(new Map(Object.entries({ ...files, ...tables })))
    const { report, key } = await designer.call(importManifest, { query: { databaseType: 'psql' }, ...form(bytes) })
    const views = 'Views are not imported'
    const problem = 'The primary key day of event is boolean: it must be an integer or a string.'
    expect(report.slice(4).map(({ kind, count, path, message }) => [kind, count, path, message])).toEqual([
      ['problem', undefined, '1.sql', `Line 1: ${problem}`],
      ['lost', 3, '', `3 × ${views}: 'b' (2.sql line 1), 'd' (10.sql line 1), 'c' (10.sql line 2)`],
      ['note', undefined, '0.down.sql', 'The file is not read: it undoes a migration.'],
      ['note', undefined, 'readme.md', 'The file is not read: it is no SQL script.'],
    ])
    const download = async (format: 'text' | 'json') =>
      Buffer.from(
        (await designer.download(downloadImportReport, { params: { key }, query: { format } })).bytes,
      ).toString()
    expect(await download('text')).toContain(`lost: 10.sql: Line 2: ${views}: 'c'.\n`)
    const lines = z.array(z.looseObject({})).parse(JSON.parse(await download('json')))
    expect(lines).toHaveLength(report.length)
    expect(lines[5]).toMatchObject({
      ...report[5],
      places: [
        { path: '2.sql', line: 1, name: 'b' },
        { path: '10.sql', line: 1, name: 'd' },
        { path: '10.sql', line: 2, name: 'c' },
      ],
    })
  })

  it('reads a script by itself, plain or compressed, and names the manifest after the file', async () => {
    const script = 'CREATE TABLE visit (id INT PRIMARY KEY);'
    const nameOf = async (name: string, bytes: Uint8Array) => {
      const { manifest, counts } = await designer.call(importManifest, {
        fields: { importAs: 'DATABASE_STRUCTURE' },
        files: { manifestFile: { name, bytes } },
      })
      return [manifest.name, counts.entities]
    }
    expect(await nameOf('north clinic.sql', Buffer.from(script))).toEqual(['north_clinic', 1])
    expect(await nameOf('South.sql.gz', gzipSync(script))).toEqual(['South', 1])
    const asCdm = { files: { manifestFile: { name: 'a.sql', bytes: Buffer.from(script) } } }
    expect((await designer.refusal(importManifest, asCdm)).answer.message).toContain('This is not a zip archive')
    const json = { files: { manifestFile: { name: 'a.json', bytes: Buffer.from('{}') } } }
    expect((await designer.refusal(importManifest, json)).status).toBe(415)
  })

  it('reads the scripts as those of the chosen database', async () => {
    const script = 'CREATE TABLE visit (id INT PRIMARY KEY, day DATE);'
    const dayAs = async (databaseType: string) => {
      const { manifest } = await designer.call(importManifest, {
        query: { databaseType },
        ...form(zipOf(`Visits_${databaseType}`, script)),
      })
      const [listed] = (await designer.call(listManifestEntities, { params: { id: manifest.id } })).entity
      const { entity } = await designer.call(getEntity, { params: { id: listed?.id ?? 0 } })
      return entity.typeAttributes[1]?.format
    }
    expect([await dayAs('psql'), await dayAs('oracle')]).toEqual(['date', 'local'])
    const input = { query: { databaseType: 'db2' }, ...form(zipOf('Visits', script)) }
    expect((await designer.refusal(importManifest, input)).status).toBe(400)
  })

  it('unreadable SQL input is rejected with file, line and column, and nothing is stored', holds('M7.44'), async () => {
    const query = { filter: 'PRIVATE' as const, limit: 1 }
    const before = (await designer.call(listManifests, { query })).totalElements
    const refused = async (bytes: Uint8Array, importAs?: string) => {
      const { status, answer } = await designer.refusal(importManifest, form(bytes, importAs))
      return `${status} ${answer.message}`
    }
    expect(await refused(zipOf('Sales', 'CREATE TABLE t (\n a int;'))).toBe(
      "400 \"Sales.sql\", line 2, column 7: ')' is expected, but there is ';'.",
    )
    expect(await refused(zipOf('Sales', 'SELECT 1;'))).toBe('400 "Sales.sql" creates no table.')
    expect(await refused(writeArchive(new Map([['a.txt', 'x']])))).toBe('400 The archive has no .sql file.')
    expect(await refused(zipOf('Sales', sales), 'ANYTHING')).toBe(
      '400 A manifest is imported as CDM_SCHEMA or DATABASE_STRUCTURE.',
    )
    expect((await designer.call(listManifests, { query })).totalElements).toBe(before)
  })
})

/** The statements of a script without its notes. */
function statements(sql: string): string[] {
  return sql
    .split(/;\n/)
    .map(statement => statement.replace(/^(?:--.*\n|\n)*/, ''))
    .filter(statement => statement !== '' && !statement.startsWith('--'))
}
