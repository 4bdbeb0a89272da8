import { startConsole } from '@cadmus/testing/console'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'

const zip = resolve(import.meta.dirname, '../../../../../shared/cdm/zips/core-applicationCommon-full.zip')
const token = 'crash-token-0123456789-0123456789-0123456789'
const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': 'CADMUS' }

it.skipIf(!existsSync(zip))(
  'Decisions §4 a server killed in the middle of an import shows nothing of it and cleans up',
  async () => {
    const dataDir = temporaryFolder('crash')
    const env = { CADMUS_BOOTSTRAP_TOKEN: token }
    const first = await startConsole({ dataDir, env })
    const form = new FormData()
    form.set('manifestFile', new Blob([readFileSync(zip)]), 'core.zip')
    const running = fetch(`${first.url}/1.0/cdm/manifest/import`, { method: 'POST', headers, body: form })
    running.catch(() => undefined)
    await expect.poll(() => half(dataDir), { interval: 20, timeout: 60_000 }).toBeGreaterThan(0)
    await first.kill()
    await expect(running).rejects.toThrow(/fetch failed|terminated|closed/)
    const left = half(dataDir)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(1022)

    const second = await startConsole({ dataDir, env })
    const answer = await fetch(`${second.url}/1.0/cdm/entity?filter=PRIVATE&limit=1`, { headers })
    expect(await answer.json()).toMatchObject({ totalElements: 0 })
    await expect.poll(() => half(dataDir), { interval: 50, timeout: 60_000 }).toBe(0)
    await second.stop()
    removeFolder(dataDir)
  },
  // Two starts and half an import, on whatever else the machine does.
  120_000,
)

/** How many entities of imports that are not over the store holds. */
function half(dataDir: string): number {
  const database = new DatabaseSync(resolve(dataDir, 'cadmus.sqlite'), { readOnly: true })
  const row = database.prepare('select count(*) as count from entity where import_id > 0').get()
  database.close()
  return Number(row?.['count'] ?? 0)
}
