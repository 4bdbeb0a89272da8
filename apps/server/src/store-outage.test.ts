import { signInHeader } from '@cadmus/model/contract/routes'
import { getSession, refreshSession } from '@cadmus/model/contract/sso'
import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { createManifest } from '@cadmus/model/contract/manifest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { postgresAvailability } from '@cadmus/testing/availability'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { type OwnPostgresServer, type PostgresDatabase, startOwnPostgres } from '@cadmus/testing/postgres'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from './testing/browser.ts'
import { ConsoleClient } from './testing/client.ts'
import { bootstrapToken, signInAs } from './testing/console.ts'

type Answered = { status: number; retryAfter: string | null; text: string }
type Load = { answers: Answered[]; saved: Map<number, string>; stop: () => Promise<void> }

describe.skipIf(!postgresAvailability().present)('A database outage', () => {
  let postgres: OwnPostgresServer
  let database: PostgresDatabase
  let server: ConsoleServer
  beforeAll(async () => {
    // A killed database keeps acknowledged data only if it writes before acknowledging.
    postgres = await startOwnPostgres({ durable: true })
    database = await postgres.createDatabase()
    server = await startConsole({
      env: {
        CADMUS_DATABASE_URL: database.url,
        CADMUS_SECRET: '5a'.repeat(32),
        CADMUS_BOOTSTRAP_TOKEN: bootstrapToken,
      },
    })
    // Includes two database starts on a loaded machine.
  })
  afterAll(async () => {
    await server.stop()
    await postgres.stop()
  })

  const script = () =>
    new ConsoleClient(new Browser(server.url), 'bootstrap', 'ACME', { authorization: `Bearer ${bootstrapToken}` })

  /** The load may have used up the rate of the user. */
  async function readWithinRate(id: number): Promise<ReturnType<typeof getEntity.answer.parse>> {
    const response = await script().send(getEntity, { params: { id } })
    if (response.status !== 429) return getEntity.answer.parse(await response.json())
    await wait(200)
    return readWithinRate(id)
  }

  it('answers 503 with Retry-After after a restart or kill under load, recovers, and keeps every acknowledged save', async () => {
    const load = await startLoad(script, 6)
    await untilAnswered(load)
    for (const how of ['SIGINT', 'SIGKILL'] as const) {
      await postgres.restart(how, 600)
      await untilAnswered(load)
    }
    await load.stop()
    expectCalm(load)
    for (const [id, value] of load.saved) {
      const { entity } = await readWithinRate(id)
      expect(stepOf(entity.description)).toBeGreaterThanOrEqual(stepOf(value))
    }
  })

  it('answers 503 with Retry-After when frozen, and recovers', async () => {
    const load = await startLoad(script, 6)
    await untilAnswered(load)
    postgres.freeze()
    const refused = () => load.answers.filter(({ status }) => status === 503).length
    await expect.poll(refused).toBeGreaterThan(10)
    const ready = await fetch(`${server.url}/ready`)
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    postgres.thaw()
    await untilAnswered(load)
    await load.stop()
    expectCalm(load)
  })

  it('a long statement is not mistaken for a frozen database', async () => {
    const { entity } = await script().call(createEntity, { body: { entity: { name: 'Patient' } } })
    const [row] = await database.query('select organisation_id from entity where id = $1', [entity.id])
    const locking = database.execute(
      `begin; select * from entity where organisation_id = ${Number(row?.['organisation_id'])} for update; select pg_sleep(4); commit`,
    )
    await wait(300)
    const answer = await script().send(updateEntity, {
      params: { id: entity.id },
      body: { entity: { name: 'Patient', description: 'waited' } },
      ifMatch: '*',
    })
    await locking
    expect(answer.status).toBe(200)
  })

  it('signs no user out, not even one renewing the session during the outage', async () => {
    const page = { [signInHeader]: '1' }
    const { browser } = await signInAs(new Browser(server.url), 'designer')
    const client = new ConsoleClient(browser, '', undefined, page)
    for (const how of ['SIGINT', 'SIGKILL'] as const) {
      const statuses: number[] = []
      const renew = async () => {
        const { status } = await client.send(refreshSession, {})
        statuses.push(status)
        return status
      }
      let isBack = false
      const restarted = postgres.restart(how, 500).then(() => void (isBack = true))
      while (!isBack) {
        await renew()
        await wait(20)
      }
      await restarted
      // The console notices one beat later than the test.
      await expect.poll(renew).toBe(200)
      expect([...new Set(statuses)].toSorted()).toEqual([200, 503])
      expect((await client.call(getSession, {})).eccUser.username).toBe('designer')
    }
  })

  it('keeps a session renewed while the store fails after the provider has issued the next token', async () => {
    const { browser } = await signInAs(new Browser(server.url), 'designer')
    const client = new ConsoleClient(browser, '', undefined, { [signInHeader]: '1' })
    // A renewal that finishes before its connection ends is answered; the test then repeats it.
    const statuses: number[] = []
    while (statuses.length < 5 && !statuses.includes(503)) {
      statuses.push(await renewedWhileItGoes(() => client.send(refreshSession, {})))
      await expect.poll(isReady).toBe(true)
    }
    expect([...new Set(statuses)].filter(status => status !== 200)).toEqual([503])
    await expect.poll(async () => (await client.send(refreshSession, {})).status).toBe(200)
    expect((await client.call(getSession, {})).eccUser.username).toBe('designer')
  })

  const isReady = async () => (await fetch(`${server.url}/ready`)).ok

  /** Blocks the renewal at the write of the user, after the provider's answer, until the database is killed. */
  async function renewedWhileItGoes(renew: () => Promise<Response>): Promise<number> {
    const holding = database
      .execute('begin; select * from user_account for update; select pg_sleep(60)')
      .catch(() => undefined)
    const countActive = async (condition: string) =>
      (await database.query(`select 1 from pg_stat_activity where ${condition}`)).length
    await expect.poll(() => countActive("wait_event = 'PgSleep'")).toBe(1)
    const renewing = renew()
    await expect
      .poll(() => countActive("wait_event_type = 'Lock' and query like 'insert into \"user_account%'"))
      .toBe(1)
    await postgres.restart('SIGINT', 500)
    await holding
    return (await renewing).status
  }

  it('worker threads report the same error', async () => {
    const { manifest } = await script().call(createManifest, { body: { manifestName: 'Away' } })
    const validate = () => script().send(validateManifest, { params: { id: manifest.id } })
    const empty = 200
    expect((await validate()).status).toBe(empty)
    let isBack = false
    const restarted = postgres.restart('SIGINT', 600).then(() => void (isBack = true))
    const statuses: number[] = []
    while (!isBack) {
      statuses.push((await validate()).status)
      await wait(50)
    }
    await restarted
    expect(statuses.filter(status => status !== empty && status !== 503)).toEqual([])
    expect(statuses).toContain(503)
    await expect.poll(async () => (await validate()).status).toBe(empty)
  })
})

