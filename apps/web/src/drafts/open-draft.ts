import type { Cause } from '@cadmus/model/edits/edit-forms'
import type { ApiError } from '../api/error.ts'
import type { Author } from '../api/logs.ts'
import type { Place } from './draft-adapter.ts'
import type { DraftKey } from './draft-key.ts'
import type { Draft, Loaded } from './draft.ts'

export type Saved = { id: number; name: string; path: string }
export type Conflicts = ApiError['conflicts']

/** Author and time (ISO 8601) of the deletion of a document; '' if unknown. */
export type Deleted = { who: string; when: string }

/** A save as sent. */
export type Operation<S, C, E> = { id: string; sent: Draft<S, C, E> }

/** A requested save; its id becomes that of the operation. */
export type SaveRequest = { id: string }

/** Of a save of several documents. `left`: to be saved on their own. */
export type SavedTogether = { saved: readonly DraftKey[]; left: readonly DraftKey[] }

/** A discarded draft that can be restored, and the operations known then. */
export type Discarded<S, C, E> = { draft: Draft<S, C, E>; deleted: Deleted | null; operations: readonly string[] }

/** A stored save of this page. `seen`: its base and content; absent for documents without secrets. */
export type OwnSave<C> = {
  id: string
  steps: ReadonlySet<object>
  seen: { base: C; stored: C } | null
}

/** The stored state when the user began to type, and the number of this page's saves at that time. */
export type Seen<C> = { content: C; saves: number }

/** The conflicts of a refused save, as reported, and the state that they refer to; `saved` is null until it is read. */
export type Refusal<S> = { theirs: { etag: string; saved: S | null }; reported: Conflicts }

/** Saves, and discarded drafts to restore, in the order of their requests. */
export type Queue<S, C, E> = readonly (SaveRequest | { discarded: Discarded<S, C, E>; at: string })[]

/** `incoming`: a state read while an answer is awaited, applied after it. `queue`: actions that wait for the answer. */
type Waiting<S, C, E> = { incoming: Loaded<S> | 'deleted' | null; queue: Queue<S, C, E> }

/** The next step once the current state is read. */
type AfterReading =
  | { kind: 'stored'; isSettled: boolean }
  | { kind: 'refused'; request: SaveRequest; failure: unknown }
  | { kind: 'keep'; side: Side; request: SaveRequest }

export type Side = 'mine' | 'theirs'

export type Common<S, C, E> = {
  draft: Draft<S, C, E>
  /** Failure of the last action. `retry`: the server was unreachable. */
  problem: { message: string; retry: boolean } | null
  /** Time of the last edit, ISO 8601; null without unsaved changes. */
  changedAt: string | null
  /** Restored from an earlier visit and not acknowledged yet. */
  restored: boolean
  /** Secrets of the restored draft are missing because they are not stored. */
  secretsOmitted: boolean
  ownSaves: readonly OwnSave<C>[]
}

export type Idle = { state: 'clean' | 'dirty' }
export type Saving<S, C, E> = Waiting<S, C, E> & {
  state: 'saving'
  operation: Operation<S, C, E>
  request: SaveRequest
}
/** The outcome of a save is known, but not the current state. */
export type Reading<S, C, E> = Waiting<S, C, E> & {
  state: 'reading'
  refusal: Refusal<S> | null
  after: AfterReading
}
/** A save without an answer, stored or not; nothing is sent before its outcome is known. */
export type Unknown<S, C, E> = Waiting<S, C, E> & {
  state: 'unknown'
  operation: Operation<S, C, E>
  settling: boolean
}
/** `conflicts`: with the user's current values. */
export type Conflicted<S> = Refusal<S> & { state: 'conflicted'; conflicts: Conflicts }
export type DeletedDraft = { state: 'deleted'; by: Deleted; saving: boolean }

/** An open document and the state of its draft. */
export type OpenDraft<S, C, E> = Common<S, C, E> &
  (Idle | Saving<S, C, E> | Reading<S, C, E> | Unknown<S, C, E> | Conflicted<S> | DeletedDraft)

type Edits<C, E> = (content: C) => readonly E[]

