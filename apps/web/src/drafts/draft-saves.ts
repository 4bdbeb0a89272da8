import { newUid } from '@cadmus/model/uid'
import { ApiError, isGone, isOutcomeUnknown } from '../api/error.ts'
import { dismissText } from '../ui/notices.ts'
import { notify } from '../ui/Snackbar.tsx'
import { workbench } from '../workbench/page-workbench.ts'
import { tabIdOf } from '../workbench/documents.ts'
import type { Draft, Loaded } from './draft.ts'
import { readDraftKey, type DraftKey } from './draft-key.ts'
import type { DraftStore } from './draft-store.ts'
import { settledDraft, type OpenDraft, type Saved, type SentSave } from './open-draft.ts'
import { originOf } from './moved-steps.ts'
import { restoreWaiting } from './restore-stored.ts'
import { addAuthors, type FindAuthors } from './conflict-authors.ts'

type Options<S extends Saved, C, E> = {
  store: DraftStore<S, C, E>
  /** Sends the draft under the given id; undefined if the user cancelled. */
  send: (draft: Draft<S, C, E>, version: string | undefined, saveId: string) => Promise<Loaded<S> | undefined>
  /** The stored result of the save with that id, as its response would have been; null if nothing was stored. */
  answerTo: (sent: SentSave<S, C, E>, version: string | undefined) => Promise<Loaded<S> | null>
  load: (id: number, version: string | undefined) => Promise<Loaded<S>>
  success: string
  /** Finds the authors of conflicts that the page itself detected. */
  findAuthors?: FindAuthors<S>
  /** Saves the draft of a deleted document as a new one. Resolves to false if the user cancelled. */
  saveAsNew?: (key: DraftKey, open: OpenDraft<S, C, E>) => Promise<boolean>
}

/** Statuses that indicate a state newer than the one shown. */
const reloadStatuses: ReadonlySet<number> = new Set([400, 403, 404])

/** `none`: nothing to save. `refused`: the user cancelled. */
type Outcome = 'saved' | 'none' | 'refused'

export class DraftSaves<S extends Saved, C, E> {
  readonly #options: Options<S, C, E>
  readonly #running = new Map<DraftKey, Promise<unknown>>()
  /** Documents whose last save was stored although its added step was reverted while the response was missing. */
  readonly #storedReverted = new Set<DraftKey>()

  constructor(options: Options<S, C, E>) {
    this.#options = options
    options.store.lookUpOutcome = key => void this.#lookUpOutcome(key)
  }

