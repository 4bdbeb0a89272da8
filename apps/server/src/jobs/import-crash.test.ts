import { generatedFolder } from '@cadmus/formats/testing/generated-folder'
import { postgresAvailability } from '@cadmus/testing/availability'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { preparedDatabase } from '@cadmus/testing/prepared'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { holdImports } from '../testing/import-gate.ts'

const entities = 600
const folder = generatedFolder(entities, 12)
const token = 'crash-token-0123456789-0123456789-0123456789'
const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': 'CADMUS' }

/** A store observed from outside, with and without a running server. */
type Seen = {
  env: Record<string, string>
  count: (query: string) => Promise<number>
  /** Blocks an import that starts now. */
  hold: () => Promise<Held>
  remove: () => Promise<void>
}
/** An import blocked halfway, with some rows stored. `reached` resolves when it blocks. */
type Held = { reached: () => Promise<void>; goOn: () => Promise<void> }

const half = 'select count(*) as count from entity where import_id > 0'

describe('Decisions §4 a server killed in the middle of an import', () => {
  it('Decisions §4 no rows and contents are left of an import whose server was killed (embedded store)', async () => {
    const dataDir = temporaryFolder('crash')
    const file = join(dataDir, 'cadmus.sqlite')
    const { before, after } = await killedInTheMiddle(dataDir, {
      env: {},
      async count(query) {
        const database = new DatabaseSync(file, { readOnly: true })
        const row = database.prepare(query).get()
        database.close()
        return Number(row?.['count'])
      },
      hold: async () => holdOnceBegun(file),
      remove: async () => undefined,
    })
    expect(after).toEqual(before)
  }, 300_000)

  it.skipIf(!postgresAvailability().present)(
    'Decisions §4 no rows and contents are left of an import whose server was killed (PostgreSQL)',
    async () => {
      const database = await preparedDatabase()
      const count = async (query: string) => Number((await database.query(query))[0]?.['count'])
      const { before, after } = await killedInTheMiddle(temporaryFolder('crash'), {
        env: { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) },
        count,
        async hold() {
          const goOn = await holdImports(database)
          const reached = async () => {
            await expect.poll(() => count(half), { timeout: 120_000 }).toBeGreaterThan(0)
          }
          return { reached, goOn }
        },
        remove: () => database.drop(),
      })
      expect(after).toEqual(before)
    },
    300_000,
  )
})

/** The tables an import writes, besides job and report. */
const tables = [
  'content',
  'loose_content',
  'entity',
  'entity_reference',
  'entity_column',
  'open_reference',
  'manifest',
  'manifest_member',
  'manifest_sub_manifest',
  'audit_entry',
] as const

/** Counts rows before the import, and after the next server has cleaned up. */
async function killedInTheMiddle(dataDir: string, { env, count, hold, remove }: Seen) {
  const start = () => startConsole({ dataDir, env: { ...env, CADMUS_BOOTSTRAP_TOKEN: token } })
  const counts = async () => {
    const all: [string, number][] = []
    for (const table of tables) all.push([table, await count(`select count(*) as count from ${table}`)])
    return Object.fromEntries(all)
  }
  const first = await start()
  const before = await counts()
  const held = await hold()
  const running = send(first)
  running.catch(() => undefined)
  await held.reached()
  await first.kill()
  await held.goOn()
  await expect(running).rejects.toThrow(/fetch failed|terminated|closed/)
  const left = await count(half)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(entities)
  expect((await counts())['content']).toBeGreaterThan(before['content'] ?? 0)

  const second = await start()
  const answer = await fetch(`${second.url}/1.0/cdm/entity?filter=PRIVATE&limit=1`, { headers })
  expect(await answer.json()).toMatchObject({ totalElements: 0 })
  await expect.poll(counts, { timeout: 120_000 }).toEqual(before)
  const after = await counts()
  await second.stop()
  await remove()
  removeFolder(dataDir)
  return { before, after }
}

/** Blocks all writes once some rows were seen, so that the kill leaves exactly these. */
function holdOnceBegun(file: string): Held {
  const database = new DatabaseSync(file, { timeout: 10_000 })
  const seen = () => {
    database.exec('begin immediate')
    const count = Number(database.prepare(half).get()?.['count'])
    if (count === 0) database.exec('rollback')
    return count
  }
  return {
    reached: async () => {
      await expect.poll(seen, { timeout: 120_000 }).toBeGreaterThan(0)
    },
    goOn: async () => database.close(),
  }
}

async function send({ url }: ConsoleServer): Promise<Response> {
  const form = new FormData()
  form.set('manifestFile', new Blob([new Uint8Array(folder)]), 'made-up.zip')
  return fetch(`${url}/1.0/cdm/manifest/import`, { method: 'POST', headers, body: form })
}
