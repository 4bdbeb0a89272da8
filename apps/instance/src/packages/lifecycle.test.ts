import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import {
  type Effect,
  type HostedPackage,
  isBusy,
  type PackageEvent,
  reportOf,
  type Request,
  step,
  storedOf,
  storedPackage,
  type Target,
} from './lifecycle.ts'
import { noLoss, type StoredState, type TargetState, type Version, versionOf } from './package-folder.ts'

const depth = 7
const failure = { reason: 'It failed.', steps: [] }

function versionAt(number: number, requested: TargetState = 'STARTED'): Version {
  const own = { id: 'acme.shop', owner: null, contextPath: '/shop', stateOnStartup: 'started', database: 'shop' }
  const file = `${number}.package`
  return { ...own, ...noLoss, file, version: `${number}.0.0`, hasStarted: number === 1, requested, warnings: [] }
}

/** A package, its disk and its engines. The runner does the same with real ones. */
type World = {
  readonly state: HostedPackage
  readonly disk: StoredState
  /** Files of running engines; `opened`: not answering yet. */
  readonly answering: string | null
  readonly opened: string | null
  readonly isGateClosed: boolean
  /** The pending effect, at most one besides draining. */
  readonly work: Effect | null
  readonly isDraining: boolean
  readonly isRetryScheduled: boolean
  readonly uploads: number
  readonly isRemoved: boolean
}

function worldOf(disk: StoredState): World {
  const none = {
    answering: null,
    opened: null,
    isGateClosed: false,
    work: null,
    isDraining: false,
    isRetryScheduled: false,
  }
  const world = { state: storedPackage(disk), disk, ...none, uploads: 2, isRemoved: false }
  return after(world, { type: 'requested', request: { type: 'restore' } })
}

/** `isFull`: the disk refuses states. */
function after(world: World, event: PackageEvent, isFull = false): World {
  let [state, effects] = step(world.state, event)
  if (state === world.state && effects.length === 0) return world
  let { disk } = world
  const stored = storedOf(state)
  if (state.target.state !== 'closed' && JSON.stringify(stored) !== JSON.stringify(disk)) {
    if (isFull && event.type === 'committing')
      return after(world, { type: 'fault', error: failure, isRetryable: false })
    if (isFull) [state, effects] = step(world.state, { type: 'refused', event, error: failure })
    else disk = stored
  }
  const work = isEnd(event) ? null : world.work
  const isRetryScheduled = world.isRetryScheduled && event.type !== 'retryDue'
  const isDraining = world.isDraining && event.type !== 'drained'
  let next: World = { ...world, state, disk, work, isDraining, isRetryScheduled }
  for (const effect of effects) next = execute(next, effect, isFull)
  assertInvariants(next)
  return next
}

function isEnd({ type }: PackageEvent): boolean {
  return !['requested', 'next', 'retryDue', 'changing', 'drained', 'waiting', 'committing'].includes(type)
}

function execute(world: World, effect: Effect, isFull: boolean): World {
  const { state, disk } = world
  if (typeof effect !== 'string' && effect.type === 'drop') {
    assert(effect.file !== disk.file && effect.file !== disk.before?.file)
    return world
  }
  switch (effect) {
    case 'next':
      return after(world, { type: 'next' }, isFull)
    case 'drain':
      assert(!world.isGateClosed)
      return { ...world, isGateClosed: true, isDraining: true }
    case 'openGate':
      return { ...world, isGateClosed: false }
    case 'swap':
      assert(world.opened !== null)
      return { ...world, answering: world.opened, opened: null }
    case 'discard':
      return { ...world, opened: null }
    case 'resetRetries':
    case 'retryLater':
      return { ...world, isRetryScheduled: effect === 'retryLater' }
    default:
      // The preview of a loaded version is in the background.
      if (typeof effect !== 'string' && !isBusy(state)) return world
      assert(world.work === null)
      return { ...world, work: effect, answering: effect === 'stop' ? null : world.answering }
  }
}

