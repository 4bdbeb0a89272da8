import type { Conflict, Merge } from '@cadmus/model/merge/items'

/** The place of a conflict within a content. */
export type Place = Pick<Conflict, 'path' | 'field'>

/** Secrets are hidden from the page: contents hold placeholders, which change with the secret. */
export type SecretAdapter<C> = {
  /** Whether the place holds a secret in one of the contents. */
  isAt: (place: Place, contents: readonly C[]) => boolean
  /** After `sent` was stored as `saved`: maps contents derived from `sent` to the stored placeholders. */
  asStored: (sent: C, saved: C) => (content: C) => C
}

/** The operations that drafts need on the contents of a document kind. */
export type DraftAdapter<S, C, E> = {
  contentOf: (saved: S) => C
  apply: (content: C, edits: readonly E[]) => C
  invert: (content: C, edits: readonly E[]) => E[]
  between: (before: C, after: C) => E[]
  /** Number of differing places, and a label for the difference. */
  compare: (before: C, after: C) => { count: number; name: () => string }
  merge: (base: C, mine: C, theirs: C) => Merge<C>
  /** Like `merge`, but resolves every conflict in favour of theirs. */
  mergeTakingTheirs: (base: C, mine: C, theirs: C) => C
  /**
   * Restores content that was lost when the user's steps were replayed on the server's content. Undefined if steps may set
   * whole lists; each list is then merged.
   */
  withMine?: (replayed: C, draft: { base: C; content: C }, theirs: C) => C
  /**
   * Maps contents to renamed references if only names have changed; null otherwise. Undefined if contents have no
   * names of other documents.
   */
  renaming?: (base: C, theirs: C) => ((content: C) => C) | null
  /** Undefined for contents without secrets. */
  secrets?: SecretAdapter<C>
}

export function isSamePlace({ path, field }: Place): (other: Place) => boolean {
  return other => other.path === path && other.field === field
}
