import { getImportProgress, importManifest } from '@cadmus/model/contract/manifest-transfer'
import type { ImportKind } from '@cadmus/model/import-formats'
import { writeArchive } from '@cadmus/formats/archive'
import { generatedFolder } from '@cadmus/formats/testing/generated-folder'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import type { ConsoleClient } from '../testing/client.ts'

const file = (bytes: Uint8Array) => ({ manifestFile: { name: 'folder.zip', bytes: new Uint8Array(bytes) } })

const several = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, at) => make(at))

/** Varied names, because a file that compresses too well would be rejected. */
function tables(count: number, columns: number): string {
  const made = several(count, table => {
    const lines = several(columns, column => `"c${column}_${randomUUID()}" varchar(${column + 1}) NOT NULL`)
    return `CREATE TABLE t${table} (id bigint PRIMARY KEY, ${lines.join(', ')});\n`
  })
  return made.join('')
}

function models(count: number, properties: number): Map<string, string> {
  return new Map(
    several(count, model => {
      const gloopProperties = several(properties, at => ({ name: `p${at}`, type: 'string', comments: randomUUID() }))
      return [`Large/models/M${model}.model`, JSON.stringify({ name: `M${model}`, type: 'model', gloopProperties })]
    }),
  )
}

describeOnBothStores.whenProving('Limits of an import', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store, env: { CADMUS_IMPORT_SECONDS: '2', CADMUS_IMPORT_MEMORY: '32' } })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  it.each<[string, ImportKind, () => Uint8Array]>([
    ['a CDM folder', 'CDM_SCHEMA', () => generatedFolder(6000, 40)],
    ['SQL scripts', 'DATABASE_STRUCTURE', () => writeArchive(new Map([['Large.sql', tables(5000, 40)]]))],
    ['a data model', 'CDM_SCHEMA', () => writeArchive(models(5000, 40))],
  ])(
    '%s: an import that exceeds time or memory is stopped with a clear message and stores nothing',
    async (_, importAs, made) => {
      const db = console.context.store.shared
      const { id } = await db
        .selectFrom('organisation')
        .select('id')
        .where('code', '=', 'ACME')
        .executeTakeFirstOrThrow()
      const contents = () =>
        console.context.store.of(id).selectFrom('content').select('hash').where('organisation_id', '=', id).execute()
      const before = (await contents()).length
      const key = randomUUID()
      const { status, answer } = await designer.refusal(importManifest, {
        fields: { importAs },
        files: file(made()),
        query: { key },
      })
      expect([status, answer.message]).toEqual([
        400,
        expect.stringMatching(
          /^(The import took more than 2 seconds and was stopped|Reading the file exceeds the memory limit)/,
        ),
      ])
      expect(await designer.call(getImportProgress, { params: { key } })).toMatchObject({
        state: 'failed',
        message: answer.message,
      })
      expect((await contents()).length).toBe(before)
    },
  )
})
