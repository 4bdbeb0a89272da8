import { hiddenValue } from '../commands/hidden-value.ts'
import type { DraftLaw, Place } from './draft-law.ts'
import { allUndone, followedSteps, movedSteps, originOf, stepOf, type Step } from './moved-steps.ts'

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
  /** What the server has by now, where that could not be put below; with nothing unsaved it is what is shown. */
  ahead: Loaded<S> | null
  /** While it was being saved others changed what I changed too: that is in the base as I saw it, and not as the tag's state has it. */
  contested?: true
}

/** A state of the server under its tag. */
export type Loaded<S> = { saved: S; etag: string }
/** Drafts of one kind of document: content plus edits, walked back and forth, put on top of other states, saved. */
export class Drafts<S, C, E> {
  readonly law: DraftLaw<S, C, E>

  constructor(law: DraftLaw<S, C, E>) {
    this.law = law
  }

  open(saved: S, etag: string): Draft<S, C, E> {
    const base = this.law.contentOf(saved)
    return { saved, base, etag, done: [], undone: [], content: base, changes: 0, ahead: null }
  }

  /** One step more, and nothing to make again. Edits that change nothing are none. */
  edited(draft: Draft<S, C, E>, edits: readonly E[]): Draft<S, C, E> {
    const after = this.law.apply(draft.content, edits)
    const { count, name } = this.law.compare(draft.content, after)
    if (count === 0) return draft
    return this.#current({ ...this.#made(draft, { name: name(), edits }), undone: [] })
  }

