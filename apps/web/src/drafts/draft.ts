import { hiddenValue } from '../commands/hidden-value.ts'
import type { DraftAdapter, Place } from './draft-adapter.ts'
import { allUndone, followedSteps, isOfSaved, movedSteps, originOf, stepOf, type Step } from './moved-steps.ts'

/** An applied step with its inverse edits. */
type Done<E> = Step<E> & { back: readonly E[] }

/** An open document with its unsaved edits and the state that they are based on. */
export type Draft<S, C, E> = {
  /** The last server response: path, versions and locks. */
  saved: S
  /** The content of the state with tag `etag`. */
  base: C
  etag: string
  done: readonly Done<E>[]
  /** Redo stack; the last step is redone first. Steps that take back saved changes are in both lists. */
  undone: readonly Step<E>[]
  /** The base with all edits applied. */
  content: C
  /** Number of places that differ from the base; 0: nothing to save. */
  changes: number
  /** A newer server state that could not be merged below the edits. */
  incoming: Loaded<S> | null
  /**
   * Other users changed the same places during a save: the base holds the values that the user saw, not the values of
   * the tag.
   */
  conflicting?: true
}

export type Loaded<S> = { saved: S; etag: string }
/** Operations on drafts of one kind of document: edit, undo, redo, rebase, save. */
export class Drafts<S, C, E> {
  readonly adapter: DraftAdapter<S, C, E>

  constructor(adapter: DraftAdapter<S, C, E>) {
    this.adapter = adapter
  }

  open(saved: S, etag: string): Draft<S, C, E> {
    const base = this.adapter.contentOf(saved)
    return { saved, base, etag, done: [], undone: [], content: base, changes: 0, incoming: null }
  }

  /** Applies a step and clears the redo stack. Edits without effect are ignored. */
  edited(draft: Draft<S, C, E>, edits: readonly E[]): Draft<S, C, E> {
    const after = this.adapter.apply(draft.content, edits)
    const { count, name } = this.adapter.compare(draft.content, after)
    if (count === 0) return draft
    return this.#current({ ...this.#made(draft, { name: name(), edits }), undone: [] })
  }

  /** Takes back a saved change, or makes it again, even if nothing is left to change. */
  derived(draft: Draft<S, C, E>, step: Step<E>): Draft<S, C, E> {
    const undone = isOfSaved(step) ? [...draft.undone, step] : draft.undone
    return this.#current({ ...this.#made(draft, step), undone })
  }

  /**
   * Applies an edit that was begun on state `seen`. If another user has changed the same place since, the draft is
   * marked as conflicting, and the save reports the conflict.
   */
  editedAbove(draft: Draft<S, C, E>, seen: C, edits: (content: C) => readonly E[]): Draft<S, C, E> {
    const { adapter } = this
    const typed = adapter.apply(seen, edits(seen))
    // The current base with the edited place as the user saw it.
    const base = adapter.mergeTakingTheirs(typed, adapter.mergeTakingTheirs(seen, draft.base, typed), seen)
    if (adapter.compare(base, draft.base).count === 0) return this.edited(draft, edits(draft.content))
    const { steps } = movedSteps(adapter, draft.base, draft.done, base, { wins: true })
    const all = this.replay(this.#conflicting(draft.incoming ?? draft, base), steps)
    return this.edited(all, edits(all.content))
  }

  /** The last step is reverted, unless it takes back a saved change: then an earlier saved one is next. */
  undone(draft: Draft<S, C, E>): Draft<S, C, E> {
    const last = draft.done.at(-1)
    return last && !isOfSaved(last) ? this.#reverted(draft, last, [...draft.undone, stepOf(last)]) : draft
  }

  redone(draft: Draft<S, C, E>): Draft<S, C, E> {
    const [last, next] = [draft.done.at(-1), draft.undone.at(-1)]
    const undone = draft.undone.slice(0, -1)
    const isOwn = last && isOfSaved(last) && (!next || originOf(next) === originOf(last))
    if (isOwn) return this.#reverted(draft, last, undone)
    return next ? this.#current({ ...this.#made(draft, next), undone }) : draft
  }

  #reverted(draft: Draft<S, C, E>, last: Done<E>, undone: readonly Step<E>[]): Draft<S, C, E> {
    const content = this.adapter.apply(draft.content, last.back)
    return this.#current(this.#counted({ ...draft, content, done: draft.done.slice(0, -1), undone }))
  }

