import { postgresAvailability } from '@cadmus/testing/availability'
import { startConsole } from '@cadmus/testing/console'
import { startOwnPostgres } from '@cadmus/testing/postgres'
import { testSecret } from '@cadmus/testing/prepared'
import { expect, it } from 'vitest'

it.skipIf(!postgresAvailability().present)('a frozen database is answered 503 within five seconds', async () => {
  const postgres = await startOwnPostgres()
  const { url } = await postgres.createDatabase()
  const server = await startConsole({ env: { CADMUS_DATABASE_URL: url, CADMUS_SECRET: testSecret } })
  postgres.freeze()
  for (let time = 0; time < 2; time += 1) {
    const start = performance.now()
    expect((await fetch(`${server.url}/ready`)).status).toBe(503)
    expect(performance.now() - start).toBeLessThan(5000)
  }
  postgres.thaw()
  await server.stop()
  await postgres.stop()
})
