import { messages } from '@cadmus/model/messages'
import { ApiError } from '../api/error.ts'
import { isSamePlace } from './draft-adapter.ts'
import { withoutSteps, type Draft, type Drafts, type Loaded } from './draft.ts'
import { originOf } from './moved-steps.ts'
import {
  unknownChange,
  type Common,
  type Conflicted,
  type Discarded,
  type DraftEvent,
  type Next,
  type OpenDraft,
  type Operation,
  type Refusal,
} from './open-draft.ts'

/** How events change the draft of an open document, whatever its state. */
export class DraftChanges<S, C, E> {
  readonly #drafts: Drafts<S, C, E>

  constructor(drafts: Drafts<S, C, E>) {
    this.#drafts = drafts
  }

  edited(
    { draft, ownSaves }: OpenDraft<S, C, E>,
    event: Extract<
      DraftEvent<S, C, E>,
      { kind: 'edit' | 'editOn' | 'editAbove' | 'derive' | 'undo' | 'redo' | 'discard' }
    >,
  ): Draft<S, C, E> {
    const drafts = this.#drafts
    if (event.kind === 'edit') return drafts.edited(draft, event.edits(draft.content))
    if (event.kind === 'editOn') {
      const { before, edits } = event
      const below = drafts.basedOn(before, draft)
      const edited = drafts.edited(below, edits(below.content))
      return draft.etag === before.etag ? edited : drafts.rebased(edited, draft.saved, draft.etag)
    }
    if (event.kind === 'editAbove') {
      const { content, saves } = event.seen
      const own = ownSaves.slice(saves).flatMap(({ seen }) => seen ?? [])
      const seen = own.reduce((now, { base, stored }) => drafts.adapter.mergeTakingTheirs(base, now, stored), content)
      return drafts.editedAbove(draft, seen, event.edits)
    }
    if (event.kind === 'derive') return drafts.derived(draft, { ...event.step, edits: event.edits(draft.content) })
    if (event.kind === 'undo') return drafts.undone(draft)
    return event.kind === 'redo' ? drafts.redone(draft) : drafts.discarded(draft)
  }

  changed(open: OpenDraft<S, C, E>, draft: Draft<S, C, E>, at: string): OpenDraft<S, C, E> {
    return this.withDraft({ ...open, problem: null, changedAt: at }, draft)
  }

  withDraft(open: OpenDraft<S, C, E>, draft: Draft<S, C, E>): OpenDraft<S, C, E> {
    // An error is obsolete once the content is saved, even by other users.
    const problem = draft.changes === 0 && open.draft.changes > 0 ? null : open.problem
    const next = { ...open, draft, problem }
    if (next.state === 'clean' || next.state === 'dirty') return idle(next)
    if (next.state !== 'conflicted') return next
    const isOther = draft.changes === 0 || draft.base !== open.draft.base
    return isOther ? idle({ ...next, problem: null }) : this.#rechecked(next)
  }

  /** Compares the user's current values with the state of the conflict. */
  #rechecked(open: Common<S, C, E> & Conflicted<S>): OpenDraft<S, C, E> {
    const { draft, reported, theirs } = open
    const { etag, saved } = theirs
    if (!saved) return open
    const places = this.#drafts.conflictsWith(draft, saved)
    const conflicts = places.map(place => ({ ...unknownChange, ...reported.find(isSamePlace(place)), ...place }))
    if (conflicts.length > 0) return { ...open, conflicts }
    return idle({ ...open, problem: null, draft: this.#drafts.rebased(draft, saved, etag) })
  }

  /** Restores discarded steps, except those stored by a save since. */
  discardUndone(
    open: OpenDraft<S, C, E>,
    { draft: before, operations }: Discarded<S, C, E>,
    at: string,
  ): OpenDraft<S, C, E> {
    const stored = open.ownSaves.filter(({ id }) => !operations.includes(id))
    const steps = before.done.filter(step => !stored.some(save => save.steps.has(originOf(step))))
    if (steps.length === 0) return open
    const isWhole = steps.length === before.done.length
    const start = { ...withoutSteps(before), undone: before.undone }
    const rest = isWhole ? before : this.#drafts.replay(start, steps)
    return this.changed(open, this.#drafts.withDiscarded(open.draft, rest), at)
  }

  /** Rebases the draft onto a state while no answer is awaited. */
  received(open: OpenDraft<S, C, E>, loaded: Loaded<S>): OpenDraft<S, C, E> {
    // A deleted document may exist again, for example after an import.
    const existing = open.state === 'deleted' ? idle(open) : open
    const next = this.withDraft(existing, this.#onto(open.draft, loaded))
    if (next.state !== 'conflicted' || next.theirs.saved || next.theirs.etag !== loaded.etag) return next
    return this.#rechecked({ ...next, theirs: loaded })
  }

  #onto(draft: Draft<S, C, E>, { saved, etag }: Loaded<S>): Draft<S, C, E> {
    if (draft.etag !== etag) return this.#drafts.rebased(draft, saved, etag)
    // Adding or deleting a version changes neither content nor ETag.
    return draft.saved === saved ? draft : this.#drafts.refreshed(draft, saved)
  }

  /** Detects conflicts that the server cannot see because the base differs from the tag's state. */
  sendable(draft: Draft<S, C, E>): { draft: Draft<S, C, E>; conflict: ApiError | null } {
    const { incoming, conflicting } = draft
    if (!conflicting || !incoming) return { draft, conflict: null }
    const { saved, etag } = incoming
    const merged = this.#drafts.rebased(draft, saved, etag)
    if (!merged.conflicting) return { draft: merged, conflict: null }
    const conflicts = this.#drafts.conflictsWith(draft, saved).map(place => ({ ...unknownChange, ...place }))
    const conflict = new ApiError(409, { message: messages.staleSave, code: 'conflict', conflicts, etag })
    return { draft, conflict }
  }

  /** Rebases edits made during the save onto the stored state. */
  withStored(open: Common<S, C, E>, { id, sent }: Operation<S, C, E>, { saved, etag }: Loaded<S>): Next<S, C, E> {
    const { adapter } = this.#drafts
    const draft = this.#drafts.afterSave(open.draft, sent, saved, etag)
    const asStored = adapter.secrets?.asStored(sent.content, adapter.contentOf(saved))
    const seen = asStored ? { base: sent.base, stored: asStored(sent.content) } : null
    const ownSave = { id, steps: new Set(sent.done.map(originOf)), seen }
    const next = idle({ ...settled(open, draft), ownSaves: [...open.ownSaves, ownSave] })
    return [next, [{ kind: 'stored', saved, isClean: draft.changes === 0 }]]
  }
}

export function commonOf<S, C, E>(open: Common<S, C, E>): Common<S, C, E> {
  const { draft, problem, changedAt, restored, secretsOmitted, ownSaves } = open
  return { draft, problem, changedAt, restored, secretsOmitted, ownSaves }
}

export function idle<S, C, E>(open: Common<S, C, E>): OpenDraft<S, C, E> {
  return { ...commonOf(open), state: open.draft.changes > 0 ? 'dirty' : 'clean' }
}

export function conflicted<S, C, E>(open: Common<S, C, E>, { theirs, reported }: Refusal<S>): OpenDraft<S, C, E> {
  return { ...commonOf(open), state: 'conflicted', theirs, reported, conflicts: reported }
}

/** Replaces the draft and clears earlier problems and notices. */
export function settled<S, C, E>(open: Common<S, C, E>, draft: Draft<S, C, E>): Common<S, C, E> {
  return { ...commonOf(open), draft, problem: null, restored: false, secretsOmitted: false }
}