/** Compared by `assert`, which is much faster than `expect`. */
function assertInvariants({ state, disk, answering, isGateClosed, work, isRetryScheduled }: World): void {
  const { active, target, former } = state
  if (target.state === 'closed') return
  const answer = reportOf(state, [])
  const isRetrying = active?.state === 'retrying' || target.state === 'retrying'
  const isExplained = state.refusal !== null || answer.status.endsWith('_FAILED')
  const ignored = (['next', 'retryDue'] as const).every(type => step(state, { type })[0] === state)
  const facts = {
    answers: answering,
    isGateClosed,
    // A restart finds the version that answered, and beside it one that may have changed the tables.
    isActiveStored: active === null || active.version.file === disk.file || active.version.file === disk.before?.file,
    stored: disk.file,
    isBusy: isBusy(state),
    isRetryScheduled: isRetryScheduled && !isBusy(state),
    // A commit ends the replacement.
    isUncommitted: former === null || target.state === 'loading' || isOpening(target),
    runningVersion: answer.runningVersion,
    hasReason: answer.reason !== '',
    isIgnoring: work === null || ignored,
  }
  assert.deepStrictEqual(facts, {
    answers: active?.state === 'running' ? active.version.file : null,
    isGateClosed: target.state === 'starting' && /draining|altering|committed/.test(target.phase),
    isActiveStored: true,
    stored: (former ?? target).stored.file,
    isBusy: work !== null,
    isRetryScheduled: isRetrying && !isBusy(state),
    isUncommitted: true,
    runningVersion: answering === null ? null : `${Number.parseInt(answering, 10)}.0.0`,
    hasReason: answer.status !== 'LOADING' && (isExplained || (target.state === 'starting' && target.isWaiting)),
    isIgnoring: true,
  })
}

function isOpening(target: Target): boolean {
  return target.state === 'starting' && target.phase !== 'committed'
}

/** All reactions of the disk, the database and the clock. */
function outcomes(world: World): World[] {
  const { state, work, isDraining } = world
  const { active, target } = state
  const send = (event: PackageEvent) => [after(world, event), after(world, event, true)]
  const faults = () => [true, false].flatMap(isRetryable => send({ type: 'fault', error: failure, isRetryable }))
  const opened = (file: string, type: 'opened' | 'reopened') =>
    [true, false].map(isFull => after({ ...world, opened: file }, { type }, !isFull))
  if (isDraining) return send({ type: 'drained' })
  if (typeof work === 'object' && work !== null) {
    return send({ type: 'previewed', file: work.file, preview: ['It would be refused.'] })
  }
  switch (work) {
    case 'read':
      return [...send({ type: 'read' }), after(world, { type: 'fault', error: failure, isRetryable: false })]
    case 'check':
      return [true, false].flatMap(isCurrent => send({ type: 'checked', isCurrent }))
    case 'reopen':
      return [...opened(active?.version.file ?? '', 'reopened'), ...faults()]
    case 'open': {
      const { file } = target.stored
      const phase = target.state === 'starting' ? target.phase : null
      if (phase === 'opening') return [...opened(file, 'opened'), ...send({ type: 'changing' }), ...faults()]
      const waiting = send({ type: 'waiting' })
      if (phase === 'altering') return [...send({ type: 'committing' }), ...waiting, ...faults()]
      return [...opened(file, 'opened'), ...waiting, ...faults()]
    }
    case 'stop':
      return send({ type: 'stopped' })
    case 'remove':
      return [
        after({ ...world, isRemoved: true }, { type: 'removed' }),
        after(world, { type: 'fault', error: failure, isRetryable: false }),
      ]
    default:
      return send({ type: 'retryDue' })
  }
}

function requests(world: World): World[] {
  const { state, uploads } = world
  if (state.queue.length > 1) return []
  const targets = ['STARTED', 'LOADED', 'UNLOADED'] as const
  const sets = targets.map((requested): Request => ({ type: 'set', requested, loss: noLoss }))
  const all = [...sets, { type: 'remove' } as const].map(request => ({ world, request }))
  const uploaded = targets.map(requested => ({
    world: { ...world, uploads: uploads + 1 },
    request: { type: 'upload', stored: versionAt(uploads + 1, requested) } as const,
  }))
  return [...all, ...(uploads < 4 ? uploaded : [])].flatMap(({ world: from, request }) =>
    [false, true].map(isFull => after(from, { type: 'requested', request }, isFull)),
  )
}

/** Whether a removal that is requested ends, whatever else is pending. */
function isRemoved(world: World, isSuccessful: boolean): boolean {
  let now = world
  for (let left = 60; left > 0 && now.state.target.state !== 'closed'; left -= 1) {
    const all = outcomes(now)
    now = (isSuccessful || now.work === 'remove' ? all[0] : all.at(-1)) ?? now
  }
  return now.isRemoved && now.state.target.state === 'closed' && now.answering === null
}

const first = { ...versionAt(1), before: null }
const second = versionAt(2)

const starts: Record<string, () => World> = {
  'a new package': () => worldOf({ ...second, before: null }),
  // Read and opened.
  'a running package': () => [0, 0].reduce((world, at) => outcomes(world)[at] ?? world, worldOf(first)),
  'a loaded version beside the running one': () => worldOf({ ...versionAt(2, 'LOADED'), before: versionOf(first) }),
  'a version whose tables may have been changed': () => worldOf({ ...second, before: versionOf(first) }),
}