  /**
   * The same of what somebody typed while `seen` was stored, and applies now. Where others changed that very place since, it is
   * contested: the save will tell.
   */
  editedAbove(draft: Draft<S, C, E>, seen: C, edits: (content: C) => readonly E[]): Draft<S, C, E> {
    const { law } = this
    const typed = law.apply(seen, edits(seen))
    // What is below by now, but for the place that was typed in: that as it was seen.
    const base = law.mergeTakingTheirs(typed, law.mergeTakingTheirs(seen, draft.base, typed), seen)
    if (law.compare(base, draft.base).count === 0) return this.edited(draft, edits(draft.content))
    const { steps } = movedSteps(law, draft.base, draft.done, base, { wins: true })
    const all = this.replay(this.#contested(draft.ahead ?? draft, base), steps)
    return this.edited(all, edits(all.content))
  }

  /** Without the last step, which can be made again. */
  undone(draft: Draft<S, C, E>): Draft<S, C, E> {
    const last = draft.done.at(-1)
    if (!last) return draft
    const content = this.law.apply(draft.content, last.back)
    const done = draft.done.slice(0, -1)
    return this.#current(this.#counted({ ...draft, content, done, undone: [...draft.undone, stepOf(last)] }))
  }

  /** Without the last step, as if it had never been made. */
  withoutLast(draft: Draft<S, C, E>): Draft<S, C, E> {
    return { ...this.undone(draft), undone: draft.undone }
  }

  redone(draft: Draft<S, C, E>): Draft<S, C, E> {
    const next = draft.undone.at(-1)
    return next ? this.#current({ ...this.#made(draft, next), undone: draft.undone.slice(0, -1) }) : draft
  }

  /** As it is saved; every step can be made again. */
  discarded(draft: Draft<S, C, E>): Draft<S, C, E> {
    return this.#current(withoutSteps(draft))
  }

  /** The steps that were discarded, below what was done since; what was made again meanwhile is there once. */
  broughtBack(draft: Draft<S, C, E>, before: Draft<S, C, E>): Draft<S, C, E> {
    const known = new Set(before.done.map(originOf))
    const isThere = (step: Step<E>) => known.has(originOf(step))
    const undone = draft.undone.filter(step => !isThere(step))
    if (draft.base === before.base) {
      const start = { ...withoutSteps(draft), undone }
      return this.#withLater(this.replay(start, before.done), draft, isThere)
    }
    // On another state they may be there already: only what is still to be made again is.
    const again = draft.undone.slice(undone.length)
    const isRest = again.length + draft.done.filter(isThere).length === before.done.length
    if (again.length > 0 && again.every(isThere) && isRest)
      return again.reduce<Draft<S, C, E>>(now => this.redone(now), draft)
    // Opened anew since then it knows nothing of them. Where others changed the same they are on what they were made on.
    const { ahead } = draft
    const start = ahead ? { ...before, saved: ahead.saved, ahead } : this.rebased(before, draft.saved, draft.etag)
    const whole = this.#withLater(start, draft, isThere)
    if (this.law.compare(draft.content, whole.content).count > 0) return whole
    return again.length === 0 ? draft : { ...draft, undone }
  }

  /**
   * After the document changed on the server: its new state below, one's own steps on top, merged as a stale save is. Where both
   * changed the same field the base stays what it is: the save will tell, with both values.
   */
  rebased(draft: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const theirs = this.law.contentOf(saved)
    if (draft.changes === 0) return { ...this.open(saved, etag), undone: this.#undoneOn(draft, theirs) }
    const { base, content: mine } = draft
    const { merged } = this.law.merge(base, mine, theirs)
    if (!merged) return draft.ahead?.saved === saved ? draft : { ...draft, saved, ahead: { saved, etag } }
    const { steps } = movedSteps(this.law, draft.base, draft.done, theirs)
    const all = this.replay(this.open(saved, etag), steps)
    return { ...all, undone: this.#undoneOn(draft, all.content) }
  }

  /** The same state of the server under its tag; what it names may be called otherwise by now, also in one's own steps. */
  seenAgain(draft: Draft<S, C, E>, saved: S): Draft<S, C, E> {
    const theirs = this.law.contentOf(saved)
    const now = draft.contested ? null : this.law.renaming?.(draft.base, theirs)
    if (!now) return this.rebased(draft, saved, draft.etag)
    const undone = followedSteps(this.law, draft.content, draft.undone.toReversed(), now).toReversed()
    const start = { ...this.open(saved, draft.etag), undone }
    return this.replay(start, followedSteps(this.law, draft.base, draft.done, now))
  }

  /** One's own edits on top of the server's state, also where both changed the same: what they deleted and I edited comes back. */
  keptMine(draft: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const opened = this.open(saved, etag)
    const { withMine } = this.law
    const moved = () => movedSteps(this.law, draft.base, draft.done, opened.base, { wins: true })
    const replayed = this.replay(opened, withMine ? this.#stepsOn(opened.base, draft) : moved().steps)
    const back = withMine ? this.law.between(replayed.content, withMine(replayed.content, draft, opened.base)) : []
    const all =
      back.length === 0 ? replayed : this.#made(replayed, { name: 'Kept my side of the conflict', edits: back })
    return { ...all, undone: this.#undoneOn(draft, all.content) }
  }

  /** The server's state where both changed the same, and the rest of one's own on top; what gave way can be made again in one step. */
  tookTheirs(draft: Draft<S, C, E>, { saved, etag }: Loaded<S>): Draft<S, C, E> {
    const opened = this.open(saved, etag)
    const rest = this.law.mergeTakingTheirs(draft.base, draft.content, opened.base)
    const isAll = this.law.compare(opened.base, rest).count === 0
    const edits = isAll ? [] : this.law.between(opened.base, rest)
    const taken = isAll ? opened : this.#made(opened, { name: 'Kept what only I changed', edits })
    const again = this.law.between(taken.content, this.keptMine(draft, saved, etag).content)
    return { ...taken, undone: again.length === 0 ? [] : [{ name: 'My side of the conflict', edits: again }] }
  }

  /** Where both changed the same, seen from a state of the server. The value of a secret is nobody's to see; whether it is there is told. */
  conflictsWith({ base, content: mine }: Draft<S, C, E>, saved: S): Place[] {
    const theirs = this.law.contentOf(saved)
    const { secrets } = this.law
    return (this.law.merge(base, mine, theirs).conflicts ?? []).map(one => {
      if (!secrets?.isAt(one, [base, mine, theirs])) return one
      return { ...one, base: hidden(one.base), mine: hidden(one.mine), theirs: hidden(one.theirs) }
    })
  }

  /**
   * After `sent` was saved: what was done since then stays, on top of what the server made of it. Where others changed the same, it is
   * contested: the next save will tell.
   */
  afterSave(now: Draft<S, C, E>, sent: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    if (now.content === sent.content) return this.open(saved, etag)
    // A newer state was read meanwhile.
    if (now.etag !== sent.etag) return this.rebased(now, saved, etag)
    const opened = this.open(saved, etag)
    const asStored = this.law.secrets?.asStored(sent.content, opened.base) ?? same
    const { from, later, seen } = now.contested
      ? this.#laterAbove(now, sent, asStored)
      : { from: sent.content, later: this.#later(now, sent), seen: asStored }
    const { steps, isWhole } = movedSteps(this.law, from, later, opened.base, { seen })
    if (!isWhole) {
      // The state that was stored, but for what both changed: of that what I saw.
      const [before, mine] = [seen(from), asStored(now.content)]
      const both = this.law.mergeTakingTheirs(before, opened.base, mine)
      const base = this.law.mergeTakingTheirs(mine, both, before)
      const mineOn = movedSteps(this.law, from, later, base, { seen, wins: true })
      return this.replay(this.#contested(opened, base), mineOn.steps)
    }
    const all = this.replay(opened, steps)
    return { ...all, undone: this.#undoneOn(now, all.content, seen) }
  }

  /** What somebody saw of the stored state, after a save of theirs: what they saved as it is stored, the rest as it was. */
  seenAfterSave(seen: C, sent: Draft<S, C, E>, saved: S): C {
    const asStored = this.law.secrets?.asStored(sent.content, this.law.contentOf(saved)) ?? same
    return this.law.mergeTakingTheirs(sent.base, seen, asStored(sent.content))
  }

  /** The steps of a draft on the state that another one of the document was based on. */
  basedOn(before: Draft<S, C, E>, draft: Draft<S, C, E>): Draft<S, C, E> {
    const start = { ...withoutSteps(before), saved: draft.saved, undone: [] }
    const all = this.#withLater(start, draft)
    return { ...all, undone: this.#undoneOn(draft, all.content) }
  }

  /** A draft with what another one of the document changed on top of it; null where both changed the same. */
  withOther(draft: Draft<S, C, E>, other: Draft<S, C, E>): Draft<S, C, E> | null {
    const { steps, isWhole } = movedSteps(this.law, other.base, other.done, draft.content)
    return isWhole ? this.replay(draft, steps) : null
  }

  /** The steps on top of a draft, one after the other. */
  replay(draft: Draft<S, C, E>, steps: readonly Step<E>[]): Draft<S, C, E> {
    return this.#counted(steps.reduce((now, step) => this.#put(now, step), draft))
  }

  #later(now: Draft<S, C, E>, sent: Draft<S, C, E>): readonly Step<E>[] {
    if (sent.done.every((step, index) => now.done[index] === step)) return now.done.slice(sent.done.length)
    return [{ name: 'Changes made while saving', edits: this.law.between(sent.content, now.content) }]
  }

  /** The same where something was typed, while that was saved, above a state that others had changed before. */
  #laterAbove(now: Draft<S, C, E>, sent: Draft<S, C, E>, asStored: (content: C) => C) {
    const from = this.law.mergeTakingTheirs(sent.base, now.base, asStored(sent.content))
    const edits = this.law.between(from, asStored(now.content))
    return { from, later: [{ name: now.done.at(-1)?.name ?? '', edits }], seen: same<C> }
  }

  /** On a state of the server, but with some places as they were seen: the next save tells. */
  #contested({ saved, etag }: Loaded<S>, base: C): Draft<S, C, E> {
    return { ...this.open(saved, etag), base, content: base, ahead: { saved, etag }, contested: true }
  }

  #made(draft: Draft<S, C, E>, step: Step<E>): Draft<S, C, E> {
    return this.#counted(this.#put(draft, step))
  }

  #put(draft: Draft<S, C, E>, step: Step<E>): Draft<S, C, E> {
    const back = this.law.invert(draft.content, step.edits)
    const content = this.law.apply(draft.content, step.edits)
    return { ...draft, content, done: [...draft.done, { ...stepOf(step), back }] }
  }

  /** What another draft did on top of this one. */
  #withLater(
    draft: Draft<S, C, E>,
    other: Draft<S, C, E>,
    isThere: (step: Step<E>) => boolean = () => false,
  ): Draft<S, C, E> {
    const { steps } = movedSteps(this.law, other.base, other.done, draft.content, { wins: true, isThere })
    return this.replay(draft, steps)
  }

  /** The steps as they are, or as one where something was changed and changed back, which on another state would be a change. */
  #stepsOn(other: C, { base, content, done }: Draft<S, C, E>): readonly Step<E>[] {
    const name = done.at(-1)?.name ?? ''
    const net = { name, edits: this.law.between(base, content) }
    const lead = (steps: readonly Step<E>[]) => steps.reduce((now, { edits }) => this.law.apply(now, edits), other)
    return this.law.compare(lead(done), lead([net])).count === 0 ? done : [net]
  }

  /** What can be made again of a draft, on another state; from the first on that both changed it cannot. */
  #undoneOn(draft: Draft<S, C, E>, other: C, seen: (content: C) => C = same): Step<E>[] {
    const again = draft.undone.toReversed()
    return movedSteps(this.law, draft.content, again, other, { seen }).steps.toReversed()
  }

  /** Nothing unsaved stands above the state below it any longer: what is shown is what the server has. */
  #current(draft: Draft<S, C, E>): Draft<S, C, E> {
    if (draft.changes > 0 || !draft.ahead) return draft
    const opened = this.open(draft.ahead.saved, draft.ahead.etag)
    return { ...opened, undone: this.#undoneOn(draft, opened.base) }
  }

  #counted(draft: Draft<S, C, E>): Draft<S, C, E> {
    return { ...draft, changes: this.law.compare(draft.base, draft.content).count }
  }
}

const same = <C>(content: C) => content

function hidden(value: unknown): unknown {
  return value === undefined || value === null || value === '' ? value : hiddenValue
}

/** On the state that it is based on. */
export function withoutSteps<S, C, E>(draft: Draft<S, C, E>): Draft<S, C, E> {
  return { ...draft, content: draft.base, changes: 0, done: [], undone: allUndone(draft) }
}
