import type { Conflict, Merge } from '@cadmus/model/merge-fields'
import { hiddenValue } from '../commands/hidden-value.ts'

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
  /** What the server has by now, where that could not be put below; with nothing unsaved it is what is shown. */
  ahead: Loaded<S> | null
}

/** A state of the server under its tag. */
export type Loaded<S> = { saved: S; etag: string }
/** Where in a content two people changed the same. */
export type Place = Pick<Conflict, 'path' | 'field'>

/** What is hidden from the page: it sees that a secret is there, and not whether somebody changed it. */
export type SecretLaw<C> = {
  /** Whether only the server can tell that nobody else changed a secret that I changed. */
  touched: (base: C, mine: C, theirs: C) => boolean
  /** Whether the place holds a secret of one of the contents. */
  isAt: (place: Place, contents: readonly C[]) => boolean
  differs: (place: Place, base: C, mine: C) => boolean
  /** Whether a content has what the place is in. */
  isThere: (place: Place, content: C) => boolean
  /** Mine with the secrets of these places as they were. */
  asBefore: (places: readonly Place[], base: C, mine: C) => C
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
  /** Absent: it holds no secrets. */
  secrets?: SecretLaw<C>
}

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

  /** Without the last step, which can be made again. */
  undone(draft: Draft<S, C, E>): Draft<S, C, E> {
    const last = draft.done.at(-1)
    if (!last) return draft
    const content = this.law.apply(draft.content, last.back)
    const done = draft.done.slice(0, -1)
    return this.#current(this.#counted({ ...draft, content, done, undone: [...draft.undone, stepOf(last)] }))
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
    const { base, done: steps } = before
    const known = new Set(steps.map(({ edits }) => edits))
    const isOther = ({ edits }: Step<E>) => !known.has(edits)
    if (draft.base !== base) {
      // On another state they may be there already: only what is still to be made again is.
      const again = draft.undone.filter(step => !isOther(step))
      const isSound = this.law.merge(base, before.content, draft.base).merged !== undefined
      if (again.length > 0 && isSound) return again.reduce<Draft<S, C, E>>(now => this.redone(now), draft)
      // Opened anew since then it knows nothing of them. Where others changed the same they are on what they were made on.
      const whole = this.replay(this.rebased(before, draft.saved, draft.etag), draft.done)
      return whole.changes === draft.changes ? draft : whole
    }
    const start = { ...withoutSteps(draft), undone: draft.undone.filter(isOther) }
    return this.replay(start, [...steps, ...draft.done.filter(isOther)])
  }

  /**
   * After the document changed on the server: its new state below, one's own steps on top, merged as a stale save is. Where both
   * changed the same field, or may have where it cannot be seen, the base stays what it is: the save will tell, with both values.
   */
  rebased(draft: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    const theirs = this.law.contentOf(saved)
    if (draft.changes === 0) return { ...this.open(saved, etag), undone: draft.undone }
    const { merged } = this.law.merge(draft.base, draft.content, theirs)
    const isUnseen = etag !== draft.etag && (this.law.secrets?.touched(draft.base, draft.content, theirs) ?? false)
    if (!merged || isUnseen) return draft.ahead?.saved === saved ? draft : { ...draft, saved, ahead: { saved, etag } }
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
    return back.length === 0 ? replayed : this.#made(replayed, { name: 'Kept my side of the conflict', edits: back })
  }

  /**
   * The server's state where both changed the same, and the rest of one's own on top; what gave way can be made again in one step.
   * `found`: what the server said of both sides, which sees the secrets.
   */
  tookTheirs(draft: Draft<S, C, E>, { saved, etag }: Loaded<S>, found: readonly Place[]): Draft<S, C, E> {
    const opened = this.open(saved, etag)
    const { base, content } = draft
    const mine = this.law.secrets?.asBefore(found, base, content) ?? content
    const rest = this.law.mergeTakingTheirs(base, mine, opened.base)
    const isAll = this.law.compare(opened.base, rest).count === 0
    const edits = isAll ? [] : this.law.between(opened.base, rest)
    const taken = isAll ? opened : this.#made(opened, { name: 'Kept what only I changed', edits })
    const again = this.law.between(taken.content, this.keptMine(draft, saved, etag).content)
    return { ...taken, undone: again.length === 0 ? [] : [{ name: 'My side of the conflict', edits: again }] }
  }

  /** Where both changed the same, seen from a state of the server; of `found` what only the server sees, as long as it is so. */
  conflictsWith(draft: Draft<S, C, E>, saved: S, found: readonly Place[]): Place[] {
    const { base, content } = draft
    const theirs = this.law.contentOf(saved)
    const seen = this.law.merge(base, content, theirs).conflicts ?? []
    const { secrets } = this.law
    if (!secrets) return seen
    const isSecret = (place: Place) => secrets.isAt(place, [base, content, theirs])
    const hidden = found.filter(
      place => isSecret(place) && !seen.some(isSamePlace(place)) && secrets.differs(place, base, content),
    )
    // Its value is nobody's to see; whether it is there is told.
    const side = (place: Place, of: C) => (secrets.isThere(place, of) ? hiddenValue : null)
    const blanked = (place: Place) => ({
      ...place,
      base: side(place, base),
      mine: side(place, content),
      theirs: side(place, theirs),
    })
    return [...seen.map(one => (isSecret(one) ? blanked(one) : one)), ...hidden.map(blanked)]
  }

  /** After `sent` was saved: what was done since then stays, on top of what the server made of it. */
  afterSave(now: Draft<S, C, E>, sent: Draft<S, C, E>, saved: S, etag: string): Draft<S, C, E> {
    if (now.content === sent.content) return this.open(saved, etag)
    const later = sent.done.every((step, index) => now.done[index] === step)
      ? now.done.slice(sent.done.length)
      : [{ name: 'Changes made while saving', edits: this.law.between(sent.content, now.content) }]
    return this.replay({ ...this.open(saved, etag), undone: now.undone }, later)
  }

  /** The steps of a draft on the state that another one of the document was based on. */
  basedOn(before: Draft<S, C, E>, { saved, done, undone }: Draft<S, C, E>): Draft<S, C, E> {
    return this.replay({ ...withoutSteps(before), saved, undone }, done)
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

  /** Nothing unsaved stands above the state below it any longer: what is shown is what the server has. */
  #current(draft: Draft<S, C, E>): Draft<S, C, E> {
    if (draft.changes > 0 || !draft.ahead) return draft
    return { ...this.open(draft.ahead.saved, draft.ahead.etag), undone: draft.undone }
  }

  #counted(draft: Draft<S, C, E>): Draft<S, C, E> {
    return { ...draft, changes: this.law.compare(draft.base, draft.content).count }
  }
}

/** On the state that it is based on. */
function withoutSteps<S, C, E>(draft: Draft<S, C, E>): Draft<S, C, E> {
  return { ...draft, content: draft.base, changes: 0, done: [], undone: allUndone(draft) }
}

export function isSamePlace({ path, field }: Place): (other: Place) => boolean {
  return other => other.path === path && other.field === field
}

function allUndone<S, C, E>({ done, undone: before }: Draft<S, C, E>): Step<E>[] {
  return [...before, ...done.toReversed().map(stepOf)]
}

function stepOf<E>({ name, edits }: Step<E>): Step<E> {
  return { name, edits }
}