  /** Reverts to the saved state; every step can be redone. */
  discarded(draft: Draft<S, C, E>): Draft<S, C, E> {
    return this.#current(withoutSteps(draft))
  }

  /** Restores discarded steps below later edits; steps already redone are included once. */
  withDiscarded(draft: Draft<S, C, E>, before: Draft<S, C, E>): Draft<S, C, E> {
    const discarded = new Set(before.done.map(originOf))
    const isApplied = (step: Step<E>) => discarded.has(originOf(step))
    const undone = draft.undone.filter(step => !isApplied(step))
    if (draft.base === before.base) {
      const start = { ...withoutSteps(draft), undone }
      return this.#withLater(this.replay(start, before.done), draft, isApplied)
    }
    // On another base, some steps may be present already: redoes only the remaining steps.
    const again = draft.undone.slice(undone.length)
    const isRest = again.length + draft.done.filter(isApplied).length === before.done.length
    if (again.length > 0 && again.every(isApplied) && isRest)
      return again.reduce<Draft<S, C, E>>(now => this.redone(now), draft)
    // A draft reopened since then has no record of the steps. In a conflict the steps keep their original base.
    const { incoming } = draft
    const moved = this.rebased(before, draft.saved, draft.etag)
    const onBase = moved.incoming ? moved : { ...moved, base: draft.base }
    const start = incoming ? { ...before, saved: incoming.saved, incoming } : onBase
    const complete = this.#withLater(start, draft, isApplied)
    if (this.adapter.compare(draft.content, complete.content).count > 0) return complete
    return again.length === 0 ? draft : { ...draft, undone }
  }

