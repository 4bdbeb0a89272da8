import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startConsole } from '@cadmus/testing/console'
import { startOwnPostgres, type PostgresServer } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'

/**
 * Measures the search for anything over HTTP, one request at a time, in a store of 10,000 entities with 15 described attributes
 * each. `node bench/src/find.ts [entities] [sqlite | postgres]`. Prints milliseconds until the answer: median and 95th
 * percentile.
 */
const token = 'bench-token-0123456789-0123456789-0123456789'
const organisation = 'ACME'
const entities = process.argv[2] ?? '10000'
const only = process.argv[3]
const attributes = '15'
const rounds = 60
const warmUp = 10
/** Milliseconds between requests, to remain below the rate limit of fifty requests per second. */
const pace = 25
const filler = resolve(import.meta.dirname, '../../apps/server/src/testing/fill-store.ts')

const searches = {
  'one letter': 'd',
  'two letters': 'mi',
  'a word of many descriptions': 'bacedin',
  'the beginning of many words': 'bac',
  'part of names': 'edinFo',
  'an entity': 'record77',
  'all entities': 'record',
  'the target of relationships': 'record500',
  'words of descriptions': 'bacedin dicedin',
  'a document and a command': 'group7 publish again',
  nothing: 'zzzz',
}

if (only !== 'postgres') await measure('embedded SQLite')
if (only !== 'sqlite' && postgresAvailability().present) {
  const postgres = await startOwnPostgres({ durable: true })
  await measure('PostgreSQL', postgres)
  await postgres.stop()
}

async function measure(store: string, postgres?: PostgresServer): Promise<void> {
  const dataDir = temporaryFolder('find')
  const database = await postgres?.createDatabase()
  const url = database && { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) }
  const options = { dataDir, env: { ...url, CADMUS_BOOTSTRAP_TOKEN: token } }
  await (await startConsole(options)).stop()
  const place = database?.url ?? join(dataDir, 'cadmus.sqlite')
  execFileSync(process.execPath, [filler, organisation, entities, '0', place, '0', attributes, 'words'])
  // A running server does this within the hour.
  if (database) await database.execute('VACUUM ANALYZE')
  const server = await startConsole(options)
  const all: number[] = []
  for (const [name, search] of Object.entries(searches)) {
    const times: number[] = []
    let matches = 0
    for (let round = 0; round < warmUp + rounds; round++) {
      const begin = performance.now()
      const response = await fetch(`${server.url}/1.0/cdm/search?search=${encodeURIComponent(search)}`, {
        headers: { authorization: `Bearer ${token}`, 'x-organisation-code': organisation },
      })
      const answer: { matches: unknown[] } = await response.json()
      if (!response.ok) throw new Error(`A search was refused: ${JSON.stringify(answer)}`)
      if (round >= warmUp) times.push(performance.now() - begin)
      matches = answer.matches.length
      await wait(pace)
    }
    all.push(...times)
    write({ store, search: name, matches, p50: percentile(times, 0.5), p95: percentile(times, 0.95) })
  }
  write({ store, search: 'all', p50: percentile(all, 0.5), p95: percentile(all, 0.95) })
  await server.stop()
  removeFolder(dataDir)
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN) * 10) / 10
}

function write(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
