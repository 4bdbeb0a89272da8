import type { Conflict, Merge } from '@cadmus/model/merge-fields'

/** Where in a content two people changed the same. */
export type Place = Pick<Conflict, 'path' | 'field'>

/** What is hidden from the page: it sees what stands for a secret, and so whether somebody changed it. */
export type SecretLaw<C> = {
  /** Whether the place holds a secret of one of the contents. */
  isAt: (place: Place, contents: readonly C[]) => boolean
  /** After `sent` was stored as `saved`: contents made from what was sent, with what stands for its secrets by now. */
  asStored: (sent: C, saved: C) => (content: C) => C
}

/** What drafts must know of the contents of one kind of document. */
export type DraftLaw<S, C, E> = {
  /** The content in what the server answered. */
  contentOf: (saved: S) => C
  apply: (content: C, edits: readonly E[]) => C
  invert: (content: C, edits: readonly E[]) => E[]
  between: (before: C, after: C) => E[]
  /** In how many places they differ, and what that is called. */
  compare: (before: C, after: C) => { count: number; name: () => string }
  merge: (base: C, mine: C, theirs: C) => Merge<C>
  /** The same where theirs is taken of all that both changed. */
  mergeTakingTheirs: (base: C, mine: C, theirs: C) => C
  /**
   * The server's content with one's own steps on top of it, and with what of either they leave out. Absent: a step may set a whole list,
   * and each is merged.
   */
  withMine?: (replayed: C, draft: { base: C; content: C }, theirs: C) => C
  /** What became of names that the content holds while it stayed what it is; null: nothing. Absent: it holds none. */
  renaming?: (base: C, theirs: C) => ((content: C) => C) | null
  /** Absent: it holds no secrets. */
  secrets?: SecretLaw<C>
}

export function isSamePlace({ path, field }: Place): (other: Place) => boolean {
  return other => other.path === path && other.field === field
}
