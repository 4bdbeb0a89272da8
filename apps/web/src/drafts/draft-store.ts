import { messages } from '@cadmus/model/messages'
import { folderOf } from '@cadmus/model/paths'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { connectionStore, isAway } from '../api/connection.ts'
import { ApiError, messageOf } from '../api/error.ts'
import { keepDraft } from '../api/kept-drafts.ts'
import { notify } from '../ui/Snackbar.tsx'
import type { DocumentKind } from '../workbench/documents.ts'
import type { Draft, Drafts } from './draft.ts'
import { draftKey, type DraftKey } from './draft-key.ts'
import { keptFrom } from './kept-draft.ts'

/** What the server answers of a document, as far as drafts look at it. */
export type Saved = { id: number; name: string; path: string }

export type OpenDraft<S, C, E> = {
  draft: Draft<S, C, E>
  saving: boolean
  /** The words of the last action that failed; shown in the document until the next one. */
  error: string | null
  /** Whether it failed because the server was away: nothing to say any longer once it is back. */
  unreached: boolean
  /** Fields that somebody else changed too, after a save that was refused for them. */
  conflicts: ApiError['conflicts']
  /** When the draft was last changed, where it came back from an earlier visit and was not looked at yet; else null. */
  restored: string | null
  /** Secrets were typed into it that did not come back with it. */
  withheld: boolean
}

/** What a document is beside its draft while nothing happens to it. */
export const settledDraft = {
  saving: false,
  error: null,
  unreached: false,
  conflicts: [],
  restored: null,
  withheld: false,
}

type Given<S, C, E> = {
  kind: DocumentKind
  drafts: Drafts<S, C, E>
  /** What its tab is called. */
  title: (saved: S) => string
  /** What is said where a save failed without words of the server. */
  failed: string
  /** The edits without what the browser must not write down. */
  withoutSecrets?: (edits: readonly E[], base: C) => readonly E[]
}

/** Every open document of a kind, and every old version of one that is viewed, with its unsaved edits. */
export class DraftStore<S extends Saved, C, E> {
  readonly kind: DocumentKind
  readonly drafts: Drafts<S, C, E>
  readonly title: (saved: S) => string
  readonly state: StoreApi<{ open: ReadonlyMap<DraftKey, OpenDraft<S, C, E>> }>
  readonly #failed: string
  readonly #withoutSecrets: ((edits: readonly E[], base: C) => readonly E[]) | undefined

  constructor({ kind, drafts, title, failed, withoutSecrets }: Given<S, C, E>) {
    this.kind = kind
    this.drafts = drafts
    this.title = title
    this.#failed = failed
    this.#withoutSecrets = withoutSecrets
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
    if (!known) this.put(key, { ...settledDraft, draft: this.drafts.open(saved, etag) })
    else if (known.draft.etag !== etag)
      this.put(key, { ...known, draft: this.drafts.rebased(known.draft, saved, etag) })
    // A version added or deleted leaves the content, and with it the ETag, as it was.
    else if (known.draft.saved !== saved) this.put(key, { ...known, draft: this.drafts.seenAgain(known.draft, saved) })
  }

  /** Applies edits to the draft; the tab is marked unsaved while something differs. */
  edit(key: DraftKey, edits: (content: C) => readonly E[]): void {
    this.#change(key, draft => this.drafts.edited(draft, edits(draft.content)))
  }

  undo(key: DraftKey): void {
    this.#change(key, draft => this.drafts.undone(draft))
  }

  redo(key: DraftKey): void {
    this.#change(key, draft => this.drafts.redone(draft))
  }

  /** Gives up what is unsaved, and offers it back. */
  discard(key: DraftKey): void {
    const before = this.get(key)?.draft
    if (!before || before.done.length === 0) return
    this.#change(key, draft => this.drafts.discarded(draft))
    const { saved } = before
    const again = () => this.#bringBack(key, before)
    notify('info', messages.discarded(this.title(saved), folderOf(saved.path)), { label: 'Undo', run: again })
  }

  /** Shows why an action on the document failed, in its place. */
  fail(key: DraftKey, failure: unknown, fallback: string = this.#failed): void {
    const known = this.get(key)
    const conflicts = failure instanceof ApiError ? failure.conflicts : []
    const error = messageOf(failure, fallback)
    if (known) this.put(key, { ...known, saving: false, error, unreached: isAway(failure), conflicts })
  }

  /** What failed before went well now: nothing says any longer that it failed. */
  succeeded(key: DraftKey): void {
    const known = this.get(key)
    if (known?.error) this.put(key, { ...known, error: null })
  }

  /** The restored draft was looked at: it is a draft like any other. */
  looked(key: DraftKey): void {
    const known = this.get(key)
    if (known) this.put(key, { ...known, restored: null })
  }

  /** Puts the document's new state; keeps its draft in the browser. */
  put(key: DraftKey, open: OpenDraft<S, C, E>): void {
    const before = this.get(key)?.draft
    this.state.setState(state => ({ open: new Map(state.open).set(key, open) }))
    const { draft } = open
    const name = `${this.kind}:${key}`
    if (draft.changes > 0 && draft !== before) {
      const kept = keptFrom(draft, new Date().toISOString(), this.#withoutSecrets)
      keepDraft(name, kept, { whole: kept.withheld !== true })
    } else if (draft.changes === 0 && before && before.changes > 0) keepDraft(name, null)
  }

  #change(key: DraftKey, make: (draft: Draft<S, C, E>) => Draft<S, C, E>): void {
    const known = this.get(key)
    if (known) this.put(key, { ...known, draft: make(known.draft), error: null })
  }

  /** Also where its tab was closed since: whatever is unsaved has one. */
  #bringBack(key: DraftKey, before: Draft<S, C, E>): void {
    if (this.get(key)) this.#change(key, draft => this.drafts.broughtBack(draft, before))
    else this.put(key, { ...settledDraft, draft: before })
  }

  #reached(): void {
    for (const [key, open] of this.state.getState().open)
      if (open.error !== null && open.unreached) this.put(key, { ...open, error: null })
  }
}

export function useOpenDraft<S extends Saved, C, E>(
  store: DraftStore<S, C, E>,
  key: DraftKey,
): OpenDraft<S, C, E> | undefined {
  return useStore(store.state, state => state.open.get(key))
}