it.each(Object.entries(starts))('the life cycle of %s holds its rules in every sequence of events', (_, startOf) => {
  let worlds = [startOf()]
  const seen = new Set<string>()
  const statuses = new Set<string>()
  for (let left = depth; left > 0; left -= 1) {
    const next = worlds.flatMap(world => [...outcomes(world), ...requests(world)])
    worlds = next.filter(world => {
      const key = JSON.stringify(world)
      return !seen.has(key) && seen.add(key)
    })
    for (const world of worlds) {
      statuses.add(reportOf(world.state, []).status)
      if (world.state.removing) assert(isRemoved(world, left % 2 === 0))
    }
  }
  expect(seen.size).toBeGreaterThan(4000)
  const reported = ['LOADED', 'LOADING', 'LOAD_FAILED', 'STARTED', 'STARTING', 'START_FAILED', 'STOPPING', 'UNLOADED']
  expect([...statuses].toSorted()).toEqual(reported)
})

describe('answer of the management call', () => {
  const running: HostedPackage = storedPackage(first)
  const answerOf = (state: HostedPackage) => {
    const { status, version, reason, warnings, runningVersion } = reportOf(state, ['Apart.'])
    return [status, version, reason, warnings, runningVersion]
  }
  const inUse = 'Waiting for tables that are in use.'
  const { reason } = failure

  it.each<[string, WithoutStored<Target>, string, string, string[]]>([
    ['is not loaded', { state: 'unloaded' }, 'UNLOADED', '', []],
    ['is loading', { state: 'loading' }, 'LOADING', '', []],
    ['is loaded', { state: 'loaded', preview: ['No.'] }, 'LOADED', '', ['No.']],
    ['cannot be read', { state: 'unreadable', error: failure }, 'LOAD_FAILED', reason, []],
    ['is checked', { state: 'starting', phase: 'checking', isWaiting: false }, 'STARTED', '', []],
    ['is opening', { state: 'starting', phase: 'opening', isWaiting: false }, 'STARTING', '', []],
    ['waits for tables', { state: 'starting', phase: 'opening', isWaiting: true }, 'STARTING', inUse, []],
    ['is committed', { state: 'starting', phase: 'committed', isWaiting: false }, 'STARTING', '', []],
    ['has started', { state: 'started' }, 'STARTED', '', []],
    ['is stopping', { state: 'stopping', next: 'loaded' }, 'STOPPING', '', []],
    ['is to be retried', { state: 'retrying', error: failure }, 'START_FAILED', reason, []],
    ['has failed', { state: 'failed', error: failure }, 'START_FAILED', reason, []],
    ['is closed', { state: 'closed' }, 'UNLOADED', '', []],
  ])('of a version that %s', (_, target, status, text, warnings) => {
    const state: HostedPackage = { ...running, target: { stored: second, ...target } }
    expect(answerOf(state)).toEqual([status, '2.0.0', text, [...warnings, 'Apart.'], null])
  })

  it('names the last upload and the version that answers', () => {
    const active = { state: 'running', version: versionOf(first) } as const
    const started: HostedPackage = { ...running, active, target: { stored: first, state: 'started' } }
    expect(answerOf(started)).toEqual(['STARTED', '1.0.0', '', ['Apart.'], '1.0.0'])
    const [queued] = step(started, { type: 'requested', request: { type: 'upload', stored: second } })
    expect(answerOf(queued)).toEqual(['LOADING', '2.0.0', '', ['Apart.'], '1.0.0'])
    const [opening] = step(queued, { type: 'next' })
    expect(answerOf(opening)).toEqual(['STARTING', '2.0.0', '', ['Apart.'], '1.0.0'])
    const [failed] = step(opening, { type: 'fault', error: failure, isRetryable: false })
    expect(answerOf(failed)).toEqual(['START_FAILED', '2.0.0', reason, ['Apart.'], '1.0.0'])
    expect(storedOf(failed)).toMatchObject({ file: first.file, before: null })
  })
})

it('a package that is being removed drops uploads', () => {
  const removing: HostedPackage = { ...storedPackage(first), removing: true }
  const request: Request = { type: 'upload', stored: second }
  const dropped = [{ type: 'drop', file: second.file }]
  expect(step(removing, { type: 'requested', request })).toEqual([removing, dropped])
})

const fault = (isRetryable: boolean): PackageEvent => ({ type: 'fault', error: failure, isRetryable })
const set = (requested: TargetState, loss = noLoss): PackageEvent => {
  return { type: 'requested', request: { type: 'set', requested, loss } }
}
const upload = (stored: Version): PackageEvent => ({ type: 'requested', request: { type: 'upload', stored } })
const [read, opened, reopened] = (['read', 'opened', 'reopened'] as const).map(type => ({ type }))

