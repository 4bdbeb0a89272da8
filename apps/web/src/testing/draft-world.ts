import { ApiError, unreachable } from '../api/error.ts'
import type { DraftAdapter } from '../drafts/draft-adapter.ts'
import { DraftMachine } from '../drafts/draft-machine.ts'
import { Drafts, type Draft, type Loaded } from '../drafts/draft.ts'
import type { LoggedChange } from '../api/edit-log.ts'
import { causeOf, originOf } from '../drafts/moved-steps.ts'
import {
  conflictsOf,
  operationOf,
  type Discarded,
  type DraftEffect,
  type DraftEvent,
  type OpenDraft,
  type Operation,
} from '../drafts/open-draft.ts'
import { reversed, savedStacks, savedSteps } from '../drafts/saved-steps.ts'
import { hasUnsaved } from '../drafts/stored-draft.ts'
import { hasUnsavedStep, takesSaved } from '../drafts/take-back.ts'

/** A document of two numbers. */
export type Content = { a: number; b: number }
export type Edit = { at: keyof Content; value: number }
export type Document = { id: number; name: string; path: string; content: Content }
type Open = OpenDraft<Document, Content, Edit>
type Call =
  | { kind: 'send' | 'settle'; operation: Operation<Document, Content, Edit>; isStored: boolean }
  | Extract<DraftEffect<Document, Content, Edit>, { kind: 'read' }>
export type Action = (typeof actions)[number]

export const actions = [
  ...(['edit a', 'edit b', 'undo', 'redo', 'discard', 'undo discard', 'save', 'mine', 'theirs'] as const),
  ...(['they write a', 'they delete', 'load', 'online'] as const),
  ...(['arrive', 'answer', 'lose', 'settled', 'unsettled', 'read', 'unread'] as const),
]

const places = ['a', 'b'] as const
const fields = (base: Content, mine: Content, theirs: Content, preferred: 'mine' | 'theirs') =>
  places.map(at => {
    const isMine = theirs[at] === base[at] || (mine[at] !== base[at] && preferred === 'mine')
    return [at, isMine ? mine[at] : theirs[at]]
  })
const contentFrom = (entries: (string | number)[][]): Content => ({ a: 0, b: 0, ...Object.fromEntries(entries) })
const between = (before: Content, after: Content): Edit[] =>
  places.flatMap(at => (before[at] === after[at] ? [] : [{ at, value: after[at] }]))

const adapter: DraftAdapter<Document, Content, Edit> = {
  contentOf: ({ content }) => ({ ...content }),
  apply: (content, edits) => ({ ...content, ...Object.fromEntries(edits.map(({ at, value }) => [at, value])) }),
  invert: (content, edits) => edits.map(({ at }) => ({ at, value: content[at] })),
  between,
  compare: (before, after) => ({ count: between(before, after).length, name: () => 'Edit' }),
  merge: (base, mine, theirs) => {
    const conflicts = places
      .filter(at => mine[at] !== base[at] && theirs[at] !== base[at] && mine[at] !== theirs[at])
      .map(field => ({ path: '', field, base: base[field], mine: mine[field], theirs: theirs[field] }))
    return conflicts.length > 0 ? { conflicts } : { merged: contentFrom(fields(base, mine, theirs, 'mine')) }
  },
  mergeTakingTheirs: (base, mine, theirs) => contentFrom(fields(base, mine, theirs, 'theirs')),
}

export const drafts = new Drafts(adapter)
const machine = new DraftMachine(drafts, 'Failed.')

/** `isRepeated`: its steps were stored already when the draft was discarded, or were being stored. */
type Offer = { discarded: Discarded<Document, Content, Edit>; isRepeated: boolean }

/** A page with one document, its server, and another user. Immutable, so that a search can branch. */
export type World = {
  open: Open
  states: readonly Content[]
  /** The server's log, newest first; entry n leads to state n. */
  log: readonly LoggedChange[]
  isDeleted: boolean
  /** Etags of stored operations, by id. */
  stored: ReadonlyMap<string, number>
  calls: readonly Call[]
  /** The draft in the browser's storage, with its operation. */
  browser: { draft: Open['draft']; operation: ReturnType<typeof operationOf> } | null
  offered: Offer | null
  /** The newest state that the page has read. */
  read: number
  knowsDeletion: boolean
  pending: readonly string[]
  /** The user's input in each place, until it is stored. */
  input: Partial<Content>
  /** Values of each place that the page has shown. */
  seen: Record<keyof Content, ReadonlySet<number>>
  /** Origins of steps known to be stored. */
  delivered: ReadonlySet<object>
  isRepeated: boolean
  count: number
}

