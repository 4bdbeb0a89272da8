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
  /** What its tab is called. */
  title: (saved: S) => string
  /** What is said where a save failed without words of the server. */
  failed: string
  /** What may be written down of base and steps, and whether something that was typed was left out; absent: all. */
  withoutSecrets?: WithoutSecrets<C, E>
  /** Where the document is, for when the server has it no longer. */
  placeOf: (saved: S) => KeptPlace
  /** Asks who deleted it. */
  deletion: (saved: S) => Promise<Deleted | null>
}

/** Every open document of a kind, and every old version of one that is viewed, with its unsaved edits. */
export class DraftStore<S extends Saved, C, E> {
  readonly kind: DocumentKind
  readonly drafts: Drafts<S, C, E>
  readonly title: (saved: S) => string
  readonly state: StoreApi<{ open: ReadonlyMap<DraftKey, OpenDraft<S, C, E>> }>
  readonly #failed: string
  readonly #withoutSecrets: WithoutSecrets<C, E> | undefined
  readonly #placeOf: (saved: S) => KeptPlace
  readonly #deletion: (saved: S) => Promise<Deleted | null>
  /** What was read while a save is under way, for when nothing comes of that. */
  readonly #meanwhile = new Map<DraftKey, Loaded<S>>()
  readonly #seen = new SeenStates<C>()
  /** Asks what became of a save that was never answered; what was read waits for that. */
  ask: (key: DraftKey) => void = () => undefined
  /** How many saves were begun; which of them a draft was sent by, and a step stored. */
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

