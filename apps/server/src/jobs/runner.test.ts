import { newEntityContent } from '@cadmus/model/entity'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres } from '@cadmus/testing/postgres'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Db, StoreSettings } from '../store/database.ts'
import { openStore, type Store } from '../store/store.ts'
import { insertEntities } from '../store/entity.ts'
import { removeImport } from '../store/import-run.ts'
import { insertJob, jobAt, renewJobs } from '../store/job.ts'
import { recoverJobs } from './job-recovery.ts'
import type { RunningJob } from './local-job.ts'
import { JobRunner } from './runner.ts'

const log = pino({ level: 'silent' })

describe('Jobs of several servers (embedded store)', () => {
  tests(async () => ({ settings: { kind: 'sqlite', file: ':memory:' }, drop: async () => undefined }))
})
describe.skipIf(!postgresAvailability().present)('Jobs of several servers (PostgreSQL)', () => {
  tests(async () => {
    const { url, drop } = await (await startPostgres()).createDatabase()
    return { settings: { kind: 'postgres', url }, drop }
  })
})

function tests(place: () => Promise<{ settings: StoreSettings; drop: () => Promise<void> }>) {
  let store: Store
  let drop: () => Promise<void>
  const runners: JobRunner[] = []
  beforeAll(async () => {
    const { settings, drop: end } = await place()
    drop = end
    store = openStore(settings)
    await store.migrate()
  })
  afterAll(async () => {
    await Promise.all(runners.map(runner => runner.close()))
    await store.close()
    await drop()
  })

  afterEach(() => void vi.useRealTimers())

  function newRunner(seconds = 60, of = store): JobRunner {
    const runner = new JobRunner(of, log, { slots: 2, slotsOfOrganisation: 1, seconds, tick: 50 })
    runners.push(runner)
    return runner
  }
  const job = (organisationId: number, key: string) => {
    const place = { organisationId, kind: 'import' as const, key }
    return { ...place, userId: 'someone', failed: 'It failed.' }
  }
  const untilAborted = ({ signal }: RunningJob) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

  it('many jobs of one organisation do not delay jobs of another organisation, and run one after the other', async () => {
    const runner = newRunner()
    const order: string[] = []
    const free: (() => void)[] = []
    const slow = [0, 1, 2].map(index =>
      runner.run(job(1, `many ${index}`), async () => {
        order.push(`many ${index}`)
        await new Promise<void>(done => free.push(done))
      }),
    )
    await expect.poll(() => order.length).toBe(1)
    await runner.run(job(2, 'one'), async () => void order.push('one'))
    expect(order[1]).toBe('one')
    for (let ended = 0; ended < 3; ended++) {
      await expect.poll(() => free.length).toBe(ended + 1)
      free[ended]?.()
    }
    await Promise.all(slow)
    expect(order.toSorted()).toEqual(['many 0', 'many 1', 'many 2', 'one'])
  })

  it('jobs above the queue limit are rejected immediately', async () => {
    const runner = newRunner()
    const stop = new AbortController()
    const jobs = Array.from({ length: 9 }, (_, index) =>
      runner
        .run({ ...job(3, `crowd ${index}`), callerSignal: stop.signal }, untilAborted)
        .catch((error: unknown) => error),
    )
    await expect.poll(async () => (await runner.progress(job(3, 'crowd 7')))?.state).toBe('waiting')
    expect(() => runner.admit(3)).toThrow('Too many imports are waiting')
    expect(() => runner.admit(4)).not.toThrow()
    stop.abort()
    for (const outcome of await Promise.all(jobs))
      expect(outcome).toMatchObject({ message: expect.stringMatching(/cancelled|waiting/) })
    expect(() => runner.admit(3)).not.toThrow()
  })

  it('a job that exceeds its time is stopped with a clear message', async () => {
    const runner = newRunner(0.2)
    await expect(runner.run(job(5, 'long'), untilAborted)).rejects.toThrow('took more than 0.2 seconds and was stopped')
    expect(await runner.progress(job(5, 'long'))).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Nothing was saved'),
    })
  })

  it('a job that ended in time is not reported as too slow later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const runner = newRunner(1)
    const signal = await runner.run(job(14, 'short'), async work => work.signal)
    const failing = runner.run(job(14, 'failing'), async work => {
      throw new Error('It failed.', { cause: work.signal })
    })
    const error: unknown = await failing.catch((caught: unknown) => caught)
    vi.advanceTimersByTime(1200)
    expect([signal, error instanceof Error ? error.cause : undefined]).toMatchObject([
      { aborted: false },
      { aborted: false },
    ])
  })

  it('any server reports progress of a job and cancels it; a key is used by one job at a time', async () => {
    const [here, there] = [newRunner(), newRunner()]
    const running = here.run(job(6, 'shared'), work => {
      work.report({ state: 'storing', done: 7, total: 9, message: '' })
      return untilAborted(work)
    })
    running.catch(() => undefined)
    await expect.poll(() => there.progress(job(6, 'shared'))).toMatchObject({ state: 'storing', done: 7 })
    await expect(there.run(job(6, 'shared'), async () => 1)).rejects.toThrow('running already')
    expect(await there.cancel(job(7, 'shared'))).toBe(false)
    expect(await there.cancel(job(6, 'shared'))).toBe(true)
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    expect(await there.progress(job(6, 'shared'))).toMatchObject({ state: 'cancelled' })
    expect(await there.run(job(6, 'shared'), async () => 1)).toBe(1)
  })

  it('a job of a crashed server is failed once by another server', async () => {
    const lost = { ...job(8, 'lost'), id: await store.ids.one(), holder: 'a server that is gone' }
    await insertJob(store, { ...lost, state: 'running' })
    const recover = () => recoverJobs({ store, log })
    expect(await recover()).toBe(0)
    await store.shared.updateTable('job').set({ lease_until: 1 }).where('id', '=', lost.id).execute()
    const recovered = await Promise.all([recover(), recover(), recover()])
    expect(recovered.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await newRunner().progress(lost)).toMatchObject({ state: 'failed' })
  })

  it('a suspended server stops work that another has taken over', async () => {
    const running = newRunner().run(job(9, 'slept'), untilAborted)
    running.catch(() => undefined)
    await expect.poll(async () => (await jobAt(store.shared, job(9, 'slept')))?.state).toBe('running')
    await store.shared.updateTable('job').set({ holder: 'another' }).where('organisation_id', '=', 9).execute()
    await expect(running).rejects.toThrow('cancelled')
    expect(await jobAt(store.shared, job(9, 'slept'))).toMatchObject({ state: 'running', holder: 'another' })
  })

  it('exclusive work runs on one server at a time, and again after a crash', async () => {
    const alone = { organisationId: 0, kind: 'library' as const, key: 'library', userId: '', failed: '' }
    let inside = 0
    let max = 0
    const work = async () => {
      max = Math.max(max, ++inside)
      await wait(50)
      inside--
    }
    await Promise.all([newRunner().runExclusively(alone, work), newRunner().runExclusively(alone, work)])
    expect(max).toBe(1)
    await store.shared
      .updateTable('job')
      .set({ state: 'running', holder: 'a server that is gone', lease_until: 1 })
      .where('kind', '=', 'library')
      .execute()
    await newRunner().runExclusively(alone, work)
    expect(await jobAt(store.shared, alone)).toMatchObject({ state: 'done', attempts: 3 })
  })

  it("an unstored result is stored after the outage, and the organisation's next job runs", async () => {
    const failing = failingStore(store)
    const runner = newRunner(60, failing.store)
    const first = runner.run(job(10, 'first'), async () => {
      failing.isAway = true
      throw new Error('The disk is full.')
    })
    await expect(first).rejects.toThrow('The disk is full.')
    expect(await jobAt(store.shared, job(10, 'first'))).toMatchObject({ state: 'running' })
    failing.isAway = false
    expect(await runner.run(job(10, 'second'), async () => 'done')).toBe('done')
    await expect.poll(async () => (await jobAt(store.shared, job(10, 'first')))?.state).toBe('failed')
    expect(await runner.progress(job(10, 'first'))).toMatchObject({ state: 'failed', message: 'It failed.' })
  })

  it('completed work is not reported as failed if its result could not be stored', async () => {
    const failing = failingStore(store)
    const runner = newRunner(60, failing.store)
    const done = runner.run(job(11, 'done'), async () => {
      failing.isAway = true
      return 'the result'
    })
    expect(await done).toBe('the result')
    failing.isAway = false
    await expect.poll(async () => (await jobAt(store.shared, job(11, 'done')))?.state).toBe('done')
  })

  it('partial results are removed even if the first removal failed during an outage', async () => {
    const failing = failingStore(store)
    const runner = newRunner(60, failing.store)
    const [id = 0] = await store.ids.take(1)
    const left = () => store.of(13).selectFrom('entity').select('id').where('organisation_id', '=', 13).execute()
    const failed = runner.run(job(13, 'left'), async ({ id: importId, holder }) => {
      const entity = { id, path: 'user-defined/Left', content: newEntityContent({ name: 'Left' }), importId }
      await insertEntities(store.of(13), 13, [entity], { userName: 'Test' })
      failing.isBusy = true
      await removeImport(failing.store, 13, { id: importId, holder })
    })
    await expect(failed).rejects.toThrow('The store is busy.')
    expect(await left()).toEqual([{ id }])
    failing.isBusy = false
    await expect.poll(left).toEqual([])
    await expect.poll(async () => (await jobAt(store.shared, job(13, 'left')))?.state).toBe('failed')
  })

  it('a server renews only jobs it is working on', async () => {
    const [one, other] = await store.ids.take(2)
    const holder = 'a server that forgot one'
    for (const id of [one ?? 0, other ?? 0]) {
      await insertJob(store, { ...job(12, `job ${id}`), id, holder, state: 'running' })
      await store.shared.updateTable('job').set({ lease_until: 1 }).where('id', '=', id).execute()
    }
    expect([...(await renewJobs(store, holder, [one ?? 0])).keys()]).toEqual([one])
    const leases = await store.shared
      .selectFrom('job')
      .select(['id', 'lease_until'])
      .where('holder', '=', holder)
      .execute()
    expect(leases.filter(row => row.lease_until === 1).map(row => row.id)).toEqual([other])
    await recoverJobs({ store, log })
    expect(await jobAt(store.shared, job(12, `job ${other}`))).toMatchObject({ state: 'failed' })
    await store.shared
      .updateTable('job')
      .set({ state: 'done' })
      .where('id', '=', one ?? 0)
      .execute()
  })
}

/** A store whose job writes fail while `isAway`, and whose transactions fail while `isBusy`. */
function failingStore(store: Store): { store: Store; isAway: boolean; isBusy: boolean } {
  const failing = { store, isAway: false, isBusy: false }
  const watched = (db: Db) =>
    new Proxy(db, {
      get(target, name) {
        if (failing.isAway && name === 'updateTable') throw new Error('The store is away.')
        if (failing.isBusy && name === 'transaction') throw new Error('The store is busy.')
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  failing.store = { ...store, shared: watched(store.shared), of: organisationId => watched(store.of(organisationId)) }
  return failing
}
