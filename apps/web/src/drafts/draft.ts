import type { Merge } from '@cadmus/model/merge-fields'

/** What one undo takes back, and what it is called: 'Renamed attribute a to b'. */
export type Step<E> = { name: string; edits: readonly E[] }
/** A step that was made, with the edits that take it back. */
type Done<E> = Step<E> & { back: readonly E[] }

/** An open document with what has been changed and not yet saved: the state that the edits are based on, and the edits. */
export type Draft<S, C, E> = {
  /** What the server said last: its place, versions and locks. */
  saved: S
  /** The state that `etag` names. */
  base: C
  etag: string
  done: readonly Done<E>[]
  /** What was taken back; the last one comes again first. */
  undone: readonly Step<E>[]
  /** The base with all that was done. */
  content: C
  /** In how many places it differs from the base: none, and there is nothing to save. */
  changes: number
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
  /** The server's content with one's own steps on top of it, and with what of either they leave out. */
  withMine: (replayed: C, draft: { base: C; content: C }, theirs: C) => C
  /** What became of names that the content holds while it stayed what it is; null: nothing. Absent: it holds none. */
  renaming?: (base: C, theirs: C) => ((content: C) => C) | null
}

/** Drafts of one kind of document: content plus edits, walked back and forth, put on top of other states, saved. */
export class Drafts<S, C, E> {
  readonly law: DraftLaw<S, C, E>

  constructor(law: DraftLaw<S, C, E>) {
    this.law = law
  }

  open(saved: S, etag: string): Draft<S, C, E> {
    const base = this.law.contentOf(saved)
    return { saved, base, etag, done: [], undone: [], content: base, changes: 0 }
  }