  /** Saves the draft. On failure resolves to false; the document shows the reason and keeps all edits. */
  async save(key: DraftKey): Promise<boolean> {
    const current = this.#options.store.get(key)
    if (current?.deleted) return (await this.#options.saveAsNew?.(key, current)) ?? false
    const outcome = await this.#enqueue(key, async () => this.#attempt(key))
    if (outcome === 'saved') notify('success', this.#options.success)
    // Otherwise the notice of the previous save would seem to belong to this save.
    if (outcome === 'failed') dismissText(this.#options.success)
    if (outcome === 'failed' && this.#options.findAuthors)
      void addAuthors(this.#options.store, key, this.#options.findAuthors)
    return outcome === 'saved' || outcome === 'none'
  }

  /**
   * Saves the draft with additional edits. On failure reverts them and leaves the error to the caller. When repeated
   * after a missing response, the edits are not applied twice: `isApplied` returns whether a content includes them.
   * False if the user cancelled.
   */
  async saveWith(
    key: DraftKey,
    edits: (content: C) => readonly E[],
    isApplied: (content: C) => boolean,
  ): Promise<boolean> {
    const { store } = this.#options
    if (store.get(key)?.outcomeUnknown) await this.#enqueue(key, async () => this.#settleOutcome(key))
    const current = store.get(key)
    if (!current) return false
    const isDone = this.#storedReverted.delete(key) && isApplied(current.draft.content)
    const draft = isDone ? current.draft : store.drafts.edited(current.draft, edits(current.draft.content))
    store.put(key, { ...current, draft })
    const revert = () => {
      if (draft !== current.draft) this.#revert(key, draft)
    }
    try {
      const isSaved = (await this.#enqueue(key, async () => this.#next(key))) !== 'refused'
      if (!isSaved) revert()
      return isSaved
    } catch (failure) {
      revert()
      throw failure
    }
  }

  /**
   * Resolves the conflicts shown: saves the user's edits on top of the server state, or applies the server state. If
   * the server has a newer state, shows the conflicts with it instead.
   */
  async settle(key: DraftKey, keep: 'mine' | 'theirs'): Promise<void> {
    const { store } = this.#options
    const shown = store.get(key)?.conflictState
    if (!shown) return
    try {
      const state = shown.saved ? { saved: shown.saved, etag: shown.etag } : await this.#load(key)
      const now = store.get(key)?.draft
      if (!now || !state || store.get(key)?.conflictState?.etag !== shown.etag) return
      const { drafts } = store
      if (state.etag !== shown.etag) {
        store.receive(state.saved, state.etag, readDraftKey(key)?.version)
        // The save reports the remaining conflicts.
        if (keep === 'mine' || store.get(key)?.conflictState) await this.save(key)
      } else if (keep === 'mine') {
        store.put(key, { ...settledDraft, draft: drafts.keepMine(now, state.saved, state.etag) })
        await this.save(key)
      } else {
        const accepted = drafts.takeTheirs(now, state)
        const { incoming } = now
        const draft =
          incoming && incoming.etag !== state.etag ? drafts.rebased(accepted, incoming.saved, incoming.etag) : accepted
        store.put(key, { ...settledDraft, draft })
      }
    } catch (failure) {
      store.fail(key, failure)
    }
  }

  /** After a refused save, reads the current state if a newer state may be the reason. */
  async lookAgain(key: DraftKey, failure: unknown): Promise<void> {
    if (!(failure instanceof ApiError) || (failure.conflicts.length === 0 && !reloadStatuses.has(failure.status)))
      return
    const state = await this.#load(key).catch((error: unknown) => {
      if (isGone(error)) void this.#options.store.deletedRemotely(key)
    })
    if (state) this.#options.store.receive(state.saved, state.etag, readDraftKey(key)?.version)
  }

  async #load(key: DraftKey): Promise<Loaded<S> | null> {
    const place = readDraftKey(key)
    return place && this.#options.load(place.id, place.version)
  }

  /** Runs saves of a draft one at a time; edits made during a save are saved by the next one. */
  async #enqueue<T>(key: DraftKey, next: () => Promise<T>): Promise<T> {
    while (this.#running.has(key)) await this.#running.get(key)
    const saving = next()
    const over = Promise.allSettled([saving]).finally(() => this.#running.delete(key))
    this.#running.set(key, over)
    return saving
  }

  /** After a failure, the next read or successful call looks up the outcome again. */
  async #lookUpOutcome(key: DraftKey): Promise<void> {
    await this.#enqueue(key, async () => this.#settleOutcome(key)).catch(() => undefined)
  }

  /** Saves; on failure also reads the current state, because a queued save would be refused for the same reason. */
  async #attempt(key: DraftKey): Promise<Outcome | 'failed'> {
    const { store } = this.#options
    try {
      return await this.#next(key)
    } catch (failure) {
      store.stopped(key, store.get(key)?.outcomeUnknown)
      store.fail(key, failure)
      await this.lookAgain(key, failure)
      store.ended(key, false)
      return 'failed'
    }
  }

  async #next(key: DraftKey): Promise<Outcome> {
    const isStored = await this.#settleOutcome(key)
    const current = this.#options.store.get(key)
    if (!current) return 'refused'
    // The previous save included this draft.
    if (current.draft.changes === 0) return isStored ? 'saved' : 'none'
    return this.#send(key, current)
  }

  /**
   * Determines the outcome of an unanswered save before anything else is sent or received; otherwise the user's save
   * could be mistaken for another user's, or the reverse. Resolves to whether the save was stored; rejects if the
   * outcome is unknown.
   */
  async #settleOutcome(key: DraftKey): Promise<boolean> {
    const { store, answerTo } = this.#options
    const current = store.get(key)
    const unsettled = current?.outcomeUnknown
    if (!unsettled) return false
    // The save counts as running until its outcome is known.
    store.put(key, { ...current, saving: true })
    try {
      const answer = await answerTo(unsettled, readDraftKey(key)?.version)
      if (answer) this.#stored(key, unsettled.sent, answer)
      else store.stopped(key)
      if (answer && unsettled.isReverted) this.#storedReverted.add(key)
      const isRead = store.ended(key, answer !== null)
      // States read since then may be newer or older than the outcome; only a new read is reliable.
      if (answer && isRead) await this.#readAgain(key)
      return answer !== null
    } catch (failure) {
      // The state already read is applied after the outcome is known.
      store.stopped(key, unsettled)
      throw failure
    }
  }

  /** After a failure, the next read shows the state. */
  async #readAgain(key: DraftKey): Promise<void> {
    const state = await this.#load(key).catch(() => null)
    if (state) this.#options.store.receive(state.saved, state.etag, readDraftKey(key)?.version)
  }

  async #send(key: DraftKey, current: OpenDraft<S, C, E>): Promise<Outcome> {
    const { store, send } = this.#options
    const saveId = newUid()
    const sent = store.begin(key, current, saveId)
    const answer = await send(sent, readDraftKey(key)?.version, saveId).catch((failure: unknown) => {
      store.stopped(key, isOutcomeUnknown(failure) ? { sent, saveId } : null)
      throw failure
    })
    if (answer) this.#stored(key, sent, answer)
    else store.stopped(key)
    this.#storedReverted.delete(key)
    store.ended(key, answer !== undefined)
    return answer ? 'saved' : 'refused'
  }

  #stored(key: DraftKey, sent: Draft<S, C, E>, answer: Loaded<S>): void {
    const { store } = this.#options
    const { saved } = answer
    const draft = store.saved(key, sent, answer)
    if (draft.changes === 0) void restoreWaiting(store.storageKey(key))
    if (readDraftKey(key)?.version !== undefined) return
    workbench.getState().rename(tabIdOf({ kind: store.kind, id: saved.id }), store.title(saved))
  }

  /**
   * Reverts the step that was added for the save, if it is still the last one. If it was stored nevertheless, it must
   * not be undone.
   */
  #revert(key: DraftKey, added: Draft<S, C, E>): void {
    const { store } = this.#options
    const now = store.get(key)
    if (now) {
      const { outcomeUnknown: unsettled } = now
      const outcomeUnknown =
        unsettled && hasSameLastStep(unsettled.sent, added) ? store.withoutLast(unsettled) : unsettled
      const draft = hasSameLastStep(now.draft, added) ? store.drafts.withoutLast(now.draft) : now.draft
      store.put(key, { ...now, saving: false, outcomeUnknown, draft })
    }
    store.ended(key, false)
  }
}

function hasSameLastStep<S, C, E>({ done: one }: Draft<S, C, E>, { done: other }: Draft<S, C, E>): boolean {
  const [last, added] = [one.at(-1), other.at(-1)]
  return last !== undefined && added !== undefined && originOf(last) === originOf(added)
}