  /** Takes what the server answered: opens it, or puts it below the edits that are there. */
  receive(saved: S, etag: string, version: string | undefined): void {
    const key = draftKey(saved.id, version)
    const known = this.get(key)
    // Its answer comes, and is put below what was done since: below what is read before, an undo of what is being saved would be none.
    if (known?.saving) {
      this.#meanwhile.set(key, { saved, etag })
      return
    }
    this.#meanwhile.delete(key)
    // It may be what was sent and never answered, or somebody else's that says the same.
    if (known?.unanswered && etag !== known.unanswered.sent.etag) {
      this.#meanwhile.set(key, { saved, etag })
      return this.ask(key)
    }
    if (!known) this.put(key, { ...settledDraft, draft: this.drafts.open(saved, etag) })
    else if (known.draft.etag !== etag) this.#putDraft(key, known, this.drafts.rebased(known.draft, saved, etag))
    // A version added or deleted leaves the content, and with it the ETag, as it was.
    else if (known.draft.saved !== saved) this.#putDraft(key, known, this.drafts.seenAgain(known.draft, saved))
    const now = this.get(key)
    // It is there again, as after an import.
    if (now?.deleted) this.put(key, { ...now, deleted: null })
    // The state that the conflicts are of is known.
    const shown = this.get(key)
    const against = shown?.against
    if (shown && against?.etag === etag && against.saved === null)
      this.put(key, this.#told(shown, { ...against, saved }))
  }

  /** Applies edits to the draft; the tab is marked unsaved while something differs. */
  edit(key: DraftKey, edits: (content: C) => readonly E[]): void {
    this.#change(key, draft => this.drafts.edited(draft, edits(draft.content)))
  }

  /** The same, on the state that `before` was based on, which somebody looked at: what is there by now may be another one. */
  editOn(key: DraftKey, before: Draft<S, C, E>, edits: (content: C) => readonly E[]): void {
    this.#change(key, now => {
      const draft = this.drafts.basedOn(before, now)
      const edited = this.drafts.edited(draft, edits(draft.content))
      return now.etag === before.etag ? edited : this.drafts.rebased(edited, now.saved, now.etag)
    })
  }

  /** What is stored, as it is seen by somebody who begins to type over it. */
  seen(key: DraftKey): Seen<C> | null {
    const known = this.get(key)
    return known ? this.#seen.of(key, known.draft.base) : null
  }

  /** Applies what was typed while something else may have been stored: where others changed that place since, the save will tell. */
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

  /** Gives up what is unsaved, and offers it back. */
  discard(key: DraftKey): void {
    const known = this.get(key)
    if (!known || known.draft.done.length === 0) return
    const { draft: before, deleted } = known
    this.#change(key, draft => this.drafts.discarded(draft))
    offerBack(this, key, { before, deleted, saves: this.#saves })
  }

  /** What was discarded is there again, but for what was saved by a later save than the first so many. */
  bringBack(key: DraftKey, before: Draft<S, C, E>, saves: number): void {
    const steps = before.done.filter(step => (this.#storedBy.get(originOf(step)) ?? 0) <= saves)
    if (steps.length === 0) return
    const isWhole = steps.length === before.done.length
    const left = isWhole ? before : this.drafts.replay({ ...withoutSteps(before), undone: before.undone }, steps)
    this.#change(key, draft => this.drafts.broughtBack(draft, left))
  }

  /** Shows why an action on the document failed, in its place. */
  fail(key: DraftKey, failure: unknown, fallback: string = this.#failed): void {
    const known = this.get(key)
    if (!known) return
    const conflicts = failure instanceof ApiError ? failure.conflicts : []
    const etag = failure instanceof ApiError ? failure.etag : ''
    const error = messageOf(failure, fallback)
    const against = conflicts.length > 0 ? { etag, saved: null, found: conflicts } : null
    this.put(key, { ...known, error, unreached: isAway(failure), conflicts, against })
  }

  /** A save begins, of the draft that is answered: what it is ahead of waits with what is read until it ends. Refused where it is contested. */
  begin(key: DraftKey, known: OpenDraft<S, C, E>, saveId: string): Draft<S, C, E> {
    const draft = this.#uncontested(known.draft)
    if (draft.ahead) this.#meanwhile.set(key, draft.ahead)
    const sent = { ...draft, ahead: null }
    this.#saves += 1
    this.#sentBy.set(sent, this.#saves)
    // Kept with it: the page may be left before the answer comes.
    const unanswered = { sent, saveId }
    this.put(key, { ...known, ...withoutProblems, draft: sent, saving: true, unanswered })
    return sent
  }

  /** A save as if its last step had not been sent: what is stored of it is others' then, and stays. */
  withoutLast({ sent: whole, saveId }: SentSave<S, C, E>): SentSave<S, C, E> {
    const sent = this.drafts.withoutLast(whole)
    this.#sentBy.set(sent, this.#sentBy.get(whole) ?? 0)
    return { sent, saveId, isTakenBack: true }
  }

  /** The server would see no conflict where the base is not what the tag names: the page does. */
  #uncontested(draft: Draft<S, C, E>): Draft<S, C, E> {
    const { ahead, contested } = draft
    if (!contested || !ahead) return draft
    const put = this.drafts.rebased(draft, ahead.saved, ahead.etag)
    if (!put.contested) return put
    const found = this.drafts.conflictsWith(draft, ahead.saved).map(place => ({ ...unknownChange, ...place }))
    throw new ApiError(409, { message: messages.staleSave, code: 'conflict', conflicts: found, etag: ahead.etag })
  }

  /** It was saved: what was done since then stays, on top of what was stored. */
  saved(key: DraftKey, sent: Draft<S, C, E>, { saved, etag }: Loaded<S>): Draft<S, C, E> {
    for (const step of sent.done) this.#storedBy.set(originOf(step), this.#sentBy.get(sent) ?? 0)
    this.#seen.follow(key, seen => this.drafts.seenAfterSave(seen, sent, saved))
    const draft = this.drafts.afterSave(this.get(key)?.draft ?? sent, sent, saved, etag)
    this.put(key, { ...settledDraft, draft })
    return draft
  }

  /** The save that was under way is none any longer. `unanswered`: it may have been stored all the same. */
  stopped(key: DraftKey, unanswered: SentSave<S, C, E> | null = null): void {
    const known = this.get(key)
    if (known) this.put(key, { ...known, saving: false, unanswered })
  }

  /** A save ended. If it was not stored, and nothing was read since, what was read meanwhile is shown. Answers whether something was. */
  ended(key: DraftKey, isStored: boolean): boolean {
    const read = this.#meanwhile.get(key)
    const known = this.get(key)
    this.#meanwhile.delete(key)
    if (read && known && !known.deleted && !isStored) this.receive(read.saved, read.etag, readDraftKey(key)?.version)
    return read !== undefined
  }

  /** What failed before went well now: nothing says any longer that it failed. */
  succeeded(key: DraftKey): void {
    const known = this.get(key)
    if (known?.error) this.put(key, { ...known, error: null })
  }

  /** The server has the document no longer: what is unsaved stays, and says so. */
  async vanished(key: DraftKey): Promise<void> {
    const known = this.get(key)
    if (!known || known.deleted) return
    this.put(key, { ...known, ...withoutProblems, deleted: unknownDeletion })
    // Who deleted a version only is told of nowhere.
    if (readDraftKey(key)?.version !== undefined) return
    const deleted = await this.#deletion(known.draft.saved).catch(() => null)
    const now = this.get(key)
    if (now?.deleted && deleted) this.put(key, { ...now, deleted })
  }

  /** What came back was looked at: it is a draft like any other. */
  looked(key: DraftKey): void {
    const known = this.get(key)
    if (known) this.put(key, { ...known, restored: false, withheld: false })
  }

  /** Puts the document's new state; keeps its draft in the browser. */
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
    // At the end: who hears of it may put the next state, which is the one to keep.
    this.state.setState(state => ({ open: new Map(state.open).set(key, open) }))
  }

  /** The name that a draft is kept by in the browser. */
  keptAs(key: DraftKey): string {
    return `${this.kind}:${key}`
  }

  #change(key: DraftKey, make: (draft: Draft<S, C, E>) => Draft<S, C, E>): void {
    const known = this.get(key)
    if (known) this.#putDraft(key, { ...known, error: null, changedAt: new Date().toISOString() }, make(known.draft))
  }

  /** The conflicts that are shown are those of what is there now. */
  #putDraft(key: DraftKey, known: OpenDraft<S, C, E>, draft: Draft<S, C, E>): void {
    const isOther = draft.changes === 0 || draft.base !== known.draft.base
    // Why it was not saved says nothing any longer where it is saved, by others too.
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
    // Nothing is contested any longer: theirs goes below.
    return { ...open, draft: this.drafts.rebased(open.draft, saved, etag), error: null, conflicts: [], against: null }
  }

  #reached(): void {
    for (const [key, open] of this.state.getState().open) {
      if (open.error !== null && open.unreached) this.put(key, { ...open, error: null })
      if (open.unanswered) this.ask(key)
    }
  }
}