  /**
   * Rebases the draft onto a new server state, merged like a stale save. In a conflict the base is unchanged and the
   * save reports both values.
   */
  rebased(draft: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const theirs = this.adapter.contentOf(saved)
    if (draft.changes === 0) return { ...this.open(saved, etag), undone: this.#undoneOn(draft, theirs) }
    const { base, content: mine } = draft
    const { merged } = this.adapter.merge(base, mine, theirs)
    if (!merged) return draft.incoming?.saved === saved ? draft : { ...draft, saved, incoming: { saved, etag } }
    const { steps } = movedSteps(this.adapter, draft.base, draft.done, theirs)
    const all = this.replay(this.open(saved, etag), steps)
    return { ...all, undone: this.#undoneOn(draft, all.content) }
  }

  /** Updates the response for the same tag; renamed references are adapted in the edits too. */
  refreshed(draft: Draft<S, C, E>, saved: S): Draft<S, C, E> {
    const theirs = this.adapter.contentOf(saved)
    const now = draft.conflicting ? null : this.adapter.renaming?.(draft.base, theirs)
    if (!now) return this.rebased(draft, saved, draft.etag)
    const undone = followedSteps(this.adapter, draft.content, draft.undone.toReversed(), now).toReversed()
    const start = { ...this.open(saved, draft.etag), undone }
    return this.replay(start, followedSteps(this.adapter, draft.base, draft.done, now))
  }

  /**
   * Applies the user's edits on top of the server state; they win conflicts. Items deleted by other users but edited
   * here are restored.
   */
  keepMine(draft: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const opened = this.open(saved, etag)
    const { withMine } = this.adapter
    const moved = () => movedSteps(this.adapter, draft.base, draft.done, opened.base, { wins: true })
    const replayed = this.replay(opened, withMine ? this.#stepsOn(opened.base, draft) : moved().steps)
    const back = withMine ? this.adapter.between(replayed.content, withMine(replayed.content, draft, opened.base)) : []
    const all =
      back.length === 0 ? replayed : this.#made(replayed, { name: 'Kept my side of the conflict', edits: back })
    return { ...all, undone: this.#undoneOn(draft, all.content) }
  }

  /**
   * Applies the server state in conflicts and keeps the remaining edits; the dropped edits can be redone in one step.
   */
  takeTheirs(draft: Draft<S, C, E>, { saved, etag }: Loaded<S>): Draft<S, C, E> {
    const opened = this.open(saved, etag)
    const rest = this.adapter.mergeTakingTheirs(draft.base, draft.content, opened.base)
    const isAll = this.adapter.compare(opened.base, rest).count === 0
    const edits = isAll ? [] : this.adapter.between(opened.base, rest)
    const accepted = isAll ? opened : this.#made(opened, { name: 'Kept what only I changed', edits })
    const again = this.adapter.between(accepted.content, this.keepMine(draft, saved, etag).content)
    return { ...accepted, undone: again.length === 0 ? [] : [{ name: 'My side of the conflict', edits: again }] }
  }

  /** Conflicts with a server state. Values of secrets are hidden; only their presence is shown. */
  conflictsWith({ base, content: mine }: Draft<S, C, E>, saved: S): Place[] {
    const theirs = this.adapter.contentOf(saved)
    const { secrets } = this.adapter
    return (this.adapter.merge(base, mine, theirs).conflicts ?? []).map(one => {
      if (!secrets?.isAt(one, [base, mine, theirs])) return one
      return { ...one, base: hidden(one.base), mine: hidden(one.mine), theirs: hidden(one.theirs) }
    })
  }

  /**
   * Rebases edits made during the save onto the stored state. Conflicts with changes by other users are reported by the
   * next save.
   */
  afterSave(now: Draft<S, C, E>, sent: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const opened = this.open(saved, etag)
    const asStored = this.adapter.secrets?.asStored(sent.content, opened.base) ?? same
    if (now.content === sent.content) {
      // What was undone before taking back saved changes comes after those, which Redo finds in the log.
      const undone = now.undone.some(isOfSaved) ? [] : now.undone
      return { ...opened, undone: this.#undoneOn({ ...now, undone }, opened.base, asStored) }
    }
    // A newer state was read during the save.
    if (now.etag !== sent.etag) return this.rebased(now, saved, etag)
    const { from, later, seen } = now.conflicting
      ? this.#laterAbove(now, sent, asStored)
      : { from: sent.content, later: this.#later(now, sent), seen: asStored }
    const { steps, isWhole } = movedSteps(this.adapter, from, later, opened.base, { seen })
    if (!isWhole) {
      // The stored state, with the conflicting places as the user saw them.
      const [before, mine] = [seen(from), asStored(now.content)]
      const both = this.adapter.mergeTakingTheirs(before, opened.base, mine)
      const base = this.adapter.mergeTakingTheirs(mine, both, before)
      const mineOn = movedSteps(this.adapter, from, later, base, { seen, wins: true })
      return this.replay(this.#conflicting(opened, base), mineOn.steps)
    }
    const all = this.replay(opened, steps)
    const stored = new Set(sent.done.map(originOf))
    const undone = now.undone.filter(step => !isOfSaved(step) || !stored.has(originOf(step)))
    return { ...all, undone: this.#undoneOn({ ...now, undone }, all.content, seen) }
  }

  /** Moves the steps of a draft to the base of another draft of the document. */
  basedOn(before: Draft<S, C, E>, draft: Draft<S, C, E>): Draft<S, C, E> {
    const start = { ...withoutSteps(before), saved: draft.saved, undone: [] }
    const all = this.#withLater(start, draft)
    return { ...all, undone: this.#undoneOn(draft, all.content) }
  }

  /** Merges another draft of the document on top of this one; null if they conflict. */
  withOther(draft: Draft<S, C, E>, other: Draft<S, C, E>): Draft<S, C, E> | null {
    const { steps, isWhole } = movedSteps(this.adapter, other.base, other.done, draft.content)
    return isWhole ? this.replay(draft, steps) : null
  }

  replay(draft: Draft<S, C, E>, steps: readonly Step<E>[]): Draft<S, C, E> {
    return this.#counted(steps.reduce((now, step) => this.#put(now, step), draft))
  }

  #later(now: Draft<S, C, E>, sent: Draft<S, C, E>): readonly Step<E>[] {
    if (sent.done.every((step, index) => now.done[index] === step)) return now.done.slice(sent.done.length)
    return [{ name: 'Changes made while saving', edits: this.adapter.between(sent.content, now.content) }]
  }

  /** Like `#later`, for edits made during the save on top of a conflicting base. */
  #laterAbove(now: Draft<S, C, E>, sent: Draft<S, C, E>, asStored: (content: C) => C) {
    const from = this.adapter.mergeTakingTheirs(sent.base, now.base, asStored(sent.content))
    const edits = this.adapter.between(from, asStored(now.content))
    return { from, later: [{ name: now.done.at(-1)?.name ?? '', edits }], seen: same<C> }
  }

  /** Opens a server state with some places as the user saw them, so that the next save reports the conflict. */
  #conflicting({ saved, etag }: Loaded<S>, base: C): Draft<S, C, E> {
    return { ...this.open(saved, etag), base, content: base, incoming: { saved, etag }, conflicting: true }
  }

  #made(draft: Draft<S, C, E>, step: Step<E>): Draft<S, C, E> {
    return this.#counted(this.#put(draft, step))
  }

  #put(draft: Draft<S, C, E>, step: Step<E>): Draft<S, C, E> {
    const back = this.adapter.invert(draft.content, step.edits)
    const content = this.adapter.apply(draft.content, step.edits)
    return { ...draft, content, done: [...draft.done, { ...stepOf(step), back }] }
  }

  /** Adds the changes of another draft on top. */
  #withLater(
    draft: Draft<S, C, E>,
    other: Draft<S, C, E>,
    isApplied: (step: Step<E>) => boolean = () => false,
  ): Draft<S, C, E> {
    const { steps } = movedSteps(this.adapter, other.base, other.done, draft.content, { wins: true, isApplied })
    return this.replay(draft, steps)
  }

  /**
   * Returns the steps unchanged, or merged into one if some cancel each other out, because they would have an effect on
   * another state.
   */
  #stepsOn(other: C, { base, content, done }: Draft<S, C, E>): readonly Step<E>[] {
    const name = done.at(-1)?.name ?? ''
    const net = { name, edits: this.adapter.between(base, content) }
    const lead = (steps: readonly Step<E>[]) => steps.reduce((now, { edits }) => this.adapter.apply(now, edits), other)
    return this.adapter.compare(lead(done), lead([net])).count === 0 ? done : [net]
  }

  /** Moves the redo stack to another state; drops it from the first conflict on. */
  #undoneOn(draft: Draft<S, C, E>, other: C, seen: (content: C) => C = same): Step<E>[] {
    const again = draft.undone.toReversed()
    return movedSteps(this.adapter, draft.content, again, other, { seen }).steps.toReversed()
  }

  /** Applies the newer server state once all edits are saved. */
  #current(draft: Draft<S, C, E>): Draft<S, C, E> {
    if (draft.changes > 0 || !draft.incoming) return draft
    const opened = this.open(draft.incoming.saved, draft.incoming.etag)
    return { ...opened, undone: this.#undoneOn(draft, opened.base) }
  }

  #counted(draft: Draft<S, C, E>): Draft<S, C, E> {
    return { ...draft, changes: this.adapter.compare(draft.base, draft.content).count }
  }
}

const same = <C>(content: C) => content

function hidden(value: unknown): unknown {
  return value === undefined || value === null || value === '' ? value : hiddenValue
}

export function withoutSteps<S, C, E>(draft: Draft<S, C, E>): Draft<S, C, E> {
  return { ...draft, content: draft.base, changes: 0, done: [], undone: allUndone(draft) }
}