function sequence(disk: StoredState, ...events: readonly (PackageEvent | undefined)[]): World {
  return events.reduce<World>((world, event) => {
    const { active, target } = world.state
    const file = event === reopened ? active?.version.file : event === opened ? target.stored.file : world.opened
    return event === undefined ? world : after({ ...world, opened: file ?? null }, event)
  }, worldOf(disk))
}

it('a start keeps its permission to lose data only until it ends, retries included', () => {
  const loss = { allowDataLoss: true, lossDigest: 'abc' }
  const disk = { ...versionAt(2, 'UNLOADED'), before: null }
  const starting = [set('STARTED', loss), read]
  expect(sequence(disk, ...starting).disk).toMatchObject(loss)
  expect(sequence(disk, ...starting, fault(true)).disk).toMatchObject(loss)
  expect(sequence(disk, ...starting, fault(false)).disk).toMatchObject(noLoss)
  expect(sequence(disk, ...starting, opened).disk).toMatchObject({ ...noLoss, hasStarted: true })
  expect(sequence(disk, set('LOADED', loss)).disk).toMatchObject(noLoss)
})

it('a start of a running version only checks its connection', () => {
  expect(sequence(first, read, opened, set('STARTED'))).toMatchObject({ work: 'check', answering: first.file })
})

describe('version that ran before', () => {
  const beside = { ...versionAt(2, 'LOADED'), before: versionOf(first) }

  it('is reopened after a restart beside a loaded version, whether that can be read or not', () => {
    for (const event of [read, fault(false)]) expect(sequence(beside, event).work).toBe('reopen')
    expect(sequence(beside, read, reopened)).toMatchObject({ answering: first.file, work: null })
  })

  it('is retried if its database is unavailable, otherwise reopened by the next start', () => {
    const away = sequence(beside, read, fault(true))
    expect([away.state.active?.state, after(away, { type: 'retryDue' }).work]).toEqual(['retrying', 'reopen'])
    const refused = sequence(beside, read, fault(false))
    expect([refused.state.active?.state, after(refused, { type: 'retryDue' }).work]).toEqual(['stopped', null])
    for (const world of [away, refused]) expect(after(world, set('STARTED')).work).toBe('reopen')
  })

  it('is not reopened by retries of another version if it was refused', () => {
    const failed = sequence({ ...second, before: versionOf(first) }, fault(false), read, fault(true))
    expect(after(failed, { type: 'retryDue' }).work).toBe('read')
  })

  it('is forgotten when the package is stopped, but not when its removal fails', () => {
    expect(sequence(beside, read, reopened, set('LOADED')).disk.before).toBeNull()
    const remove: PackageEvent = { type: 'requested', request: { type: 'remove' } }
    const removing = sequence(beside, read, reopened, remove, { type: 'stopped' }, fault(false))
    expect(removing).toMatchObject({
      state: { removing: false },
      disk: { before: { file: first.file } },
      answering: null,
    })
  })

  it('stays beside a version uploaded while the database is unavailable only if it has tables', () => {
    const uploaded = [upload(versionAt(3)), fault(true)]
    expect(sequence(first, read, fault(true), ...uploaded).state.active).toMatchObject({ state: 'retrying' })
    expect(sequence({ ...second, before: null }, read, fault(true), ...uploaded).state.active).toBeNull()
    const refused = sequence(beside, read, fault(false), ...uploaded)
    expect(refused.state.active).toMatchObject({ state: 'retrying', version: { file: first.file } })
  })
})

it('a refused request is reported until the next one, a refused upload also during retries', () => {
  const failed = sequence(first, read, fault(true), upload(second), fault(false))
  const reported = ({ state }: World) => [reportOf(state, []).version, reportOf(state, []).reason]
  expect(reported(failed)).toEqual(['2.0.0', failure.reason])
  expect(reported(after(failed, { type: 'retryDue' }))).toEqual(['2.0.0', failure.reason])
  expect(reported(after(failed, set('STARTED')))).toEqual(['1.0.0', ''])
  const full = after(sequence(first, read, fault(true)), set('LOADED'), true)
  expect(full.state.refusal).toEqual({ upload: null, error: failure })
  expect(reported(after(full, { type: 'retryDue' }))).toEqual(['1.0.0', ''])
})

it('tables in use are reported until they are changed', () => {
  const phases = ['changing', 'drained', 'waiting', 'changing', 'drained', 'committing'] as const
  const reasons = phases.map((_, at) => {
    const events = phases.slice(0, at + 1).map(type => ({ type }))
    return reportOf(sequence(first, read, ...events).state, []).reason
  })
  const text = 'Waiting for tables that are in use.'
  expect(reasons).toEqual(['', '', text, text, text, ''])
})

type WithoutStored<T> = T extends unknown ? Omit<T, 'stored'> : never
