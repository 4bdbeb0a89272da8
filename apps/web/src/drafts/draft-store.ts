import { messages } from '@cadmus/model/messages'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { connectionStore, isAway } from '../api/connection.ts'
import { ApiError, messageOf } from '../api/error.ts'
import { storeDraft } from '../api/stored-drafts.ts'
import type { DocumentKind } from '../workbench/documents.ts'
import { withoutSteps, type Draft, type Drafts, type Loaded } from './draft.ts'
import { draftKey, readDraftKey, type DraftKey } from './draft-key.ts'
import { isSamePlace } from './draft-adapter.ts'
import { originOf } from './moved-steps.ts'
import { offerUndo } from './offer-undo.ts'
import {
  settledDraft,
  unknownChange,
  unknownDeletion,
  withoutProblems,
  type ConflictState,
  type Deleted,
  type OpenDraft,
  type Saved,
  type SentSave,
} from './open-draft.ts'
import { hasUnsaved, toStoredDraft, type StoredPlace, type WithoutSecrets } from './stored-draft.ts'
import { SeenStates, type Seen } from './seen-states.ts'

type Options<S, C, E> = {
  kind: DocumentKind
  drafts: Drafts<S, C, E>
  title: (saved: S) => string
  /** Error text for failed saves without a message from the server. */
  failed: string
  /**
   * Removes secrets from base and steps before they are stored, and returns whether there were any. Undefined: no
   * secrets.
   */
  withoutSecrets?: WithoutSecrets<C, E>
  /** Location of the document, in case the server no longer has it. */
  placeOf: (saved: S) => StoredPlace
  deletion: (saved: S) => Promise<Deleted | null>
}

/** The open documents of one kind, including viewed old versions, with their unsaved edits. */
export class DraftStore<S extends Saved, C, E> {
  readonly kind: DocumentKind
  readonly drafts: Drafts<S, C, E>
  readonly title: (saved: S) => string
  readonly state: StoreApi<{ open: ReadonlyMap<DraftKey, OpenDraft<S, C, E>> }>
  readonly #failed: string
  readonly #withoutSecrets: WithoutSecrets<C, E> | undefined
  readonly #placeOf: (saved: S) => StoredPlace
  readonly #deletion: (saved: S) => Promise<Deleted | null>
  /** States read during a save, applied if it fails. */
  readonly #concurrent = new Map<DraftKey, Loaded<S>>()
  readonly #seen = new SeenStates<C>()
  /** Determines the outcome of an unanswered save; states read before are applied after it. */
  lookUpOutcome: (key: DraftKey) => void = () => undefined
  /** Number of saves started, and the save that sent each draft or stored each step. */
  #saves = 0
  readonly #sentBy = new WeakMap<Draft<S, C, E>, number>()
  readonly #storedBy = new WeakMap<object, number>()

  constructor({ kind, drafts, title, failed, withoutSecrets, placeOf, deletion }: Options<S, C, E>) {
    this.kind = kind
    this.drafts = drafts
    this.title = title
    this.#failed = failed
    this.#withoutSecrets = withoutSecrets
    this.#placeOf = placeOf
    this.#deletion = deletion
    this.state = createStore(() => ({ open: new Map() }))
    connectionStore.subscribe((now, before) => {
      if (!now.away && before.away) this.#retryAfterOutage()
    })
  }

  get(key: DraftKey): OpenDraft<S, C, E> | undefined {
    return this.state.getState().open.get(key)
  }

