import { execFileSync } from 'node:child_process'
import { writeFileSync, mkdirSync } from 'node:fs'
import { startConsole } from '@cadmus/testing/console'
import { startOwnPostgres } from '@cadmus/testing/postgres'
const token = 'bench-token-0123456789-0123456789-0123456789'
const filler = '/work/srv/apps/server/src/testing/fill-store.ts'
const postgres = await startOwnPostgres({ durable: true })
for (const kind of ['sqlite', 'postgres']) {
  const dataDir = `/tmp/srv/data-${kind}`
  mkdirSync(dataDir, { recursive: true })
  const database = kind === 'postgres' ? await postgres.createDatabase() : undefined
  const url = database && { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) }
  await (await startConsole({ dataDir, env: { ...url, CADMUS_BOOTSTRAP_TOKEN: token } })).stop()
  const out = execFileSync(process.execPath, [filler, 'ACME', '50000', '10000', database?.url ?? `${dataDir}/cadmus.sqlite`])
  if (database) await database.execute('VACUUM ANALYZE')
  writeFileSync(`/tmp/srv/${kind}.json`, JSON.stringify({ url: database?.url, out: out.toString() }))
}
console.log('ready')
setTimeout(async () => { await postgres.stop(); process.exit(0) }, 45 * 60_000)
