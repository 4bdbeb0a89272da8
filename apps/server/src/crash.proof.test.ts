import { postgresAvailability } from '@cadmus/testing/availability'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { recordEngine, sqliteVersion } from '@cadmus/testing/engine-versions'
import { preparedDatabase, testSecret } from '@cadmus/testing/prepared'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bootstrapToken } from './testing/console.ts'
import { type Acknowledged, lostSaves, Script, writeUntilKilled } from './testing/crash.ts'

const writers = 8
const timeout = 20_000
const kills = proofCount('crash_kills', 2, 100)
const liar = fileURLToPath(import.meta.resolve('@cadmus/testing/delaying-console'))

type Place = { dataDir: string; env: Record<string, string> }

describe('Done when: no acknowledged save is lost when the server is killed (-9) under eight writers', () => {
  it('no save is lost on the embedded store', async () => {
    recordEngine('SQLite', sqliteVersion)
    const place = { dataDir: temporaryFolder('crash'), env: { CADMUS_BOOTSTRAP_TOKEN: bootstrapToken } }
    try {
      expect(await lostInKills('embedded store', place)).toEqual([])
    } finally {
      removeFolder(place.dataDir)
    }
  })

  it.skipIf(!postgresAvailability().present)('no save is lost on PostgreSQL', async () => {
    const database = await preparedDatabase()
    const place = {
      dataDir: temporaryFolder('crash'),
      env: {
        CADMUS_BOOTSTRAP_TOKEN: bootstrapToken,
        CADMUS_DATABASE_URL: database.url,
        CADMUS_SECRET: testSecret,
      },
    }
    try {
      expect(await lostInKills('PostgreSQL', place)).toEqual([])
    } finally {
      removeFolder(place.dataDir)
      await database.drop()
    }
  })

  // The fake server's real console ends by a parent death signal, which only Linux supports.
  it.skipIf(process.platform !== 'linux')('detects a server that delays its writes', async () => {
    const place = { dataDir: temporaryFolder('crash'), env: { CADMUS_BOOTSTRAP_TOKEN: bootstrapToken } }
    try {
      const delaying = await startConsole({ ...place, program: liar })
      const done = await writeAndKill(delaying, 'Liar', 700)
      const server = await startAgain(place)
      const lost = lostSaves(done, await new Script(server.url).read(idsOf(done), done.length + 1000))
      await server.stop()
      expect(done.length).toBeGreaterThan(writers)
      expect(lost.length).toBeGreaterThan(0)
      recordProof({
        name: 'The crash proof catches a server that acknowledges before it writes',
        counts: { writers, kills: 1, acknowledged: done.length, caught: lost.length },
        durationMs: 700,
      })
    } finally {
      removeFolder(place.dataDir)
    }
  })
})

/** Kills the server repeatedly; returns lost saves, and records the proof if there are none. */
async function lostInKills(storeName: string, place: Place): Promise<string[]> {
  const started = performance.now()
  const random = randomFrom(proofSeed())
  const all: Acknowledged[] = []
  let server = await startConsole(place)
  for (let round = 0; round < kills; round++) {
    const done = await writeAndKill(server, `Round${round}`, 20 + random() * 400)
    all.push(...done)
    server = await startAgain(place)
    const lost = lostSaves(done, await new Script(server.url).read(idsOf(done), 1000))
    if (lost.length > 0) {
      await server.kill()
      return lost
    }
  }
  // Checks all saves again, because a later kill must not damage earlier ones.
  const logEntries = all.length + kills * writers + 1000
  const lost = lostSaves(all, await new Script(server.url).read(idsOf(all), logEntries))
  await server.stop()
  if (lost.length > 0) return lost
  expect(all.length).toBeGreaterThan(kills * writers)
  recordProof({
    name: `No acknowledged save is lost when the server is killed: ${storeName}`,
    counts: { writers, kills, acknowledged: all.length, lost: 0 },
    durationMs: performance.now() - started,
  })
  return []
}

/**
 * Runs eight concurrent writers and kills the server with -9 some milliseconds after all have started. Returns the
 * acknowledged saves.
 */
async function writeAndKill(server: ConsoleServer, name: string, milliseconds: number): Promise<Acknowledged[]> {
  const done: Acknowledged[] = []
  const working = Array.from({ length: writers }, (_, index) => writeUntilKilled(server.url, `${name}W${index}`, done))
  const all = Promise.all(working)
  const underWay = waitFor(
    async () => {
      if (done.length < writers) throw new Error('Not all writers have written yet.')
    },
    timeout,
    5,
  )
  // Avoids an unhandled rejection if the server ends by itself.
  underWay.catch(() => undefined)
  await Promise.race([underWay, all])
  await Promise.race([wait(milliseconds), all])
  await server.kill()
  await all
  return done
}

/** Retries, because after a kill the kernel may take a moment to release the port and locks. */
async function startAgain(place: Place): Promise<ConsoleServer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await startConsole(place)
    } catch (error) {
      if (attempt === 5) throw error
      await wait(200)
    }
  }
}

function idsOf(done: readonly Acknowledged[]): number[] {
  return done.map(save => save.id)
}

/** A seeded generator (mulberry32), so that failures can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
