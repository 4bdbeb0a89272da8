import type { ApiError } from '../api/error.ts'
import type { Draft } from './draft.ts'

export type Saved = { id: number; name: string; path: string }

export type OpenDraft<S, C, E> = {
  draft: Draft<S, C, E>
  saving: boolean
  /** Error of the last action, shown until the next one. */
  error: string | null
  /** The error was caused by an unreachable server and is cleared once the server responds. */
  isServerAway: boolean
  /** Conflicts of a refused save, with the user's current values. */
  conflicts: ApiError['conflicts']
  /** The state that the conflicts refer to; null without conflicts. */
  conflictState: ConflictState<S> | null
  /** A save without a response so far, which may or may not be stored. */
  outcomeUnknown: SentSave<S, C, E> | null
  /** Time of the last edit, ISO 8601; null without unsaved changes. */
  changedAt: string | null
  /** Restored from an earlier visit and not acknowledged yet. */
  restored: boolean
  /** Secrets of the restored draft are missing because they are not stored. */
  secretsOmitted: boolean
  /** The document was deleted; null: it exists. */
  deleted: Deleted | null
}

export type SentSave<S, C, E> = {
  sent: Draft<S, C, E>
  saveId: string
  /** The page has reverted its last step. */
  isReverted?: true
}

/** Author and time (ISO 8601) of the deletion of a document; '' if unknown. */
export type Deleted = { who: string; when: string }

/**
 * Why a save was refused: tag of the server state, the state once it is read, and the conflicts as the server reports
 * them.
 */
export type ConflictState<S> = { etag: string; saved: S | null; reported: ApiError['conflicts'] }

export const settledDraft = {
  saving: false,
  error: null,
  isServerAway: false,
  conflicts: [],
  conflictState: null,
  outcomeUnknown: null,
  changedAt: null,
  restored: false,
  secretsOmitted: false,
  deleted: null,
}

/** Cleared when the failed action no longer applies. */
export const withoutProblems = { saving: false, error: null, isServerAway: false, conflicts: [], conflictState: null }
export const unknownDeletion: Deleted = { who: '', when: '' }

/** Conflict without information from the server. */
export const unknownChange = { base: null, mine: null, theirs: null, who: '', when: '' }
