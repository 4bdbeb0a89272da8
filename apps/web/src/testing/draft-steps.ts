import { messages } from '@cadmus/model/messages'
import { ApiError, unreachable } from '../api/error.ts'
import { DraftMachine } from '../drafts/draft-machine.ts'
import type { Loaded } from '../drafts/draft.ts'
import type { DraftEffect, DraftEvent, OpenDraft } from '../drafts/open-draft.ts'
import { documentOf, drafts, type Content, type Document, type Edit } from './draft-world.ts'

// For tests only: sends events to a draft of two numbers and returns the resulting state and effects.

export type Event = DraftEvent<Document, Content, Edit>
export type Open = OpenDraft<Document, Content, Edit>
type Effect = DraftEffect<Document, Content, Edit>
/** Events, some of which depend on the state, as the answer to a read does. */
export type Steps = readonly (Event | ((open: Open) => Event))[]

export const machine = new DraftMachine(drafts, 'It was not saved.')
export const now = '2026-01-01T00:00:00Z'

export const state = (a: number, b: number, etag: string): Loaded<Document> => ({ saved: documentOf({ a, b }), etag })
export const loaded = (answer: Loaded<Document>): Event => ({ kind: 'loaded', loaded: answer })
export const edit = (at: keyof Content, value: number): Event => ({ kind: 'edit', edits: () => [{ at, value }] })
export const save = (id: string): Event => ({ kind: 'save', request: { id } })
export const stored = (answer: Loaded<Document>, operationId = '1'): Event => ({ kind: 'stored', operationId, answer })
export const refused = (failure: unknown): Event => ({ kind: 'refused', operationId: '1', failure })
export const settled = (answer: Loaded<Document> | null): Event => ({ kind: 'settled', operationId: '1', answer })
export const unsettled: Event = { kind: 'unsettled', operationId: '1', failure: unreachable() }
export const read = (result: Loaded<Document> | 'deleted' | null, failure?: unknown) => (open: Open) => {
  if (open.state !== 'reading') throw new Error('Nothing is read.')
  return { kind: 'read', after: open.after, result, failure } as const
}
export const keep = (side: 'mine' | 'theirs'): Event => ({ kind: 'keep', side, request: { id: '2' } })
export const failed = (failure: unknown): Event => ({ kind: 'failed', failure, fallback: 'It failed.' })
export const undo: Event = { kind: 'undo' }
export const redo: Event = { kind: 'redo' }
export const discard: Event = { kind: 'discard' }
export const deleted: Event = { kind: 'deleted' }
export const online: Event = { kind: 'online' }
export const conflict = (who: string) => ({ path: '', field: 'a', base: 1, mine: 5, theirs: 7, who, when: '' })
export const stale = (who = '') =>
  new ApiError(409, { message: 'Stale.', code: 'conflict', conflicts: [conflict(who)], etag: '1' })
export const [locked, broken] = [new ApiError(403, { message: 'Locked.' }), new ApiError(500, { message: 'Broken.' })]
export const [before, mine, theirs] = [state(1, 2, '0'), state(5, 2, '1'), state(7, 2, '1')]
export const away = unreachable().message
export const gone = messages.deleted.locked

export const dirty = [edit('a', 5)]
export const saving: Steps = [...dirty, save('1')]
export const lost: Event = { kind: 'unanswered', operationId: '1', failure: unreachable() }
export const unknown: Steps = [...saving, lost]
export const settling: Steps = [...unknown, online]
export const deletion: Steps = [...dirty, deleted]
export const conflicted: Steps = [...saving, refused(stale()), read(theirs)]
export const unread: Steps = [...saving, refused(stale()), read(null, unreachable())]

export function play(steps: Steps, first = loaded(before)): { open: Open; effects: readonly Effect[] } {
  let [open, effects] = machine.step(undefined, first, now)
  for (const step of steps) {
    if (!open) break
    ;[open, effects] = machine.step(open, typeof step === 'function' ? step(open) : step, now)
  }
  if (!open) throw new Error('It is not open.')
  return { open, effects }
}

/** The kind of each effect; for the end of a request its outcome. */
export function words(effects: readonly Effect[]): string[] {
  return effects.map(effect => {
    if (effect.kind !== 'finish') return effect.kind
    const { request, outcome } = effect
    if (typeof outcome === 'string') return `${request.id}: ${outcome}`
    return `${request.id}: ${outcome.failure instanceof Error ? outcome.failure.message : 'failed'}`
  })
}

export type Shown = { a?: number; b?: number; etag?: string; problem?: string; saving?: boolean; settling?: boolean }
export type Row = [title: string, steps: Steps, state: Open['state'], effects: string[], shown?: Shown]

export function shownIn(open: Open): Shown {
  const { draft, problem } = open
  return {
    ...draft.content,
    etag: draft.etag,
    ...(problem ? { problem: problem.message } : {}),
    ...(open.state === 'deleted' ? { saving: open.saving } : {}),
    ...(open.state === 'unknown' ? { settling: open.settling } : {}),
  }
}
