import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import {
  after,
  failure,
  fault,
  first,
  isClosed,
  opened,
  read,
  reopened,
  second,
  sequence,
  set,
  upload,
  versionAt,
  type World,
  worldOf,
} from './testing/package-world.ts'
import {
  type HostedPackage,
  type PackageEvent,
  reportOf,
  type Request,
  step,
  storedOf,
  storedPackage,
  type Target,
} from './lifecycle.ts'
import { noLoss, versionOf } from './package-folder.ts'

/** A shorter search kills most mutants (scripts/mutate.ts). */
const depth = process.env['CADMUS_SEARCH'] === 'short' ? 5 : 7
/** All possible results of writes, database calls and timers. */
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
  if (state.queue.length > 1 || isClosed(state)) return []
  const targets = ['STARTED', 'LOADED', 'UNLOADED'] as const
  const sets = targets.map((requested): Request => ({ type: 'set', requested, loss: noLoss }))
  const all = [...sets, { type: 'remove' } as const, { type: 'close' } as const].map(request => ({ world, request }))
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
  ])('describes a version that %s', (_, target, status, text, warnings) => {
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

describe('requests that are queued when the instance closes', () => {
  const close: PackageEvent = { type: 'requested', request: { type: 'close' } }

  it('are stored at once, even during a start, and the last upload becomes the next target', () => {
    const uploads = [2, 3, 4].map(number => upload(versionAt(number)))
    const world = sequence(first, read, opened, ...uploads, close)
    expect(world.state.target).toMatchObject({ state: 'starting', stored: { file: '2.package' } })
    expect(world.disk).toMatchObject({ file: '4.package', requested: 'STARTED', before: { file: '1.package' } })
    const closed = [fault(false), { type: 'stopped' } as const].reduce((one, event) => after(one, event), world)
    expect(closed.state.target.state).toBe('closed')
    expect(closed.disk).toEqual(world.disk)
  })

  it('stop the active version permanently if one of them requests it', () => {
    const { disk } = sequence(first, read, opened, upload(versionAt(2)), set('LOADED'), close)
    expect(disk).toMatchObject({ file: '1.package', requested: 'LOADED', before: null })
  })

  it('do not replace a version whose tables may have been changed already', () => {
    const changing: readonly PackageEvent[] = [{ type: 'changing' }, { type: 'drained' }, { type: 'committing' }]
    const { disk } = sequence(first, read, opened, upload(versionAt(2)), ...changing, upload(versionAt(3)), close)
    expect(disk).toMatchObject({ file: '2.package', before: { file: '1.package' } })
  })
})

const starts: Record<string, () => World> = {
  'a new package': () => worldOf({ ...second, before: null }),
  // Read and opened.
  'a running package': () => [0, 0].reduce((world, at) => outcomes(world)[at] ?? world, worldOf(first)),
  'a loaded version beside the running one': () => worldOf({ ...versionAt(2, 'LOADED'), before: versionOf(first) }),
  'a version whose tables may have been changed': () => worldOf({ ...second, before: versionOf(first) }),
}

it.each(Object.entries(starts))('the life cycle of %s obeys its rules in every sequence of events', (_, startOf) => {
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
      if (world.state.removing && !isClosed(world.state)) assert(isRemoved(world, left % 2 === 0))
    }
  }
  expect(seen.size).toBeGreaterThan(4 ** (depth - 1))
  const reported = ['LOADED', 'LOADING', 'LOAD_FAILED', 'STARTED', 'STARTING', 'START_FAILED', 'STOPPING', 'UNLOADED']
  expect([...statuses].toSorted()).toEqual(reported)
})

type WithoutStored<T> = T extends unknown ? Omit<T, 'stored'> : never
