import type { ApiError } from '../api/error.ts'
import type { Draft } from './draft.ts'

/** What the server answers of a document, as far as drafts look at it. */
export type Saved = { id: number; name: string; path: string }

export type OpenDraft<S, C, E> = {
  draft: Draft<S, C, E>
  saving: boolean
  /** The words of the last action that failed; shown in the document until the next one. */
  error: string | null
  /** Whether it failed because the server was away: nothing to say any longer once it is back. */
  unreached: boolean
  /** Fields that somebody else changed too, after a save that was refused for them: with one's own values as they are now. */
  conflicts: ApiError['conflicts']
  /** The state that they are shown of; null: none are. */
  against: Against<S> | null
  /** A save that is not answered, yet or ever: it may be stored or not. */
  unanswered: SentSave<S, C, E> | null
  /** When a person changed the draft last, ISO 8601; null: nothing is unsaved. */
  changedAt: string | null
  /** It came back from an earlier visit and was not looked at yet. */
  restored: boolean
  /** Secrets were typed into it that did not come back with it. */
  withheld: boolean
  /** Somebody deleted the document below it; null: it is there. */
  deleted: Deleted | null
}

/** What was sent to be saved, and what the server is told to call that save. */
export type SentSave<S, C, E> = {
  sent: Draft<S, C, E>
  saveId: string
  /** It had one step more, which the page took back. */
  isTakenBack?: true
}

/** Who deleted a document, and when, ISO 8601; '' where that is not known. */
export type Deleted = { who: string; when: string }

/** What a save was refused for: the tag of the server's state, the state once it is read, and the conflicts in the server's words. */
export type Against<S> = { etag: string; saved: S | null; found: ApiError['conflicts'] }

/** What a document is beside its draft while nothing happens to it. */
export const settledDraft = {
  saving: false,
  error: null,
  unreached: false,
  conflicts: [],
  against: null,
  unanswered: null,
  changedAt: null,
  restored: false,
  withheld: false,
  deleted: null,
}

/** Why something failed is said no longer where there is nothing any more that it could be done with. */
export const withoutProblems = { saving: false, error: null, unreached: false, conflicts: [], against: null }
export const unknownDeletion: Deleted = { who: '', when: '' }

/** Of what the server did not speak of it is not known who changed it. */
export const unknownChange = { base: null, mine: null, theirs: null, who: '', when: '' }