export type DraftEvent<S, C, E> =
  | { kind: 'edit'; edits: Edits<C, E> }
  /** Edits made on the base of draft `before`, which may no longer be current. */
  | { kind: 'editOn'; before: Draft<S, C, E>; edits: Edits<C, E> }
  /** Edits begun on an earlier state; if others changed the same place since, the save reports the conflict. */
  | { kind: 'editAbove'; seen: Seen<C>; edits: Edits<C, E> }
  /** Takes back a saved change, or makes it again. */
  | { kind: 'derive'; step: { name: string; cause: Cause }; edits: Edits<C, E> }
  | { kind: 'undo' | 'redo' | 'discard' }
  | { kind: 'undoDiscard'; discarded: Discarded<S, C, E> }
  /** A stored draft, opened with the document. */
  | { kind: 'restored'; draft: Draft<S, C, E>; changedAt: string | null; restored: boolean; secretsOmitted: boolean }
  | { kind: 'loaded'; loaded: Loaded<S> }
  | { kind: 'deleted' }
  | { kind: 'deletedBy'; by: Deleted }
  | { kind: 'save'; request: SaveRequest }
  | { kind: 'keep'; side: Side; request: SaveRequest }
  | { kind: 'stored'; operationId: string; answer: Loaded<S> }
  /** The user cancelled the save before it was sent. */
  | { kind: 'cancelled'; operationId: string }
  | { kind: 'refused' | 'unanswered'; operationId: string; failure: unknown }
  /** The outcome of an unanswered save; null: it was not stored. */
  | { kind: 'settled'; operationId: string; answer: Loaded<S> | null }
  | { kind: 'unsettled'; operationId: string; failure: unknown }
  | { kind: 'read'; after: AfterReading; result: Loaded<S> | 'deleted' | null; failure?: unknown }
  /** Saving a deleted document as a new one ended: true, or false if the user has to decide. */
  | { kind: 'savedAsNew'; request: SaveRequest; isSaved: boolean; failure?: unknown }
  | { kind: 'recreated' }
  | { kind: 'authors'; etag: string; authors: readonly (Place & Author)[] }
  /** Another action on the document failed or succeeded. */
  | { kind: 'failed'; failure: unknown; fallback: string }
  | { kind: 'succeeded' | 'acknowledged' | 'online' }

export type Outcome = 'saved' | 'none' | 'cancelled' | { failure: unknown }

export type DraftEffect<S, C, E> =
  /** Stores the draft in the browser, or removes it. */
  | { kind: 'store' | 'remove' }
  | { kind: 'send' | 'settle'; operation: Operation<S, C, E> }
  | { kind: 'read'; after: AfterReading }
  | { kind: 'stored'; saved: S; isClean: boolean }
  | { kind: 'saveAsNew'; request: SaveRequest }
  | { kind: 'findAuthors'; conflicts: readonly Place[]; etag: string }
  | { kind: 'findDeletion' }
  | { kind: 'offerUndo'; discarded: Discarded<S, C, E> }
  | { kind: 'finish'; request: SaveRequest; outcome: Outcome }

/** The state after an event, and its effects. */
export type Next<S, C, E> = readonly [OpenDraft<S, C, E>, readonly DraftEffect<S, C, E>[]]

export const unknownDeletion: Deleted = { who: '', when: '' }

/** Conflict without information from the server. */
export const unknownChange = { base: null, mine: null, theirs: null, who: '', when: '' }

/** The draft while an answer is awaited; else null. */
export function busy<S, C, E>(open: OpenDraft<S, C, E>) {
  if (open.state === 'saving' || open.state === 'reading') return open
  return open.state === 'unknown' && open.settling ? open : null
}

export function isSaving<S, C, E>(open: OpenDraft<S, C, E>): boolean {
  return busy(open) !== null || (open.state === 'deleted' && open.saving)
}

/** The save whose outcome is not known yet. */
export function operationOf<S, C, E>(open: OpenDraft<S, C, E>): Operation<S, C, E> | null {
  return open.state === 'saving' || open.state === 'unknown' ? open.operation : null
}

export function conflictsOf<S, C, E>(open: OpenDraft<S, C, E>): Conflicts {
  return open.state === 'conflicted' ? open.conflicts : []
}