/** Starts concurrent callers, each saving and reading its own entity until stopped. */
async function startLoad(script: () => ConsoleClient, callers: number): Promise<Load> {
  const answers: Answered[] = []
  const saved = new Map<number, string>()
  let running = true
  const requested = async (ask: () => Promise<Response>): Promise<Answered> => {
    const response = await ask()
    const text = await response.text()
    const answerColumns = {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text,
    }
    if (response.status === 429) await wait(200)
    else answers.push(answerColumns)
    await wait(response.status === 503 ? 100 : 10)
    return answerColumns
  }
  const work = async (client: ConsoleClient, id: number, name: string) => {
    for (let step = 1; running; step++) {
      const value = `step ${step}`
      const body = { entity: { name, description: value } }
      const { status } = await requested(() => client.send(updateEntity, { params: { id }, body, ifMatch: '*' }))
      if (status === 200) saved.set(id, value)
      await requested(() => client.send(getEntity, { params: { id } }))
    }
  }
  const workers: Promise<void>[] = []
  for (let caller = 0; caller < callers; caller++) {
    const name = `Load${Math.random().toString(36).slice(2, 10)}`
    const { entity } = await created(script(), name)
    workers.push(work(script(), entity.id, name))
  }
  return {
    answers,
    saved,
    async stop() {
      running = false
      await Promise.all(workers)
    },
  }
}

/** Creates an entity, retrying while the load exhausts the limits. */
async function created(client: ConsoleClient, name: string) {
  for (;;) {
    const response = await client.send(createEntity, { body: { entity: { name, description: 'step 0' } } })
    if (response.status !== 429) return createEntity.answer.parse(await response.json())
    await wait(200)
  }
}

/** Waits until several consecutive calls of the load are answered. */
async function untilAnswered({ answers }: Load): Promise<void> {
  const from = answers.length
  await expect
    .poll(
      () =>
        answers
          .slice(from)
          .slice(-10)
          .filter(({ status }) => status === 200).length,
    )
    .toBe(10)
}

/** Asserts that there are only successes and 503s, each with a sentence and in time. */
function expectCalm({ answers }: Load): void {
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.filter(({ retryAfter }) => retryAfter !== '2')).toEqual([])
  expect(refused.every(({ text }) => text.includes('The database cannot be reached at the moment.'))).toBe(true)
}

function stepOf(description: string): number {
  return Number(description.replace('step ', ''))
}
