import { describe, expect, it } from 'vitest'
import { postgresAvailability } from './availability.ts'
import { isAlive } from './children.ts'
import { startOwnPostgres, startPostgres } from './postgres.ts'

const postgres = postgresAvailability()

describe.skipIf(!postgres.present)(`PostgreSQL ${postgres.advice}`, () => {
  it('is shared and provides a separate database for each test', async () => {
    const server = await startPostgres()
    const [one, two] = [await server.createDatabase(), await server.createDatabase()]
    await one.execute('CREATE TABLE "Ünal" (id int); INSERT INTO "Ünal" VALUES (7)')
    expect(await one.query('SELECT id FROM "Ünal" WHERE id = $1', [7])).toEqual([{ id: 7 }])
    await expect(two.query('SELECT * FROM "Ünal"')).rejects.toThrow('does not exist')
    expect(Number(server.version.split('.')[0])).toBeGreaterThanOrEqual(13)
    await Promise.all([one.drop(), two.drop()])
  })

  it('returns the same server to all callers', async () => {
    const servers = await Promise.all([startPostgres(), startPostgres()])
    expect(servers[0].url).toBe(servers[1].url)
  })

  it('stops with its processes when its owner stops it', async () => {
    const server = await startOwnPostgres({ durable: true })
    const database = await server.createDatabase()
    const [row] = await database.query("SELECT pg_backend_pid() AS pid, current_setting('fsync') AS fsync")
    expect(row?.['fsync']).toBe('on')
    await server.stop()
    await expect(database.query('SELECT 1')).rejects.toThrow('ECONNREFUSED')
    expect(isAlive(Number(row?.['pid']))).toBe(false)
  })
})
