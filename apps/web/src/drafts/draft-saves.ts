import { newUid } from '@cadmus/model/uid'
import { ApiError, isGone, isUnanswered } from '../api/error.ts'
import { unsay } from '../ui/notices.ts'
import { notify } from '../ui/Snackbar.tsx'
import { workbench } from '../workbench/desk.ts'
import { tabIdOf } from '../workbench/documents.ts'
import type { Draft, Loaded } from './draft.ts'
import { readDraftKey, type DraftKey } from './draft-key.ts'
import type { DraftStore } from './draft-store.ts'
import { settledDraft, type OpenDraft, type Saved, type SentSave } from './open-draft.ts'
import { originOf } from './moved-steps.ts'
import { restoreWaiting } from './restore-kept.ts'
import { tellWhoChanged, type WhoChanged } from './who-changed.ts'

type Given<S extends Saved, C, E> = {
  store: DraftStore<S, C, E>
  /** Sends the draft under the given id; undefined if the user cancelled. */
  send: (draft: Draft<S, C, E>, version: string | undefined, saveId: string) => Promise<Loaded<S> | undefined>
  /** The stored result of the save with that id, as its response would have been; null if nothing was stored. */
  answerTo: (sent: SentSave<S, C, E>, version: string | undefined) => Promise<Loaded<S> | null>
  /** Reads the current state from the server. */
  load: (id: number, version: string | undefined) => Promise<Loaded<S>>
  /** Notice after a successful save. */
  success: string
  /** Finds the authors of conflicts that the page itself detected. */
  whoChanged?: WhoChanged<S>
  /** Saves the draft of a deleted document as a new one. Resolves to false if the user cancelled. */
  saveAsNew?: (key: DraftKey, open: OpenDraft<S, C, E>) => Promise<boolean>
}

/** Statuses that indicate a state newer than the one shown. */
const looksAgain: ReadonlySet<number> = new Set([400, 403, 404])

/** `none`: nothing to save. `refused`: the user cancelled. */
type Outcome = 'saved' | 'none' | 'refused'

/** Saves the documents of one kind. */
export class DraftSaves<S extends Saved, C, E> {
  readonly #given: Given<S, C, E>
  readonly #underWay = new Map<DraftKey, Promise<unknown>>()
  /** Documents whose last save was stored although its added step was reverted while the response was missing. */
  readonly #storedUntold = new Set<DraftKey>()

  constructor(given: Given<S, C, E>) {
    this.#given = given
    given.store.ask = key => void this.#ask(key)
  }

  /** Saves the draft. On failure resolves to false; the document shows the reason and keeps all edits. */
  async save(key: DraftKey): Promise<boolean> {
    const known = this.#given.store.get(key)
    if (known?.deleted) return (await this.#given.saveAsNew?.(key, known)) ?? false
    const outcome = await this.#inTurn(key, async () => this.#tried(key))
    if (outcome === 'saved') notify('success', this.#given.success)
    // Otherwise the notice of the previous save would appear to be this one's.
    if (outcome === 'failed') unsay(this.#given.success)
    if (outcome === 'failed' && this.#given.whoChanged)
      void tellWhoChanged(this.#given.store, key, this.#given.whoChanged)
    return outcome === 'saved' || outcome === 'none'
  }

  /**
   * Saves the draft with additional edits. On failure reverts them and leaves the error to the caller. When repeated
   * after a missing response, the edits are not applied twice: `isThere` tells whether a content includes them. False
   * if the user cancelled.
   */
  async saveWith(
    key: DraftKey,
    edits: (content: C) => readonly E[],
    isThere: (content: C) => boolean,
  ): Promise<boolean> {
    const { store } = this.#given
    if (store.get(key)?.unanswered) await this.#inTurn(key, async () => this.#learn(key))
    const known = store.get(key)
    if (!known) return false
    const isDone = this.#storedUntold.delete(key) && isThere(known.draft.content)
    const draft = isDone ? known.draft : store.drafts.edited(known.draft, edits(known.draft.content))
    store.put(key, { ...known, draft })
    const takeBack = () => {
      if (draft !== known.draft) this.#takeBack(key, draft)
    }
    try {
      const isSaved = (await this.#inTurn(key, async () => this.#next(key))) !== 'refused'
      if (!isSaved) takeBack()
      return isSaved
    } catch (failure) {
      takeBack()
      throw failure
    }
  }

  /**
   * Resolves the conflicts shown: saves one's own edits on top of that state, or takes that state. If the server has
   * a newer state, shows the conflicts with it instead.
   */
  async settle(key: DraftKey, keep: 'mine' | 'theirs'): Promise<void> {
    const { store } = this.#given
    const shown = store.get(key)?.against
    if (!shown) return
    try {
      const state = shown.saved ? { saved: shown.saved, etag: shown.etag } : await this.#load(key)
      const now = store.get(key)?.draft
      if (!now || !state || store.get(key)?.against?.etag !== shown.etag) return
      const { drafts } = store
      if (state.etag !== shown.etag) {
        store.receive(state.saved, state.etag, readDraftKey(key)?.version)
        // The save reports the remaining conflicts.
        if (keep === 'mine' || store.get(key)?.against) await this.save(key)
      } else if (keep === 'mine') {
        store.put(key, { ...settledDraft, draft: drafts.keptMine(now, state.saved, state.etag) })
        await this.save(key)
      } else {
        const taken = drafts.tookTheirs(now, state)
        const { ahead } = now
        const draft = ahead && ahead.etag !== state.etag ? drafts.rebased(taken, ahead.saved, ahead.etag) : taken
        store.put(key, { ...settledDraft, draft })
      }
    } catch (failure) {
      store.fail(key, failure)
    }
  }

  /** After a refused save, reads the current state if that may be the reason. */
  async lookAgain(key: DraftKey, failure: unknown): Promise<void> {
    if (!(failure instanceof ApiError) || (failure.conflicts.length === 0 && !looksAgain.has(failure.status))) return
    const state = await this.#load(key).catch((error: unknown) => {
      if (isGone(error)) void this.#given.store.vanished(key)
    })
    if (state) this.#given.store.receive(state.saved, state.etag, readDraftKey(key)?.version)
  }

  async #load(key: DraftKey): Promise<Loaded<S> | null> {
    const place = readDraftKey(key)
    return place && this.#given.load(place.id, place.version)
  }

  /** Runs saves of a draft one at a time; edits made during a save are saved by the next one. */
  async #inTurn<T>(key: DraftKey, next: () => Promise<T>): Promise<T> {
    while (this.#underWay.has(key)) await this.#underWay.get(key)
    const saving = next()
    const over = Promise.allSettled([saving]).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, over)
    return saving
  }

  /** On failure, the next read or the next successful call asks again. */
  async #ask(key: DraftKey): Promise<void> {
    await this.#inTurn(key, async () => this.#learn(key)).catch(() => undefined)
  }

  /** Saves; on failure also reads the current state, because a queued save would be refused for the same reason. */
  async #tried(key: DraftKey): Promise<Outcome | 'failed'> {
    const { store } = this.#given
    try {
      return await this.#next(key)
    } catch (failure) {
      store.stopped(key, store.get(key)?.unanswered)
      store.fail(key, failure)
      await this.lookAgain(key, failure)
      store.ended(key, false)
      return 'failed'
    }
  }

