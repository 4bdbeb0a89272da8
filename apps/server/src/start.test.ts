import { postgresAvailability } from '@cadmus/testing/availability'
import { preparedDatabase, testSecret } from '@cadmus/testing/prepared'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { startServer } from './start.ts'
import { startConsole } from './testing/console.ts'

it.skipIf(!postgresAvailability().present)('a start on a taken port fails only with that error', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const database = await preparedDatabase()
  const dataDir = temporaryFolder('taken')
  const config = readConfig({
    CADMUS_PORT: String(port),
    CADMUS_DATA_DIR: dataDir,
    CADMUS_DATABASE_URL: database.url,
    CADMUS_SECRET: testSecret,
  })
  const log: string[] = []
  const started = startServer(config, { log: pino({ level: 'warn' }, { write: line => void log.push(line) }) })
  await expect(started).rejects.toMatchObject({ code: 'EADDRINUSE' })
  // Errors of work continuing without the store would have appeared by now.
  await wait(100)
  expect(log).toEqual([])
  other.close()
  await database.drop()
  removeFolder(dataDir)
})

it('the embedded store ignores leases and jobs of an ended process, regardless of the clock', async () => {
  const server = await startConsole()
  const held = (name: string) => ({ name, holder: 'a process that was killed', lease_until: Date.now() + 3_600_000 })
  const leases = ['start', 'refresh:1'].map(held)
  const { shared } = server.context.store
  await shared.insertInto('lease').values(leases).execute()
  const job = { state: 'running' as const, holder: 'a process that was killed', lease_until: Date.now() + 3_600_000 }
  const library = shared.updateTable('job').set(job).where('kind', '=', 'library')
  expect((await library.executeTakeFirst()).numUpdatedRows).toBe(1n)
  await server.restart({})
  const left = await server.context.store.shared.selectFrom('lease').select('name').execute()
  expect(left.map(({ name }) => name)).not.toContain('refresh:1')
  await server.stop()
})