export const documentOf = (content: Content): Document => ({ id: 1, name: 'One', path: 'One', content })
const newest = ({ states }: World): Content => states.at(-1) ?? { a: 0, b: 0 }
const loaded = (world: World, etag = world.states.length - 1): Loaded<Document> => ({
  saved: documentOf(world.states[etag] ?? newest(world)),
  etag: String(etag),
})

export function newWorld(): World {
  const start = { a: 1, b: 2 }
  const [open] = machine.step(undefined, { kind: 'loaded', loaded: { saved: documentOf(start), etag: '0' } }, '')
  if (!open) throw new Error('The document is not open.')
  return {
    open,
    states: [start],
    log: [],
    isDeleted: false,
    stored: new Map(),
    calls: [],
    browser: null,
    offered: null,
    read: 0,
    knowsDeletion: false,
    pending: [],
    input: {},
    seen: { a: new Set([1]), b: new Set([2]) },
    delivered: new Set(),
    isRepeated: false,
    count: 2,
  }
}

/** The world after an action; null if the action is impossible. */
export function after(world: World, action: Action): World | null {
  return userAction(world, action) ?? serverAction(world, action)
}

function userAction(world: World, action: Action): World | null {
  const { open, offered, count } = world
  const id = String(count + 1)
  if (action === 'edit a' || action === 'edit b') {
    const edits = [{ at: action === 'edit a' ? ('a' as const) : ('b' as const), value: count + 1 }]
    return withInput(world, dispatched({ ...world, count: count + 1 }, { kind: 'edit', edits: () => edits }))
  }
  if (action === 'undo' || action === 'redo') {
    const now = { ...world, isRepeated: world.isRepeated || action === 'redo' }
    if (!hasUnsavedStep(open, action)) return withSaved(now, action)
    return withInput(world, dispatched(now, { kind: action }))
  }
  if (action === 'discard')
    return open.draft.done.length > 0 ? withInput(world, dispatched(world, { kind: action })) : null
  if (action === 'undo discard') {
    if (!offered) return null
    const next = dispatched(
      { ...world, offered: null, isRepeated: true },
      {
        kind: 'undoDiscard',
        discarded: offered.discarded,
      },
    )
    const isStored = offered.discarded.draft.done.every(step => world.delivered.has(originOf(step)))
    if (isStored && !offered.isRepeated && next.open.draft.content !== open.draft.content)
      throw new Error('a stored step was restored')
    return withInput(world, next)
  }
  const requesting = { ...world, count: count + 1, pending: [...world.pending, id] }
  if (action === 'save') return dispatched(requesting, { kind: 'save', request: { id } })
  if (action !== 'mine' && action !== 'theirs') return null
  if (open.state !== 'conflicted') return null
  const settled = dispatched(requesting, { kind: 'keep', side: action, request: { id } })
  return action === 'theirs' ? withInput(world, settled) : settled
}

/** Takes back a saved change, or makes it again; the user agrees to leave what others have changed since. */
function withSaved(world: World, kind: 'undo' | 'redo'): World | null {
  const { open, log, states } = world
  const step = savedStacks(savedSteps(log), open.draft.done)[kind].at(-1)
  const [before, after] = [states[(step?.sequence ?? 0) - 1], states[step?.sequence ?? 0]]
  if (!step || !before || !after || !takesSaved(open)) return null
  const edits = (content: Content) => between(content, reversed(adapter, { before, after }, content).content)
  const taken = { name: step.description, cause: { kind, sequence: step.sequence } }
  return withInput(world, dispatched(world, { kind: 'derive', step: taken, edits }))
}

function written(world: World, content: Content, change: Pick<LoggedChange, 'own' | 'cause'>): World {
  const { states, log } = world
  const sequence = states.length
  const entry = {
    ...change,
    sequence,
    changeId: sequence,
    entryId: sequence,
    operationId: null,
    description: '',
    at: '',
    actor: { name: '' },
    follows: false,
    version: '1.0.0',
  }
  const tags = { before: String(sequence - 1), after: String(sequence) }
  return { ...world, states: [...states, content], log: [{ ...entry, ...tags }, ...log] }
}

