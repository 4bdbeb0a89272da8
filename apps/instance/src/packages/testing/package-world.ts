import assert from 'node:assert/strict'
import {
  type Effect,
  type HostedPackage,
  isBusy,
  type PackageEvent,
  reportOf,
  step,
  storedOf,
  storedPackage,
  type Target,
} from '../lifecycle.ts'
import { noLoss, type StoredState, type TargetState, type Version } from '../package-folder.ts'

// For tests only: the life cycle of a package with its disk and engines.

export const failure = { reason: 'It failed.', steps: [] }

export function versionAt(number: number, requested: TargetState = 'STARTED'): Version {
  const own = { id: 'acme.shop', owner: null, contextPath: '/shop', stateOnStartup: 'started', database: 'shop' }
  const file = `${number}.package`
  return { ...own, ...noLoss, file, version: `${number}.0.0`, hasStarted: number === 1, requested, warnings: [] }
}

/** A package, its disk and its engines. The runner does the same with real ones. */
export type World = {
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

export function worldOf(disk: StoredState): World {
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

/** `isFull`: states cannot be stored. */
export function after(world: World, event: PackageEvent, isFull = false): World {
  let [state, effects] = step(world.state, event)
  if (state === world.state && effects.length === 0) return world
  let { disk } = world
  const stored = storedOf(state)
  if (!(state.target.state === 'closed' && state.removing) && JSON.stringify(stored) !== JSON.stringify(disk)) {
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

/** Whether no further request is accepted; a queued one may already be stored. */
export function isClosed({ target, queue }: HostedPackage): boolean {
  if (target.state === 'closed' || queue.some(({ type }) => type === 'close')) return true
  return target.state === 'stopping' && target.next === 'closed'
}

/** Compared by `assert`, which is much faster than `expect`. */
function assertInvariants({ state, disk, answering, isGateClosed, work, isRetryScheduled }: World): void {
  const { active, target, former } = state
  if (target.state === 'closed') return
  const isClosing = isClosed(state)
  const answer = reportOf(state, [])
  const isRetrying = active?.state === 'retrying' || target.state === 'retrying'
  const isExplained = state.refusal !== null || answer.status.endsWith('_FAILED')
  const ignored = (['next', 'retryDue'] as const).every(type => step(state, { type })[0] === state)
  const facts = {
    answers: answering,
    isGateClosed,
    // A restart finds the version that answered, and beside it one that may have changed the tables.
    isActiveStored:
      active === null || isClosing || active.version.file === disk.file || active.version.file === disk.before?.file,
    stored: isClosing ? null : disk.file,
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
    stored: isClosing ? null : (former ?? target).stored.file,
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

export const first = { ...versionAt(1), before: null }
export const second = versionAt(2)

export const fault = (isRetryable: boolean): PackageEvent => ({ type: 'fault', error: failure, isRetryable })
export const set = (requested: TargetState, loss = noLoss): PackageEvent => {
  return { type: 'requested', request: { type: 'set', requested, loss } }
}
export const upload = (stored: Version): PackageEvent => ({ type: 'requested', request: { type: 'upload', stored } })
export const read: PackageEvent = { type: 'read' }
export const opened: PackageEvent = { type: 'opened' }
export const reopened: PackageEvent = { type: 'reopened' }

export function sequence(disk: StoredState, ...events: readonly PackageEvent[]): World {
  return events.reduce<World>((world, event) => {
    const { active, target } = world.state
    const file = event === reopened ? active?.version.file : event === opened ? target.stored.file : world.opened
    return after({ ...world, opened: file ?? null }, event)
  }, worldOf(disk))
}
