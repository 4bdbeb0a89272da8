import { messages } from '@cadmus/model/messages'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { connectionStore, isAway } from '../api/connection.ts'
import { ApiError, messageOf } from '../api/error.ts'
import { keepDraft } from '../api/kept-drafts.ts'
import type { DocumentKind } from '../workbench/documents.ts'
import { withoutSteps, type Draft, type Drafts, type Loaded } from './draft.ts'
import { draftKey, readDraftKey, type DraftKey } from './draft-key.ts'
import { isSamePlace } from './draft-law.ts'
import { originOf } from './moved-steps.ts'
import { offerBack } from './offer-back.ts'
import {
  settledDraft,
  unknownChange,
  unknownDeletion,
  withoutProblems,
  type Against,
  type Deleted,
  type OpenDraft,
  type Saved,
  type SentSave,
} from './open-draft.ts'
import { isToKeep, keptFrom, type KeptPlace, type WithoutSecrets } from './kept-draft.ts'
import { SeenStates, type Seen } from './seen-states.ts'

type Given<S, C, E> = {
  kind: DocumentKind
  drafts: Drafts<S, C, E>
  /** The title of its tab. */
  title: (saved: S) => string
  /** Error text for failed saves without a message from the server. */
  failed: string
  /**
   * Removes secrets from base and steps before they are stored, and tells whether there were any. Undefined: no
   * secrets.
   */
  withoutSecrets?: WithoutSecrets<C, E>
  /** Location of the document, in case the server no longer has it. */
  placeOf: (saved: S) => KeptPlace
  /** Finds who deleted the document. */
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
  readonly #placeOf: (saved: S) => KeptPlace
  readonly #deletion: (saved: S) => Promise<Deleted | null>
  /** States read during a save, for the case that it fails. */
  readonly #meanwhile = new Map<DraftKey, Loaded<S>>()
  readonly #seen = new SeenStates<C>()
  /** Determines the outcome of an unanswered save; states read wait for that. */
  ask: (key: DraftKey) => void = () => undefined
  /** Number of saves started, and the save that sent each draft or stored each step. */
  #saves = 0
  readonly #sentBy = new WeakMap<Draft<S, C, E>, number>()
  readonly #storedBy = new WeakMap<object, number>()

  constructor({ kind, drafts, title, failed, withoutSecrets, placeOf, deletion }: Given<S, C, E>) {
    this.kind = kind
    this.drafts = drafts
    this.title = title
    this.#failed = failed
    this.#withoutSecrets = withoutSecrets
    this.#placeOf = placeOf
    this.#deletion = deletion
    this.state = createStore(() => ({ open: new Map() }))
    connectionStore.subscribe((now, before) => {
      if (!now.away && before.away) this.#reached()
    })
  }

  get(key: DraftKey): OpenDraft<S, C, E> | undefined {
    return this.state.getState().open.get(key)
  }

  /** Opens a document from a server response, or rebases its edits onto it. */
  receive(saved: S, etag: string, version: string | undefined): void {
    const key = draftKey(saved.id, version)
    const known = this.get(key)
    // The response will be put below later edits; rebasing onto a state read before it would lose the undo of what is
    // being saved.
    if (known?.saving) {
      this.#meanwhile.set(key, { saved, etag })
      return
    }
    this.#meanwhile.delete(key)
    // The state may be the result of the unanswered save, or the same content saved by someone else.
    if (known?.unanswered && etag !== known.unanswered.sent.etag) {
      this.#meanwhile.set(key, { saved, etag })
      return this.ask(key)
    }
    if (!known) this.put(key, { ...settledDraft, draft: this.drafts.open(saved, etag) })
    else if (known.draft.etag !== etag) this.#putDraft(key, known, this.drafts.rebased(known.draft, saved, etag))
    // Adding or deleting a version changes neither content nor ETag.
    else if (known.draft.saved !== saved) this.#putDraft(key, known, this.drafts.seenAgain(known.draft, saved))
    const now = this.get(key)
    // The document exists again, for example after an import.
    if (now?.deleted) this.put(key, { ...now, deleted: null })
    // The state that the conflicts refer to has arrived.
    const shown = this.get(key)
    const against = shown?.against
    if (shown && against?.etag === etag && against.saved === null)
      this.put(key, this.#told(shown, { ...against, saved }))
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
    const known = this.get(key)
    return known ? this.#seen.of(key, known.draft.base) : null
  }

  /**
   * Applies an edit that was begun on an earlier state; if others changed the same place since, the save reports the
   * conflict.
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

  /** Discards unsaved edits and offers to undo that. */
  discard(key: DraftKey): void {
    const known = this.get(key)
    if (!known || known.draft.done.length === 0) return
    const { draft: before, deleted } = known
    this.#change(key, draft => this.drafts.discarded(draft))
    offerBack(this, key, { before, deleted, saves: this.#saves })
  }

  /** Restores discarded edits, except those stored by a save after the first `saves` ones. */
  bringBack(key: DraftKey, before: Draft<S, C, E>, saves: number): void {
    const steps = before.done.filter(step => (this.#storedBy.get(originOf(step)) ?? 0) <= saves)
    if (steps.length === 0) return
    const isWhole = steps.length === before.done.length
    const left = isWhole ? before : this.drafts.replay({ ...withoutSteps(before), undone: before.undone }, steps)
    this.#change(key, draft => this.drafts.broughtBack(draft, left))
  }

  /** Shows in the document why an action failed. */
  fail(key: DraftKey, failure: unknown, fallback: string = this.#failed): void {
    const known = this.get(key)
    if (!known) return
    const conflicts = failure instanceof ApiError ? failure.conflicts : []
    const etag = failure instanceof ApiError ? failure.etag : ''
    const error = messageOf(failure, fallback)
    const against = conflicts.length > 0 ? { etag, saved: null, found: conflicts } : null
    this.put(key, { ...known, error, unreached: isAway(failure), conflicts, against })
  }

  /**
   * Starts a save and returns the draft to send. The newer state waits until the save ends. Throws if there are
   * conflicts.
   */
  begin(key: DraftKey, known: OpenDraft<S, C, E>, saveId: string): Draft<S, C, E> {
    const draft = this.#uncontested(known.draft)
    if (draft.ahead) this.#meanwhile.set(key, draft.ahead)
    const sent = { ...draft, ahead: null }
    this.#saves += 1
    this.#sentBy.set(sent, this.#saves)
    // Stored with the draft, because the page may be left before the response arrives.
    const unanswered = { sent, saveId }
    this.put(key, { ...known, ...withoutProblems, draft: sent, saving: true, unanswered })
    return sent
  }

  /** The save without its last step: if that was stored, it counts as someone else's change. */
  withoutLast({ sent: whole, saveId }: SentSave<S, C, E>): SentSave<S, C, E> {
    const sent = this.drafts.withoutLast(whole)
    this.#sentBy.set(sent, this.#sentBy.get(whole) ?? 0)
    return { sent, saveId, isTakenBack: true }
  }

  /** Detects conflicts that the server cannot see because the base differs from the tag's state. */
  #uncontested(draft: Draft<S, C, E>): Draft<S, C, E> {
    const { ahead, contested } = draft
    if (!contested || !ahead) return draft
    const put = this.drafts.rebased(draft, ahead.saved, ahead.etag)
    if (!put.contested) return put
    const found = this.drafts.conflictsWith(draft, ahead.saved).map(place => ({ ...unknownChange, ...place }))
    throw new ApiError(409, { message: messages.staleSave, code: 'conflict', conflicts: found, etag: ahead.etag })
  }

  /** Records the stored state and keeps edits made during the save on top of it. */
  saved(key: DraftKey, sent: Draft<S, C, E>, { saved, etag }: Loaded<S>): Draft<S, C, E> {
    for (const step of sent.done) this.#storedBy.set(originOf(step), this.#sentBy.get(sent) ?? 0)
    this.#seen.follow(key, seen => this.drafts.seenAfterSave(seen, sent, saved))
    const draft = this.drafts.afterSave(this.get(key)?.draft ?? sent, sent, saved, etag)
    this.put(key, { ...settledDraft, draft })
    return draft
  }

  /** Ends a save. `unanswered`: its outcome is unknown. */
  stopped(key: DraftKey, unanswered: SentSave<S, C, E> | null = null): void {
    const known = this.get(key)
    if (known) this.put(key, { ...known, saving: false, unanswered })
  }

  /** Ends a save; if it was not stored, applies the state read during it. Returns whether there was one. */
  ended(key: DraftKey, isStored: boolean): boolean {
    const read = this.#meanwhile.get(key)
    const known = this.get(key)
    this.#meanwhile.delete(key)
    if (read && known && !known.deleted && !isStored) this.receive(read.saved, read.etag, readDraftKey(key)?.version)
    return read !== undefined
  }

  /** Clears the error after a later success. */
  succeeded(key: DraftKey): void {
    const known = this.get(key)
    if (known?.error) this.put(key, { ...known, error: null })
  }

  /** Marks the document as deleted on the server; unsaved edits are kept. */
  async vanished(key: DraftKey): Promise<void> {
    const known = this.get(key)
    if (!known || known.deleted) return
    this.put(key, { ...known, ...withoutProblems, deleted: unknownDeletion })
    // Deletions of single versions are not logged.
    if (readDraftKey(key)?.version !== undefined) return
    const deleted = await this.#deletion(known.draft.saved).catch(() => null)
    const now = this.get(key)
    if (now?.deleted && deleted) this.put(key, { ...now, deleted })
  }

  /** Acknowledges the restored draft. */
  looked(key: DraftKey): void {
    const known = this.get(key)
    if (known) this.put(key, { ...known, restored: false, withheld: false })
  }

  /** Updates the document and stores its draft in the browser. */
  put(key: DraftKey, given: OpenDraft<S, C, E>): void {
    const { draft, unanswered } = given
    const known = this.get(key)
    const at = given.changedAt ?? new Date().toISOString()
    const open = { ...given, changedAt: draft.changes > 0 ? at : null }
    const name = this.keptAs(key)
    const isKept = isToKeep(this.drafts, open)
    if (isKept && (draft !== known?.draft || unanswered !== known.unanswered)) {
      const kept = keptFrom(draft, at, this.#withoutSecrets, { place: this.#placeOf(draft.saved), unanswered })
      keepDraft(name, kept, { whole: kept.withheld !== true, at, title: this.title(draft.saved) })
    } else if (!isKept && known && isToKeep(this.drafts, known)) keepDraft(name, null)
    // Last, because a subscriber may put a newer state, which must be the one that is stored.
    this.state.setState(state => ({ open: new Map(state.open).set(key, open) }))
  }

  /** Key of the draft in the browser's storage. */
  keptAs(key: DraftKey): string {
    return `${this.kind}:${key}`
  }

  #change(key: DraftKey, make: (draft: Draft<S, C, E>) => Draft<S, C, E>): void {
    const known = this.get(key)
    if (known) this.#putDraft(key, { ...known, error: null, changedAt: new Date().toISOString() }, make(known.draft))
  }

  /** Recomputes the conflicts for the new draft. */
  #putDraft(key: DraftKey, known: OpenDraft<S, C, E>, draft: Draft<S, C, E>): void {
    const isOther = draft.changes === 0 || draft.base !== known.draft.base
    // A save error is obsolete once the content is saved, even by others.
    const error = draft.changes === 0 && known.draft.changes > 0 ? null : known.error
    if (known.against === null || isOther) this.put(key, { ...known, draft, error, conflicts: [], against: null })
    else this.put(key, this.#told({ ...known, draft }, known.against))
  }

  #told(open: OpenDraft<S, C, E>, against: Against<S>): OpenDraft<S, C, E> {
    const { etag, saved, found } = against
    if (saved === null) return { ...open, against }
    const places = this.drafts.conflictsWith(open.draft, saved)
    const conflicts = places.map(place => ({ ...unknownChange, ...found.find(isSamePlace(place)), ...place }))
    if (conflicts.length > 0) return { ...open, conflicts, against }
    // No conflicts remain: rebases onto the newer state.
    return { ...open, draft: this.drafts.rebased(open.draft, saved, etag), error: null, conflicts: [], against: null }
  }

  #reached(): void {
    for (const [key, open] of this.state.getState().open) {
      if (open.error !== null && open.unreached) this.put(key, { ...open, error: null })
      if (open.unanswered) this.ask(key)
    }
  }
}