function serverAction(world: World, action: Action): World | null {
  const { open, states, isDeleted, calls, count } = world
  const [call] = calls
  const done = { ...world, calls: calls.slice(1) }
  if (action === 'they write a') {
    if (isDeleted || states.length > 2) return null
    return written({ ...world, count: count + 1 }, { ...newest(world), a: count + 1 }, { own: false })
  }
  if (action === 'they delete') return isDeleted ? null : { ...world, isDeleted: true }
  if (action === 'load')
    return dispatched(world, isDeleted ? { kind: 'deleted' } : { kind: 'loaded', loaded: loaded(world) })
  if (action === 'online')
    return open.state === 'unknown' && !open.settling ? dispatched(world, { kind: 'online' }) : null
  if (!call) return null
  if (call.kind === 'read') {
    // Without a new read, an earlier one may be older than the answer.
    if (action === 'unread') return dispatched({ ...done, read: 0 }, { ...call, result: null, failure: unreachable() })
    return action === 'read' ? dispatched(done, { ...call, result: isDeleted ? 'deleted' : loaded(world) }) : null
  }
  const { id: operationId } = call.operation
  if (call.kind === 'settle') {
    if (action === 'unsettled') return dispatched(done, { kind: action, operationId, failure: unreachable() })
    if (action !== 'settled') return null
    const etag = world.stored.get(operationId)
    if (etag === undefined)
      return dispatched(withoutStoredInput(done, true), { kind: action, operationId, answer: null })
    return delivered(done, { kind: action, operationId, answer: loaded(world, etag) }, call)
  }
  if (action === 'lose') return dispatched(done, { kind: 'unanswered', operationId, failure: unreachable() })
  if (action === 'arrive') return call.isStored ? null : arrived(world, call)
  return action === 'answer' ? answered(world, call) : null
}

type Sent = Extract<Call, { kind: 'send' | 'settle' }>

/** The server stores the operation, if it can; the page does not know yet. */
function arrived(world: World, call: Sent): World | null {
  const { sent, id } = call.operation
  const { merged } = adapter.merge(world.states[Number(sent.etag)] ?? newest(world), sent.content, newest(world))
  if (!merged || world.isDeleted) return null
  const before = newest(world)
  for (const at of places)
    if (merged[at] !== before[at] && !world.seen[at].has(before[at])) throw new Error(`${at} was overwritten unseen`)
  const next = written(world, merged, { own: true, cause: causeOf(sent.done) })
  const calls = [{ ...call, isStored: true }, ...world.calls.slice(1)]
  return { ...next, calls, stored: new Map(world.stored).set(id, next.states.length - 1) }
}

function answered(world: World, call: Sent): World {
  const now = call.isStored ? world : (arrived(world, call) ?? world)
  const { id: operationId, sent } = call.operation
  const done = { ...now, calls: now.calls.slice(1) }
  const etag = now.stored.get(operationId)
  if (etag !== undefined) return delivered(done, { kind: 'stored', operationId, answer: loaded(now, etag) }, call)
  const { conflicts = [] } = adapter.merge(now.states[Number(sent.etag)] ?? newest(now), sent.content, newest(now))
  const reported = conflicts.map(one => ({ ...one, who: 'Ann', when: '2026-01-01T00:00:00Z' }))
  const gone = new ApiError(404, { code: 'not_found' })
  const stale = new ApiError(409, { code: 'conflict', conflicts: reported, etag: String(now.states.length - 1) })
  return dispatched(withoutStoredInput(done, true), {
    kind: 'refused',
    operationId,
    failure: now.isDeleted ? gone : stale,
  })
}

/** The page is informed that an operation was stored. */
function delivered(world: World, event: DraftEvent<Document, Content, Edit>, { operation }: Sent): World {
  const steps = operation.sent.done.map(originOf)
  const isQueued = 'queue' in world.open && world.open.queue.some(item => 'discarded' in item)
  const isUnchanged = !isQueued && world.open.draft === operation.sent
  const next = dispatched({ ...world, delivered: new Set([...world.delivered, ...steps]) }, event)
  if (isUnchanged && next.open.draft.changes > 0) throw new Error('what was stored is unsaved again')
  return next
}

