import type { SchemaStep } from '@cadmus/model/schema-step'
import {
  type AllowedLoss,
  noLoss,
  type StoredState,
  type StoredVersion,
  type TargetState,
  type Version,
  versionOf,
} from './package-folder.ts'

// The life cycle of one package. `step` is pure: it returns the next state and the effects that lead to further events.

export type Failure = {
  /** The reason of a failure or a wait; '' without one. */
  readonly reason: string
  /** The planned steps, if refused because of data loss. */
  readonly steps: readonly SchemaStep[]
}

/** The version that answers callers, or answered them before a restart; a stopped one is reopened by the next start. */
export type Active = {
  readonly state: 'running' | 'opening' | 'retrying' | 'stopped'
  readonly version: StoredVersion
}

/** Callers wait while running requests are drained and tables are altered; `committed`: stored, then in the tables. */
type Phase = 'reopening' | 'checking' | 'reading' | 'opening' | 'draining' | 'altering' | 'committed'

/** The version of the last upload, and its progress. */
export type Target = { readonly stored: Version } & (
  | { readonly state: 'unloaded' | 'loading' | 'started' | 'closed' }
  /** `preview`: reasons why the start would be refused. */
  | { readonly state: 'loaded'; readonly preview: readonly string[] }
  /** `isWaiting`: the tables are in use. */
  | { readonly state: 'starting'; readonly phase: Phase; readonly isWaiting: boolean }
  | { readonly state: 'stopping'; readonly next: 'loaded' | 'unloaded' | 'removed' | 'closed' }
  | { readonly state: 'retrying' | 'failed' | 'unreadable'; readonly error: Failure }
)

export type HostedPackage = {
  readonly active: Active | null
  readonly target: Target
  /** The target that is being replaced; it returns if the upload fails before its commit. */
  readonly former: Target | null
  /** The last request, if it changed nothing; `upload`: the refused version. */
  readonly refusal: { readonly upload: Version | null; readonly error: Failure } | null
  /** Whether it is being removed; uploads would be lost. */
  readonly removing: boolean
  readonly queue: readonly Request[]
}

export type Request =
  | { readonly type: 'restore' | 'remove' | 'close' }
  | { readonly type: 'set'; readonly requested: TargetState; readonly loss: AllowedLoss }
  | { readonly type: 'upload'; readonly stored: Version }

/** Reported during a start. `waiting`: the tables are in use; `committing`: the last moment to refuse. */
type Progress =
  | { readonly type: 'changing' | 'drained' | 'waiting' | 'committing' | 'opened' }
  | { readonly type: 'checked'; readonly isCurrent: boolean }

export type PackageEvent =
  | Progress
  | { readonly type: 'next' | 'retryDue' | 'read' | 'reopened' | 'stopped' | 'removed' }
  | { readonly type: 'requested'; readonly request: Request }
  | { readonly type: 'previewed'; readonly file: string; readonly preview: readonly string[] }
  /** The last effect failed. */
  | { readonly type: 'fault'; readonly error: Failure; readonly isRetryable: boolean }
  /** The state to which `event` led could not be stored. */
  | { readonly type: 'refused'; readonly event: PackageEvent; readonly error: Failure }

/** `next` sends the event; `swap` lets the opened version answer, `discard` closes it; `stop` drains and closes. */
type PlainEffect =
  | 'next'
  | 'read'
  | 'reopen'
  | 'check'
  | 'open'
  | 'drain'
  | 'openGate'
  | 'swap'
  | 'discard'
  | 'stop'
  | 'remove'
  | 'resetRetries'
  | 'retryLater'

export type Effect = PlainEffect | { readonly type: 'preview' | 'drop'; readonly file: string }

type Transition = readonly [HostedPackage, readonly Effect[]]

export function storedPackage({ before, ...stored }: StoredState): HostedPackage {
  const active: Active | null = before === null ? null : { state: 'stopped', version: before }
  const target: Target = { stored, state: 'unloaded' }
  return { active, target, former: null, refusal: null, removing: false, queue: [] }
}