  /** Opens a document from a server response, or rebases its edits onto it. */
  receive(saved: S, etag: string, version: string | undefined): void {
    const key = draftKey(saved.id, version)
    const current = this.get(key)
    // The response will be put below later edits; rebasing onto a state read before it would lose the undo of the edits
    // being saved.
    if (current?.saving) {
      this.#concurrent.set(key, { saved, etag })
      return
    }
    this.#concurrent.delete(key)
    // The state may be the result of the unanswered save, or equal content saved by another user.
    if (current?.outcomeUnknown && etag !== current.outcomeUnknown.sent.etag) {
      this.#concurrent.set(key, { saved, etag })
      return this.lookUpOutcome(key)
    }
    if (!current) this.put(key, { ...settledDraft, draft: this.drafts.open(saved, etag) })
    else if (current.draft.etag !== etag) this.#putDraft(key, current, this.drafts.rebased(current.draft, saved, etag))
    // Adding or deleting a version changes neither content nor ETag.
    else if (current.draft.saved !== saved) this.#putDraft(key, current, this.drafts.refreshed(current.draft, saved))
    const now = this.get(key)
    // The document exists again, for example after an import.
    if (now?.deleted) this.put(key, { ...now, deleted: null })
    // The state that the conflicts refer to has arrived.
    const shown = this.get(key)
    const conflictState = shown?.conflictState
    if (shown && conflictState?.etag === etag && conflictState.saved === null)
      this.put(key, this.#withConflicts(shown, { ...conflictState, saved }))
  }

  /** Applies edits to the draft and updates the tab's unsaved mark. */
  edit(key: DraftKey, edits: (content: C) => readonly E[]): void {
    this.#change(key, draft => this.drafts.edited(draft, edits(draft.content)))
  }

  /** Applies edits made on the base of draft `before`, which may no longer be current. */
  editOn(key: DraftKey, before: Draft<S, C, E>, edits: (content: C) => readonly E[]): void {
    this.#change(key, now => {
      const draft = this.drafts.basedOn(before, now)
      const edited = this.drafts.edited(draft, edits(draft.content))
      return now.etag === before.etag ? edited : this.drafts.rebased(edited, now.saved, now.etag)
    })
  }

  /** Records the stored state as seen by a user who begins to edit. */
  seen(key: DraftKey): Seen<C> | null {
    const current = this.get(key)
    return current ? this.#seen.of(key, current.draft.base) : null
  }

  /**
   * Applies an edit that was begun on an earlier state; if another user has changed the same place since, the save
   * reports the conflict.
   */
  editAbove(key: DraftKey, seen: Seen<C> | null, edits: (content: C) => readonly E[]): void {
    if (seen) this.#change(key, draft => this.drafts.editedAbove(draft, seen.content, edits))
    else this.edit(key, edits)
  }

  undo(key: DraftKey): void {
    this.#change(key, draft => this.drafts.undone(draft))
  }

  redo(key: DraftKey): void {
    this.#change(key, draft => this.drafts.redone(draft))
  }

  /** Discards unsaved edits and offers Undo. */
  discard(key: DraftKey): void {
    const current = this.get(key)
    if (!current || current.draft.done.length === 0) return
    const { draft: before, deleted } = current
    this.#change(key, draft => this.drafts.discarded(draft))
    offerUndo(this, key, { before, deleted, saves: this.#saves })
  }

  /** Restores discarded edits, except those stored by a save after the first `saves` ones. */
  bringBack(key: DraftKey, before: Draft<S, C, E>, saves: number): void {
    const steps = before.done.filter(step => (this.#storedBy.get(originOf(step)) ?? 0) <= saves)
    if (steps.length === 0) return
    const isWhole = steps.length === before.done.length
    const rest = isWhole ? before : this.drafts.replay({ ...withoutSteps(before), undone: before.undone }, steps)
    this.#change(key, draft => this.drafts.withDiscarded(draft, rest))
  }

  fail(key: DraftKey, failure: unknown, fallback: string = this.#failed): void {
    const current = this.get(key)
    if (!current) return
    const conflicts = failure instanceof ApiError ? failure.conflicts : []
    const etag = failure instanceof ApiError ? failure.etag : ''
    const error = messageOf(failure, fallback)
    const conflictState = conflicts.length > 0 ? { etag, saved: null, reported: conflicts } : null
    this.put(key, { ...current, error, isServerAway: isAway(failure), conflicts, conflictState })
  }

  /**
   * Starts a save and returns the draft to send. The newer state waits until the save ends. Throws if there are
   * conflicts.
   */
  begin(key: DraftKey, current: OpenDraft<S, C, E>, saveId: string): Draft<S, C, E> {
    const draft = this.#uncontested(current.draft)
    if (draft.incoming) this.#concurrent.set(key, draft.incoming)
    const sent = { ...draft, incoming: null }
    this.#saves += 1
    this.#sentBy.set(sent, this.#saves)
    // Stored with the draft, because the page may be left before the response arrives.
    const outcomeUnknown = { sent, saveId }
    this.put(key, { ...current, ...withoutProblems, draft: sent, saving: true, outcomeUnknown })
    return sent
  }

  /** The save without its last step: if that step was stored, it counts as another user's change. */
  withoutLast({ sent: complete, saveId }: SentSave<S, C, E>): SentSave<S, C, E> {
    const sent = this.drafts.withoutLast(complete)
    this.#sentBy.set(sent, this.#sentBy.get(complete) ?? 0)
    return { sent, saveId, isReverted: true }
  }

  /** Detects conflicts that the server cannot see because the base differs from the tag's state. */
  #uncontested(draft: Draft<S, C, E>): Draft<S, C, E> {
    const { incoming, conflicting } = draft
    if (!conflicting || !incoming) return draft
    const put = this.drafts.rebased(draft, incoming.saved, incoming.etag)
    if (!put.conflicting) return put
    const reported = this.drafts.conflictsWith(draft, incoming.saved).map(place => ({ ...unknownChange, ...place }))
    throw new ApiError(409, { message: messages.staleSave, code: 'conflict', conflicts: reported, etag: incoming.etag })
  }

  /** Records the stored state and keeps edits made during the save on top of it. */
  saved(key: DraftKey, sent: Draft<S, C, E>, { saved, etag }: Loaded<S>): Draft<S, C, E> {
    for (const step of sent.done) this.#storedBy.set(originOf(step), this.#sentBy.get(sent) ?? 0)
    this.#seen.follow(key, seen => this.drafts.seenAfterSave(seen, sent, saved))
    const draft = this.drafts.afterSave(this.get(key)?.draft ?? sent, sent, saved, etag)
    this.put(key, { ...settledDraft, draft })
    return draft
  }

  /** `outcomeUnknown`: the save whose response is missing. */
  stopped(key: DraftKey, outcomeUnknown: SentSave<S, C, E> | null = null): void {
    const current = this.get(key)
    if (current) this.put(key, { ...current, saving: false, outcomeUnknown })
  }

  /** Ends a save; if it was not stored, applies the state read during it. Returns whether a state was applied. */
  ended(key: DraftKey, isStored: boolean): boolean {
    const read = this.#concurrent.get(key)
    const current = this.get(key)
    this.#concurrent.delete(key)
    if (read && current && !current.deleted && !isStored)
      this.receive(read.saved, read.etag, readDraftKey(key)?.version)
    return read !== undefined
  }

  /** Clears the error after a later success. */
  succeeded(key: DraftKey): void {
    const current = this.get(key)
    if (current?.error) this.put(key, { ...current, error: null })
  }

  /** Marks the document as deleted on the server; unsaved edits are kept. */
  async deletedRemotely(key: DraftKey): Promise<void> {
    const current = this.get(key)
    if (!current || current.deleted) return
    this.put(key, { ...current, ...withoutProblems, deleted: unknownDeletion })
    // Deletions of single versions are not logged.
    if (readDraftKey(key)?.version !== undefined) return
    const deleted = await this.#deletion(current.draft.saved).catch(() => null)
    const now = this.get(key)
    if (now?.deleted && deleted) this.put(key, { ...now, deleted })
  }

  acknowledge(key: DraftKey): void {
    const current = this.get(key)
    if (current) this.put(key, { ...current, restored: false, secretsOmitted: false })
  }

  /** Updates the document and stores its draft in the browser. */
  put(key: DraftKey, next: OpenDraft<S, C, E>): void {
    const { draft, outcomeUnknown } = next
    const current = this.get(key)
    const at = next.changedAt ?? new Date().toISOString()
    const open = { ...next, changedAt: draft.changes > 0 ? at : null }
    const name = this.storageKey(key)
    const isUnsaved = hasUnsaved(this.drafts, open)
    if (isUnsaved && (draft !== current?.draft || outcomeUnknown !== current.outcomeUnknown)) {
      const stored = toStoredDraft(draft, at, this.#withoutSecrets, {
        place: this.#placeOf(draft.saved),
        outcomeUnknown,
      })
      storeDraft(name, stored, { isComplete: stored.secretsOmitted !== true, at, title: this.title(draft.saved) })
    } else if (!isUnsaved && current && hasUnsaved(this.drafts, current)) storeDraft(name, null)
    // Last, because a subscriber may put a newer state, which must be stored instead.
    this.state.setState(state => ({ open: new Map(state.open).set(key, open) }))
  }

  storageKey(key: DraftKey): string {
    return `${this.kind}:${key}`
  }

  #change(key: DraftKey, make: (draft: Draft<S, C, E>) => Draft<S, C, E>): void {
    const current = this.get(key)
    if (current)
      this.#putDraft(key, { ...current, error: null, changedAt: new Date().toISOString() }, make(current.draft))
  }

  #putDraft(key: DraftKey, current: OpenDraft<S, C, E>, draft: Draft<S, C, E>): void {
    const isOther = draft.changes === 0 || draft.base !== current.draft.base
    // A save error is obsolete once the content is saved, even by other users.
    const error = draft.changes === 0 && current.draft.changes > 0 ? null : current.error
    if (current.conflictState === null || isOther)
      this.put(key, { ...current, draft, error, conflicts: [], conflictState: null })
    else this.put(key, this.#withConflicts({ ...current, draft }, current.conflictState))
  }

  #withConflicts(open: OpenDraft<S, C, E>, conflictState: ConflictState<S>): OpenDraft<S, C, E> {
    const { etag, saved, reported } = conflictState
    if (saved === null) return { ...open, conflictState }
    const places = this.drafts.conflictsWith(open.draft, saved)
    const conflicts = places.map(place => ({ ...unknownChange, ...reported.find(isSamePlace(place)), ...place }))
    if (conflicts.length > 0) return { ...open, conflicts, conflictState }
    // No conflicts remain: rebases onto the newer state.
    return {
      ...open,
      draft: this.drafts.rebased(open.draft, saved, etag),
      error: null,
      conflicts: [],
      conflictState: null,
    }
  }

  #retryAfterOutage(): void {
    for (const [key, open] of this.state.getState().open) {
      if (open.error !== null && open.isServerAway) this.put(key, { ...open, error: null })
      if (open.outcomeUnknown) this.lookUpOutcome(key)
    }
  }
}