  async #next(key: DraftKey): Promise<Outcome> {
    const isStored = await this.#learn(key)
    const known = this.#given.store.get(key)
    if (!known) return 'refused'
    // The previous save included it.
    if (known.draft.changes === 0) return isStored ? 'saved' : 'none'
    return this.#send(key, known)
  }

  /**
   * Determines the outcome of an unanswered save before anything else is sent or received; otherwise one's own save
   * could be taken for someone else's, or the reverse. Resolves to whether it was stored; rejects if that is unknown.
   */
  async #learn(key: DraftKey): Promise<boolean> {
    const { store, answerTo } = this.#given
    const known = store.get(key)
    const lost = known?.unanswered
    if (!lost) return false
    // The save counts as running until its outcome is known.
    store.put(key, { ...known, saving: true })
    try {
      const answer = await answerTo(lost, readDraftKey(key)?.version)
      if (answer) this.#stored(key, lost.sent, answer)
      else store.stopped(key)
      if (answer && lost.isTakenBack) this.#storedUntold.add(key)
      const isRead = store.ended(key, answer !== null)
      // States read since then may be newer or older than the outcome; only a new read is reliable.
      if (answer && isRead) await this.#readAgain(key)
      return answer !== null
    } catch (failure) {
      // The state that was read keeps waiting.
      store.stopped(key, lost)
      throw failure
    }
  }

  /** On failure, the next read shows it. */
  async #readAgain(key: DraftKey): Promise<void> {
    const state = await this.#load(key).catch(() => null)
    if (state) this.#given.store.receive(state.saved, state.etag, readDraftKey(key)?.version)
  }

  async #send(key: DraftKey, known: OpenDraft<S, C, E>): Promise<Outcome> {
    const { store, send } = this.#given
    const saveId = newUid()
    const sent = store.begin(key, known, saveId)
    const answer = await send(sent, readDraftKey(key)?.version, saveId).catch((failure: unknown) => {
      store.stopped(key, isUnanswered(failure) ? { sent, saveId } : null)
      throw failure
    })
    if (answer) this.#stored(key, sent, answer)
    else store.stopped(key)
    this.#storedUntold.delete(key)
    store.ended(key, answer !== undefined)
    return answer ? 'saved' : 'refused'
  }

  #stored(key: DraftKey, sent: Draft<S, C, E>, answer: Loaded<S>): void {
    const { store } = this.#given
    const { saved } = answer
    const draft = store.saved(key, sent, answer)
    if (draft.changes === 0) void restoreWaiting(store.keptAs(key))
    if (readDraftKey(key)?.version !== undefined) return
    workbench.getState().rename(tabIdOf({ kind: store.kind, id: saved.id }), store.title(saved))
  }

  /**
   * Reverts the step that was added for the save, if it is still the last one. If it was stored nevertheless, it must
   * not be undone.
   */
  #takeBack(key: DraftKey, added: Draft<S, C, E>): void {
    const { store } = this.#given
    const now = store.get(key)
    if (now) {
      const { unanswered: lost } = now
      const unanswered = lost && endsAlike(lost.sent, added) ? store.withoutLast(lost) : lost
      const draft = endsAlike(now.draft, added) ? store.drafts.withoutLast(now.draft) : now.draft
      store.put(key, { ...now, saving: false, unanswered, draft })
    }
    store.ended(key, false)
  }
}

/** Whether both drafts have the same last step. */
function endsAlike<S, C, E>({ done: one }: Draft<S, C, E>, { done: other }: Draft<S, C, E>): boolean {
  const [last, added] = [one.at(-1), other.at(-1)]
  return last !== undefined && added !== undefined && originOf(last) === originOf(added)
}