/** The stored state: it contains an upload once that is committed, with the version to which a restart may return. */
export function storedOf(state: HostedPackage): StoredState {
  const active = isStoppedByClosing(state) ? null : state.active
  const stored = storedVersion(state)
  return { ...stored, before: active === null || active.version.file === stored.file ? null : active.version }
}

/** Applies queued requests if the package closes, because the process may exit before they could run. */
function storedVersion({ target, former, queue }: HostedPackage): Version {
  const { stored } = former ?? target
  const mayHaveChanged = target.state === 'starting' && target.phase === 'committed'
  if (mayHaveChanged || !queue.some(({ type }) => type === 'close')) return stored
  return queue.reduce((last, request) => {
    if (request.type === 'upload') return request.stored
    return request.type === 'set' ? withRequest(last, request) : last
  }, stored)
}

/** Whether a queued request stops the active version permanently. */
function isStoppedByClosing({ queue }: HostedPackage): boolean {
  const isStop = (request: Request) =>
    (request.type === 'set' && request.requested !== 'STARTED') ||
    (request.type === 'upload' && request.stored.requested === 'UNLOADED')
  return queue.some(({ type }) => type === 'close') && queue.some(isStop)
}

function withRequest(stored: Version, { requested, loss }: Extract<Request, { type: 'set' }>): Version {
  return { ...stored, requested, ...(requested === 'STARTED' ? loss : noLoss) }
}

/** Whether an effect is pending; requests wait for its end. */
export function isBusy({ active, target: { state } }: HostedPackage): boolean {
  return active?.state === 'opening' || state === 'loading' || state === 'starting' || state === 'stopping'
}

export function step(state: HostedPackage, event: PackageEvent): Transition {
  const { active, target } = state
  if (target.state === 'closed') return [state, event.type === 'requested' ? droppedFiles(event.request) : []]
  switch (event.type) {
    case 'requested':
      return queue(state, event.request)
    case 'next':
      return take(state)
    case 'retryDue':
      return isBusy(state) ? [state, []] : retry(state)
    case 'refused':
      return refuse(state, event.event, event.error)
    case 'fault':
      return fail(state, event.error, event.isRetryable)
    case 'previewed':
      return preview(state, event.file, event.preview)
    case 'reopened':
      if (active?.state !== 'opening') return [state, []]
      return afterReopening({ ...state, active: { ...active, state: 'running' } }, ['swap'])
    case 'stopped':
      return afterStopping(state)
    case 'removed':
      return [withTarget(state, { state: 'closed' }), []]
    case 'read':
      if (target.state === 'loading') return afterLoading(withTarget(state, { state: 'loaded', preview: [] }))
      return phase(state, 'opening', 'open')
    default:
      return target.state === 'starting' ? advance(state, target, event) : [state, []]
  }
}

type Starting = Extract<Target, { readonly state: 'starting' }>

/** The next phase of a start. */
function advance(state: HostedPackage, target: Starting, event: Progress): Transition {
  switch (event.type) {
    case 'checked':
      if (!event.isCurrent) return phase(state, 'reading', 'read')
      return finish(withTarget(state, { state: 'started' }))
    case 'changing':
      return phase(state, 'draining', 'drain')
    case 'drained':
      return phase(state, 'altering')
    case 'waiting':
      return phase({ ...state, target: { ...target, isWaiting: true } }, 'opening', 'openGate')
    case 'committing':
      return phase({ ...state, former: null }, 'committed')
    case 'opened': {
      const stored = { ...target.stored, ...noLoss, hasStarted: true }
      const active: Active = { state: 'running', version: versionOf(stored) }
      return finish({ ...state, active, target: { stored, state: 'started' }, former: null }, ['swap', 'openGate'])
    }
  }
}

