import { postgresAvailability } from '@cadmus/testing/availability'
import { type OwnPostgresServer, startOwnPostgres } from '@cadmus/testing/postgres'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresSettings } from '../testing/databases.ts'
import { DatabaseError, type Driver } from './driver.ts'
import { openDriver } from './open.ts'

describe.skipIf(!postgresAvailability().present)('outage of a PostgreSQL server', () => {
  let server: OwnPostgresServer
  let driver: Driver
  beforeAll(async () => {
    server = await startOwnPostgres()
    driver = await openDriver(postgresSettings(server.url))
    await driver.query({ text: 'CREATE TABLE thing (id BIGINT PRIMARY KEY)', parameters: [] })
  })
  afterAll(async () => {
    await driver.close()
    await server.stop()
  })

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'an outage by %s is reported as unavailable and ends by itself',
    async how => {
      const answers: string[] = []
      let isOver = false
      const asking = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          answers.push(await answerOf(driver.query({ text: 'SELECT count(*) FROM thing', parameters: [] })))
          await wait(5)
        }
      })
      while (!answers.includes('answered')) await wait(5)
      await server.restart(how, 500)
      while ((await answerOf(driver.check())) !== 'answered') await wait(50)
      const back = answers.length
      while (answers.length < back + 24) await wait(5)
      isOver = true
      await Promise.all(asking)
      expect(new Set(answers)).toEqual(new Set(['answered', 'unavailable']))
      expect(answers.slice(back + 8)).not.toContain('unavailable')
    },
  )

  it('an outage rolls back a running transaction', async () => {
    const transaction = driver.transaction(async connection => {
      await connection.query({ text: 'INSERT INTO thing (id) VALUES (1)', parameters: [] })
      await server.restart('SIGINT', 100)
      await connection.query({ text: 'INSERT INTO thing (id) VALUES (2)', parameters: [] })
    })
    expect(await answerOf(transaction)).toBe('unavailable')
    expect((await driver.query({ text: 'SELECT id FROM thing', parameters: [] })).rows).toEqual([])
  })
})

async function answerOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'answered'
  } catch (error) {
    return error instanceof DatabaseError ? error.kind : String(error)
  }
}
