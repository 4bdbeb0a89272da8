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

it.skipIf(!postgresAvailability().present)(
  'a start on a taken port fails with that alone',
  async () => {
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
    // What went on without the store would have failed by now.
    await wait(100)
    expect(log).toEqual([])
    other.close()
    await database.drop()
    removeFolder(dataDir)
  },
  60_000,
)