function queue(state: HostedPackage, request: Request): Transition {
  if (state.removing && request.type === 'upload') return [state, droppedFiles(request)]
  if (state.removing && request.type === 'remove') return [state, []]
  const removing = state.removing || request.type === 'remove'
  return [{ ...state, removing, queue: [...state.queue, request] }, ['next']]
}

function take(state: HostedPackage): Transition {
  const [request, ...others] = state.queue
  if (request === undefined || isBusy(state)) return [state, []]
  if (!state.removing && state.queue.some(({ type }) => type === 'close')) return close(state)
  const [next, effects] = answer({ ...state, queue: others, refusal: null }, request)
  return [next, ['resetRetries', ...effects]]
}

/** Leaves queued requests to the next start of the instance. */
function close(state: HostedPackage): Transition {
  const stored = storedVersion(state)
  const replaced = state.queue.flatMap(droppedFiles).filter(({ file }) => file !== stored.file)
  const [next, effects] = stop({ ...state, queue: [], refusal: null }, stored, 'closed')
  const active = isStoppedByClosing(state) ? null : next.active
  return [{ ...next, active }, [...replaced, ...effects]]
}

function answer(state: HostedPackage, request: Request): Transition {
  const { stored } = state.target
  switch (request.type) {
    case 'restore':
      if (stored.requested === 'STARTED') return start(state, true)
      return stored.requested === 'LOADED' ? load(state) : finish(state)
    case 'set': {
      const { requested } = request
      const next = withRequest(stored, request)
      if (requested === 'STARTED') return start({ ...state, target: { ...state.target, stored: next } }, true)
      return stop(state, next, requested === 'LOADED' ? 'loaded' : 'unloaded')
    }
    case 'upload': {
      const former = state.target
      const { file, requested } = request.stored
      if (requested === 'UNLOADED') return stop(state, request.stored, 'unloaded')
      if (requested === 'STARTED')
        return open({ ...state, former, target: { stored: request.stored, state: 'unloaded' } })
      return [{ ...state, former, target: { stored: request.stored, state: 'loading' } }, [{ type: 'preview', file }]]
    }
    case 'remove':
      return stop(state, stored, 'removed')
    case 'close':
      return stop(state, stored, 'closed')
  }
}

/** Starts the target. The version that answered before is reopened first, to answer until the target does. */
function start(state: HostedPackage, reopensStopped: boolean): Transition {
  const { active, target } = state
  if (active?.state === 'retrying' || (active?.state === 'stopped' && reopensStopped)) {
    const [next] = phase(starting(state), 'reopening')
    return [{ ...next, active: { ...active, state: 'opening' } }, ['reopen']]
  }
  const isSame = active?.state === 'running' && active.version.file === target.stored.file
  return isSame ? phase(starting(state), 'checking', 'check') : phase(starting(state), 'reading', 'read')
}

function retry(state: HostedPackage): Transition {
  const { active, target, refusal } = state
  const next = { ...state, refusal: refusal?.upload ? refusal : null }
  if (target.state === 'retrying') return start(next, false)
  if (active?.state !== 'retrying') return [state, []]
  return [{ ...next, active: { ...active, state: 'opening' } }, ['reopen']]
}

function afterReopening(state: HostedPackage, effects: readonly Effect[]): Transition {
  const { active, target } = state
  if (target.state === 'starting') return phase(state, 'reading', ...effects, 'read')
  const isPreviewed = active?.state === 'running' && target.state === 'loaded'
  return finish(state, isPreviewed ? [...effects, { type: 'preview', file: target.stored.file }] : effects)
}

function load(state: HostedPackage): Transition {
  return [withTarget(state, { state: 'loading' }), ['read']]
}

/** After a restart, reopens the version that ran before. */
function afterLoading(state: HostedPackage): Transition {
  const { active } = state
  if (active?.state !== 'stopped') return finish(state)
  return [{ ...state, active: { ...active, state: 'opening' } }, ['reopen']]
}

