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
  /** Saves what the draft is now, under that id; undefined: the person thought better of it. */
  send: (draft: Draft<S, C, E>, version: string | undefined, saveId: string) => Promise<Loaded<S> | undefined>
  /** What the save of that id stored, as its answer would have been; null: nothing. */
  answerTo: (sent: SentSave<S, C, E>, version: string | undefined) => Promise<Loaded<S> | null>
  /** Reads what the server has at this moment. */
  load: (id: number, version: string | undefined) => Promise<Loaded<S>>
  /** What is said once it is saved. */
  success: string
  /** Who changed what the page itself finds contested; absent: nobody says. */
  whoChanged?: WhoChanged<S>
  /** Saves a draft whose document was deleted as a new one; absent: there is none that it could be. False: it was not, as the person wanted. */
  saveAsNew?: (key: DraftKey, open: OpenDraft<S, C, E>) => Promise<boolean>
}

/** Refusals for what the page does not show as it is. */
const looksAgain: ReadonlySet<number> = new Set([400, 403, 404])

/** `none`: there was nothing to save. `refused`: the person thought better of it. */
type Outcome = 'saved' | 'none' | 'refused'

/** The one way in which documents of a kind are saved. */
export class DraftSaves<S extends Saved, C, E> {
  readonly #given: Given<S, C, E>
  readonly #underWay = new Map<DraftKey, Promise<unknown>>()
  /** Whose last save was stored although what it was made with was taken back, nobody having answered. */
  readonly #storedUntold = new Set<DraftKey>()

  constructor(given: Given<S, C, E>) {
    this.#given = given
    given.store.ask = key => void this.#ask(key)
  }

  /** Saves the draft. False: it did not work, the document says why and keeps every edit. */
  async save(key: DraftKey): Promise<boolean> {
    const known = this.#given.store.get(key)
    if (known?.deleted) return (await this.#given.saveAsNew?.(key, known)) ?? false
    const outcome = await this.#inTurn(key, async () => this.#tried(key))
    if (outcome === 'saved') notify('success', this.#given.success)
    // What is still said of the save before would be taken for this one's.
    if (outcome === 'failed') unsay(this.#given.success)
    if (outcome === 'failed' && this.#given.whoChanged)
      void tellWhoChanged(this.#given.store, key, this.#given.whoChanged)
    return outcome === 'saved' || outcome === 'none'
  }

  /**
   * Saves the draft with some edits more; where that does not work they are taken back and the failure is the caller's to show. Asked
   * for again after an answer that never came, they are not made twice: `isThere` says whether a content has them. False: it was not
   * saved, as the person wanted.
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
   * After a refused save: puts the state whose conflicts were shown below one's own edits and saves, or takes it as it is. Where the
   * server has gone on since then, its conflicts with that are shown.
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
        // Still contested: the server says what by.
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

  /** A save that was refused for what others did: what they did is to be seen. */
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

  /** One save of a draft after the other: what is done while one is under way is saved by the next, and not given up. */
  async #inTurn<T>(key: DraftKey, next: () => Promise<T>): Promise<T> {
    while (this.#underWay.has(key)) await this.#underWay.get(key)
    const saving = next()
    const over = Promise.allSettled([saving]).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, over)
    return saving
  }

  /** Where that is not answered either, what is read next asks again, and the page once it reaches the server. */
  async #ask(key: DraftKey): Promise<void> {
    await this.#inTurn(key, async () => this.#learn(key)).catch(() => undefined)
  }

  /** A save, and where it is refused what the server has by now: a save that was asked for meanwhile would be refused for the same again. */
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
    // The one before took it along.
    if (known.draft.changes === 0) return isStored ? 'saved' : 'none'
    return this.#send(key, known)
  }

  /**
   * What became of a save that nobody answered, before something else is sent or taken in: what one stored oneself would be taken for
   * somebody else's, and what somebody else stored for one's own. Answers whether it was stored; rejects where nobody knows.
   */
  async #learn(key: DraftKey): Promise<boolean> {
    const { store, answerTo } = this.#given
    const known = store.get(key)
    const lost = known?.unanswered
    if (!lost) return false
    // Until that is known it is under way still.
    store.put(key, { ...known, saving: true })
    try {
      const answer = await answerTo(lost, readDraftKey(key)?.version)
      if (answer) this.#stored(key, lost.sent, answer)
      else store.stopped(key)
      if (answer && lost.isTakenBack) this.#storedUntold.add(key)
      const isRead = store.ended(key, answer !== null)
      // What was read since may be newer than that, or older where it came late: only what is read from now on is not.
      if (answer && isRead) await this.#readAgain(key)
      return answer !== null
    } catch (failure) {
      // What was read waits on.
      store.stopped(key, lost)
      throw failure
    }
  }

  /** Where it cannot be read it is once it can. */
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

  /** Without the step that was added for the save, if it is still the last one. Where it was stored all the same, nobody wants it undone. */
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

/** Whether the last step of both is one. */
function endsAlike<S, C, E>({ done: one }: Draft<S, C, E>, { done: other }: Draft<S, C, E>): boolean {
  const [last, added] = [one.at(-1), other.at(-1)]
  return last !== undefined && added !== undefined && originOf(last) === originOf(added)
}