/** Records the user's input after an action. Restorations after an answer are not checked. */
function withInput(before: World, world: World): World {
  const { open, input } = world
  const { content, base } = open.draft
  const sent = operationOf(open)?.sent.content ?? base
  const isQueued = 'queue' in open && open.queue.length > 0
  const entries = places.flatMap(at => {
    if (isQueued) return []
    const isChanged = content[at] !== before.open.draft.content[at]
    const isUnsaved = content[at] !== base[at] || content[at] !== sent[at]
    const value = isChanged ? (isUnsaved ? content[at] : undefined) : input[at]
    return value === undefined ? [] : [[at, value] as const]
  })
  return { ...world, input: Object.fromEntries(entries) }
}

function dispatched(world: World, event: DraftEvent<Document, Content, Edit>): World {
  const [open, effects] = machine.step(world.open, event, '2026-01-01T00:00:00Z')
  if (!open) throw new Error('The document was closed.')
  if (world.open.state === 'unknown' && event.kind !== 'settled' && open.state === 'saving')
    throw new Error('something was sent before the outcome of the last save was known')
  return effects.reduce((now, effect) => affected(now, effect), shown(readIn({ ...world, open }, event)))
}

function readIn(world: World, event: DraftEvent<Document, Content, Edit>): World {
  const result = event.kind === 'read' ? event.result : event.kind === 'loaded' ? event.loaded : null
  if (result === 'deleted' || event.kind === 'deleted') return { ...world, knowsDeletion: true }
  return result ? { ...world, read: Math.max(world.read, Number(result.etag)) } : world
}

function shown(world: World): World {
  const { open, seen } = world
  const add = (at: keyof Content) => {
    const theirs = conflictsOf(open).filter(({ field }) => field === at)
    const values = [open.draft.content[at], ...theirs.map(conflict => Number(conflict.theirs))]
    return values.every(value => seen[at].has(value)) ? seen[at] : new Set([...seen[at], ...values])
  }
  return { ...world, seen: { a: add('a'), b: add('b') } }
}

function affected(world: World, effect: DraftEffect<Document, Content, Edit>): World {
  const { open, calls } = world
  if (effect.kind === 'store') return { ...world, browser: { draft: open.draft, operation: operationOf(open) } }
  if (effect.kind === 'remove') return { ...world, browser: null }
  if (effect.kind === 'offerUndo') {
    const { discarded } = effect
    const isStored = discarded.draft.done.some(step => world.delivered.has(originOf(step)))
    return { ...world, offered: { discarded, isRepeated: isStored || operationOf(open) !== null } }
  }
  if (effect.kind === 'read') return { ...world, calls: [...calls, effect] }
  if (effect.kind === 'saveAsNew')
    return dispatched(world, { kind: 'savedAsNew', request: effect.request, isSaved: false })
  if (effect.kind === 'finish') {
    if (!world.pending.includes(effect.request.id)) throw new Error('a request ended twice')
    return { ...world, pending: world.pending.filter(id => id !== effect.request.id) }
  }
  if (effect.kind !== 'send' && effect.kind !== 'settle') return world
  const { operation } = effect
  if (world.knowsDeletion && effect.kind === 'send') throw new Error('a deleted document was saved')
  const isTwice = effect.kind === 'send' && operation.sent.done.some(step => world.delivered.has(originOf(step)))
  if (isTwice && !world.isRepeated) throw new Error('a stored step was sent twice')
  return { ...world, calls: [...calls, { kind: effect.kind, operation, isStored: false }] }
}