  /** One step more, and nothing to make again. Edits that change nothing are none. */
  edited(draft: Draft<S, C, E>, edits: readonly E[]): Draft<S, C, E> {
    const after = this.law.apply(draft.content, edits)
    const { count, name } = this.law.compare(draft.content, after)
    if (count === 0) return draft
    return { ...this.#made(draft, { name: name(), edits }), undone: [] }
  }

  /** Without the last step, which can be made again. */
  undone(draft: Draft<S, C, E>): Draft<S, C, E> {
    const last = draft.done.at(-1)
    if (!last) return draft
    const content = this.law.apply(draft.content, last.back)
    return this.#counted({ ...draft, content, done: draft.done.slice(0, -1), undone: [...draft.undone, stepOf(last)] })
  }

  redone(draft: Draft<S, C, E>): Draft<S, C, E> {
    const next = draft.undone.at(-1)
    return next ? { ...this.#made(draft, next), undone: draft.undone.slice(0, -1) } : draft
  }

  /** As it is saved; every step can be made again. */
  discarded(draft: Draft<S, C, E>): Draft<S, C, E> {
    return { ...draft, content: draft.base, changes: 0, done: [], undone: allUndone(draft) }
  }

  /** The steps that were discarded, below what was done since; what was made again meanwhile is there once. */
  broughtBack(draft: Draft<S, C, E>, before: Draft<S, C, E>): Draft<S, C, E> {
    const { base, done: steps } = before
    const known = new Set(steps.map(({ edits }) => edits))
    const isOther = ({ edits }: Step<E>) => !known.has(edits)
    if (draft.base !== base) {
      // On another state they may be there already: only what is still to be made again is.
      const again = draft.undone.filter(step => !isOther(step))
      if (again.length > 0) return again.reduce<Draft<S, C, E>>(now => this.redone(now), draft)
      // Opened anew since then it knows nothing of them.
      const whole = this.replay(this.rebased(before, draft.saved, draft.etag), draft.done)
      return whole.changes === draft.changes ? draft : whole
    }
    const start = { ...this.discarded(draft), undone: draft.undone.filter(isOther) }
    return this.replay(start, [...steps, ...draft.done.filter(isOther)])
  }

  /**
   * After the document changed on the server: its new state below, one's own steps on top, merged as a stale save is. Where both
   * changed the same field the base stays what it is: the save will tell, with both values.
   */
  rebased(draft: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const theirs = this.law.contentOf(saved)
    if (draft.changes === 0) return { ...this.open(saved, etag), undone: draft.undone }
    const { merged } = this.law.merge(draft.base, draft.content, theirs)
    if (!merged) return { ...draft, saved }
    const replayed = this.replay({ ...this.open(saved, etag), undone: draft.undone }, draft.done)
    // Other numbers for the same order are no difference.
    if (this.law.compare(replayed.content, merged).count === 0) return replayed
    const edits = this.law.between(replayed.content, merged)
    return this.#made(replayed, { name: 'Merged with what others saved', edits })
  }

  /** The same state of the server under its tag; what it names may be called otherwise by now, also in one's own steps. */
  seenAgain(draft: Draft<S, C, E>, saved: S): Draft<S, C, E> {
    const theirs = this.law.contentOf(saved)
    const now = this.law.renaming?.(draft.base, theirs)
    if (!now) return this.rebased(draft, saved, draft.etag)
    const follow = (from: C, steps: readonly Step<E>[]) => {
      const followed: Step<E>[] = []
      let before = from
      for (const { name, edits } of steps) {
        const after = this.law.apply(before, edits)
        followed.push({ name, edits: this.law.between(now(before), now(after)) })
        before = after
      }
      return followed
    }
    const undone = follow(draft.content, draft.undone.toReversed()).toReversed()
    return this.replay({ ...this.open(saved, draft.etag), undone }, follow(draft.base, draft.done))
  }

  /** One's own edits on top of the server's state, also where both changed the same: what they deleted and I edited comes back. */
  keptMine(draft: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const opened = this.open(saved, etag)
    const replayed = this.replay({ ...opened, undone: draft.undone }, draft.done)
    const back = this.law.between(replayed.content, this.law.withMine(replayed.content, draft, opened.base))
    return back.length === 0 ? replayed : this.#made(replayed, { name: 'Kept what others deleted', edits: back })
  }

  /** The server's state where both changed the same, and the rest of one's own on top; what gave way can be made again in one step. */
  tookTheirs(draft: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const opened = this.open(saved, etag)
    const rest = this.law.mergeTakingTheirs(draft.base, draft.content, opened.base)
    const isAll = this.law.compare(opened.base, rest).count === 0
    const edits = isAll ? [] : this.law.between(opened.base, rest)
    const taken = isAll ? opened : this.#made(opened, { name: 'Kept what only I changed', edits })
    const again = this.law.between(taken.content, this.keptMine(draft, saved, etag).content)
    return { ...taken, undone: again.length === 0 ? [] : [{ name: 'My side of the conflict', edits: again }] }
  }

  /** After `sent` was saved: what was done since then stays, on top of what the server made of it. */
  afterSave(now: Draft<S, C, E>, sent: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    if (now.content === sent.content) return this.open(saved, etag)
    const later = sent.done.every((step, index) => now.done[index] === step)
      ? now.done.slice(sent.done.length)
      : [{ name: 'Changes made while saving', edits: this.law.between(sent.content, now.content) }]
    return this.replay({ ...this.open(saved, etag), undone: now.undone }, later)
  }

  /** The steps on top of a draft, one after the other. */
  replay(draft: Draft<S, C, E>, steps: readonly Step<E>[]): Draft<S, C, E> {
    return steps.reduce((now, step) => this.#made(now, step), draft)
  }

  #made(draft: Draft<S, C, E>, { name, edits }: Step<E>): Draft<S, C, E> {
    const back = this.law.invert(draft.content, edits)
    const content = this.law.apply(draft.content, edits)
    return this.#counted({ ...draft, content, done: [...draft.done, { name, edits, back }] })
  }

  #counted(draft: Draft<S, C, E>): Draft<S, C, E> {
    return { ...draft, changes: this.law.compare(draft.base, draft.content).count }
  }
}

function allUndone<S, C, E>({ done, undone: before }: Draft<S, C, E>): Step<E>[] {
  return [...before, ...done.toReversed().map(stepOf)]
}

function stepOf<E>({ name, edits }: Step<E>): Step<E> {
  return { name, edits }
}