function preview(state: HostedPackage, file: string, texts: readonly string[]): Transition {
  const { target } = state
  if (target.stored.file !== file) return [state, []]
  const loaded = withTarget(state, { state: 'loaded', preview: texts })
  if (target.state === 'loaded') return [loaded, []]
  return target.state === 'loading' && state.former !== null ? finish({ ...loaded, former: null }) : [state, []]
}

function stop(state: HostedPackage, stored: Version, next: 'loaded' | 'unloaded' | 'removed' | 'closed'): Transition {
  const { active } = state
  const isLast = next === 'loaded' || next === 'unloaded' || active?.version.file === stored.file
  const stopped: Active | null = active === null || isLast ? null : { ...active, state: 'stopped' }
  const stopping: HostedPackage = { ...state, active: stopped, target: { stored, state: 'stopping', next } }
  return active?.state === 'running' ? [stopping, ['stop']] : afterStopping(stopping)
}

function afterStopping(state: HostedPackage): Transition {
  const { target } = state
  if (target.state !== 'stopping') return [state, []]
  if (target.next === 'removed') return [state, ['remove']]
  if (target.next === 'loaded') return load(state)
  return finish(withTarget(state, { state: target.next }))
}

function fail(state: HostedPackage, error: Failure, isRetryable: boolean): Transition {
  const { active, target, former } = state
  if (active?.state === 'opening') {
    return afterReopening({ ...state, active: { ...active, state: isRetryable ? 'retrying' : 'stopped' } }, [])
  }
  if (target.state === 'loading') return afterLoading(withTarget(state, { state: 'unreadable', error }))
  if (target.state === 'stopping') return finish({ ...withTarget(state, { state: 'unloaded' }), removing: false })
  if (target.state !== 'starting') return [state, []]
  if (target.phase === 'reading') return finish(withTarget(state, { state: 'unreadable', error }))
  if (isRetryable) {
    // The upload becomes the stored version, beside the one to which it may have to return.
    const waiting = { ...state, active: returningVersion(state), former: null }
    return finish(withTarget(waiting, { state: 'retrying', error }), ['openGate'])
  }
  if (former !== null) return reject(state, error)
  // The permission to lose data applies to one successful start and its retries.
  const stored = { ...target.stored, ...noLoss }
  return finish({ ...state, target: { stored, state: 'failed', error } }, ['openGate'])
}

function returningVersion({ active, former }: HostedPackage): Active | null {
  if (former === null || active?.state === 'running') return active
  if (active !== null) return { ...active, state: 'retrying' }
  // A version that never ran has no tables to return to.
  const hasTables = former.state === 'retrying' && former.stored.hasStarted
  return hasTables ? { state: 'retrying', version: versionOf(former.stored) } : null
}

/** Drops an upload that failed before its commit; the active version continues to answer. */
function reject(state: HostedPackage, error: Failure, ...effects: readonly Effect[]): Transition {
  const { target, former } = state
  const refusal = { upload: target.stored, error }
  const [next, more] = finish({ ...state, target: former ?? target, former: null, refusal }, [...effects, 'openGate'])
  return [next, [{ type: 'drop', file: target.stored.file }, ...more]]
}

/** The state to which `event` leads could not be stored. The engine reports a failed `committing`. */
function refuse(state: HostedPackage, event: PackageEvent, error: Failure): Transition {
  if (event.type === 'next') {
    const [request, ...others] = state.queue
    if (request?.type === 'set')
      return finish({ ...state, queue: others, refusal: { upload: null, error } }, ['resetRetries'])
    if (request?.type === 'upload' && request.stored.requested === 'UNLOADED') {
      const target: Target = { stored: request.stored, state: 'unloaded' }
      return reject({ ...state, queue: others, former: state.target, target }, error, 'resetRetries')
    }
  }
  if (state.former !== null && event.type === 'opened') return reject(state, error, 'discard')
  if (state.former !== null && event.type === 'previewed') return reject(state, error)
  if (state.former !== null && event.type === 'fault') return reject(state, event.error)
  // The state changes in memory only and is stored with the next one.
  return step(state, event)
}