/** The rule that a world breaks; undefined if it breaks none. */
export function faultIn(world: World): string | undefined {
  const { open, calls, browser, pending, input } = world
  const { draft } = open
  const operation = operationOf(open)
  const isWaiting = calls.length > 0
  if (calls.length > 1) return 'more than one call is running'
  if (
    isWaiting !== (open.state === 'saving' || open.state === 'reading' || (open.state === 'unknown' && open.settling))
  )
    return 'the state does not match the running call'
  if (!isWaiting && pending.length > 0) return 'a request never ended'
  // A discarded draft that conflicts keeps its own base.
  if (operation && !draft.incoming && draft.base !== operation.sent.base) return 'a state was applied before the answer'
  if ((open.state === 'clean' || open.state === 'dirty') && (open.state === 'dirty') !== draft.changes > 0)
    return 'the state does not match the changes'
  if (open.state === 'conflicted' && draft.changes === 0) return 'a conflict without changes'
  if (open.state === 'clean' || open.state === 'dirty' || open.state === 'conflicted') {
    const newestShown = Math.max(Number(draft.etag), Number(draft.incoming?.etag ?? 0))
    if (newestShown < world.read) return 'a state that was read is not applied'
    if (world.knowsDeletion) return 'a known deletion is not shown'
  }
  for (const at of places)
    if (input[at] !== undefined && draft.content[at] !== input[at]) return `the user's value of ${at} was lost`
  const isUnsaved = hasUnsaved(drafts, open)
  if (isUnsaved !== (browser !== null)) return 'the stored draft does not match the unsaved changes'
  if (browser && (browser.draft !== draft || browser.operation !== operation))
    return 'the stored draft is not the newest'
  return undefined
}

/** Drops input that is stored. `isSettled`: the running operation stores nothing. */
export function withoutStoredInput(world: World, isSettled = false): World {
  const { content, base } = world.open.draft
  const sent = (isSettled ? null : operationOf(world.open))?.sent.content ?? base
  const entries = places.flatMap(at => {
    const value = world.input[at]
    const isStored = base[at] === content[at] && sent[at] === content[at]
    return value === undefined || isStored ? [] : [[at, value] as const]
  })
  return { ...world, input: Object.fromEntries(entries) }
}

type Part = string | number | null | undefined | boolean | readonly Part[]

/** Equal for worlds that differ only in the values that users wrote. */
export function keyOf(world: World): string {
  const names = new Map<number, number>()
  const named = (value: number) => {
    if (!names.has(value)) names.set(value, names.size)
    return names.get(value)
  }
  const write = (part: Part): unknown =>
    typeof part === 'number' ? named(part) : Array.isArray(part) ? part.map(write) : part
  return JSON.stringify(write(partsOf(world)))
}

function partsOf(world: World): Part {
  const { open, states, log, isDeleted, calls, offered, pending, input, seen, isRepeated } = world
  const operation = operationOf(open)
  const waiting = 'queue' in open ? open : null
  const incoming = waiting?.incoming
  return [
    open.state,
    draftParts(open.draft),
    open.problem !== null,
    operation && draftParts(operation.sent),
    operation && String(world.stored.get(operation.id)),
    incoming === 'deleted' ? incoming : incoming && incoming.etag,
    waiting && waiting.queue.map(item => ('discarded' in item ? draftParts(item.discarded.draft) : 'save')),
    open.state === 'conflicted' ? [open.theirs.etag, open.theirs.saved !== null] : null,
    open.state === 'reading' ? [open.after.kind, open.refusal?.theirs.etag] : null,
    open.state === 'unknown' ? open.settling : null,
    open.ownSaves.length,
    states.map(contentParts),
    log.map(({ own, cause }) => [own, cause?.kind, String(cause?.sequence)]),
    isDeleted,
    calls.map(call => [call.kind, call.kind === 'send' && call.isStored]),
    offered && draftParts(offered.discarded.draft),
    offered && offered.discarded.operations.length,
    offered && offered.isRepeated,
    String(world.read),
    world.knowsDeletion,
    pending.length,
    [input.a, input.b],
    [seen.a.has(states.at(-1)?.a ?? 0), seen.b.has(states.at(-1)?.b ?? 0)],
    isRepeated,
  ]
}

function draftParts(draft: Draft<unknown, Content, { at: string; value: number }>): Part {
  const { base, content, etag, done, undone, incoming, conflicting } = draft
  const steps = (all: Draft<unknown, Content, { at: string; value: number }>['undone']) =>
    all.map(({ edits, cause }) => [edits.map(({ at, value }) => [at, value]), cause?.kind, String(cause?.sequence)])
  return [contentParts(base), contentParts(content), etag, steps(done), steps(undone), incoming?.etag, conflicting]
}

function contentParts({ a, b }: Content): Part {
  return [a, b]
}
