import { postgresAvailability } from '@cadmus/testing/availability'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { startPostgres } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'

const zip = resolve(import.meta.dirname, '../../../../../shared/cdm/zips/core-applicationCommon-full.zip')
const token = 'crash-token-0123456789-0123456789-0123456789'
const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': 'CADMUS' }

/** A store that is looked at from outside, while a server works on it and when there is none. */
type Seen = { env: Record<string, string>; count: (query: string) => Promise<number>; remove: () => Promise<void> }

describe.skipIf(!existsSync(zip))('Decisions §4 a server killed in the middle of an import', () => {
  it('shows nothing of it and leaves nothing, contents neither (embedded store)', async () => {
    const dataDir = temporaryFolder('crash')
    const { before, after } = await killedInTheMiddle(dataDir, {
      env: {},
      async count(query) {
        const database = new DatabaseSync(join(dataDir, 'cadmus.sqlite'), { readOnly: true })
        const row = database.prepare(query).get()
        database.close()
        return Number(row?.['count'])
      },
      remove: async () => undefined,
    })
    expect(after).toEqual(before)
  }, 300_000)

  it.skipIf(!postgresAvailability().present)(
    'shows nothing of it and leaves nothing, contents neither (PostgreSQL)',
    async () => {
      const database = await (await startPostgres()).createDatabase()
      const { before, after } = await killedInTheMiddle(temporaryFolder('crash'), {
        env: { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) },
        count: async query => Number((await database.query(query))[0]?.['count']),
        remove: () => database.drop(),
      })
      expect(after).toEqual(before)
    },
    300_000,
  )
})

/** What an import writes, beside the job and the report that tell of it. */
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

/** How many rows there are of each before the import, and after the next server has cleaned up. */
async function killedInTheMiddle(dataDir: string, { env, count, remove }: Seen) {
  const start = () => startConsole({ dataDir, env: { ...env, CADMUS_BOOTSTRAP_TOKEN: token } })
  const half = () => count('select count(*) as count from entity where import_id > 0')
  const counts = async () => {
    const all: [string, number][] = []
    for (const table of tables) all.push([table, await count(`select count(*) as count from ${table}`)])
    return Object.fromEntries(all)
  }
  const first = await start()
  const before = await counts()
  const running = send(first)
  running.catch(() => undefined)
  await expect.poll(half, { interval: 20, timeout: 120_000 }).toBeGreaterThan(0)
  await first.kill()
  await expect(running).rejects.toThrow(/fetch failed|terminated|closed/)
  const left = await half()
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(1022)
  expect((await counts())['content']).toBeGreaterThan(before['content'] ?? 0)

  const second = await start()
  const answer = await fetch(`${second.url}/1.0/cdm/entity?filter=PRIVATE&limit=1`, { headers })
  expect(await answer.json()).toMatchObject({ totalElements: 0 })
  await expect.poll(counts, { interval: 200, timeout: 120_000 }).toEqual(before)
  const after = await counts()
  await second.stop()
  await remove()
  removeFolder(dataDir)
  return { before, after }
}

async function send({ url }: ConsoleServer): Promise<Response> {
  const form = new FormData()
  form.set('manifestFile', new Blob([readFileSync(zip)]), 'core.zip')
  return fetch(`${url}/1.0/cdm/manifest/import`, { method: 'POST', headers, body: form })
}