/** Ends the current work. */
function finish(state: HostedPackage, effects: readonly Effect[] = []): Transition {
  const isRetrying = state.active?.state === 'retrying' || state.target.state === 'retrying'
  const retries: Effect[] = isRetrying ? ['retryLater'] : []
  return [state, [...effects, ...retries, ...(state.queue.length > 0 ? ['next' as const] : [])]]
}

function starting(state: HostedPackage): HostedPackage {
  return withTarget(state, { state: 'starting', phase: 'reading', isWaiting: false })
}

function open(state: HostedPackage): Transition {
  return phase(starting(state), 'opening', 'open')
}

/** Ignores reports of a start that has ended. */
function phase(state: HostedPackage, next: Phase, ...effects: readonly Effect[]): Transition {
  const { target } = state
  if (target.state !== 'starting') return [state, []]
  return [
    { ...state, target: { ...target, phase: next, isWaiting: target.isWaiting && next !== 'committed' } },
    effects,
  ]
}

type WithoutStored<T> = T extends unknown ? Omit<T, 'stored'> : never

function withTarget(state: HostedPackage, target: WithoutStored<Target>): HostedPackage {
  return { ...state, target: { stored: state.target.stored, ...target } }
}

function droppedFiles(request: Request): { type: 'drop'; file: string }[] {
  return request.type === 'upload' ? [{ type: 'drop', file: request.stored.file }] : []
}

/** Status names of the platform's management API. Its `UNLOADING` takes no time here. */
const statuses = {
  unloaded: 'UNLOADED',
  loading: 'LOADING',
  loaded: 'LOADED',
  unreadable: 'LOAD_FAILED',
  starting: 'STARTING',
  started: 'STARTED',
  retrying: 'START_FAILED',
  failed: 'START_FAILED',
  stopping: 'STOPPING',
  closed: 'UNLOADED',
} as const satisfies Record<Target['state'], string>

type PackageStatus = (typeof statuses)[Target['state']]

export type PackageState = Omit<StoredVersion, 'file' | 'database' | 'hasStarted'> &
  Failure & {
    readonly name: string
    readonly status: PackageStatus
    /** Warnings for administrators about its database. */
    readonly warnings: readonly string[]
    /** Null: not running. The previous version runs during a replacement and after a failed one. */
    readonly runningVersion: string | null
  }

const noFailure: Failure = { reason: '', steps: [] }
const inUse: Failure = { reason: 'Waiting for tables that are in use.', steps: [] }

/** The report of the management API: the last upload, even if queued or refused. `warnings`: those of the engine. */
export function reportOf(state: HostedPackage, warnings: readonly string[]): Omit<PackageState, 'name'> {
  const { active, target, refusal } = state
  const runningVersion = active?.state === 'running' ? active.version.version : null
  const report = (stored: Version, status: PackageStatus, error: Failure, preview: readonly string[] = []) => {
    const { id, owner, version, contextPath, stateOnStartup } = stored
    const all = [...stored.warnings, ...preview, ...warnings]
    return { id, owner, version, contextPath, stateOnStartup, status, ...error, warnings: all, runningVersion }
  }
  const queued = state.queue.findLast(request => request.type === 'upload')
  if (queued !== undefined) return report(queued.stored, 'LOADING', noFailure)
  if (refusal?.upload) return report(refusal.upload, 'START_FAILED', refusal.error)
  const error = 'error' in target ? target.error : target.state === 'starting' && target.isWaiting ? inUse : noFailure
  const shown = target.state === 'loaded' ? target.preview : []
  return report(target.stored, statusOf(target), refusal?.error ?? error, shown)
}

/** A running version whose connection is checked is reported as started. */
export function statusOf(target: Target): PackageStatus {
  return target.state === 'starting' && target.phase === 'checking' ? 'STARTED' : statuses[target.state]
}
