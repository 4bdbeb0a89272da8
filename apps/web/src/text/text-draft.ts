import { numbered, readable } from '@cadmus/model/stored/stored-form'
import { lineChanges } from '@cadmus/model/text/line-changes'
import { currentScope, type Scope, scopeText } from '../api/scope.ts'
import { onDraftsForgotten, storeDraft, storedDrafts } from '../api/stored-drafts.ts'
import { draftsRestored } from '../workbench/leave.ts'
import { SlicedWork } from './sliced-work.ts'
import { textDraftForm } from './text-draft-form.ts'
import type { TextSession, Unapplied } from './text-session.ts'

/** Milliseconds without a change after which a text is stored: keys do not wait for it. */
const rest = 1000

const open = new Set<TextDraft>()
let isWatching = false

function watchLeaving(): void {
  if (isWatching) return
  isWatching = true
  onDraftsForgotten(() => open.forEach(draft => draft.close()))
  // Before other listeners ask whether everything is stored.
  addEventListener('beforeunload', () => open.forEach(draft => draft.storeNow()), { capture: true })
}

type Session = Pick<TextSession, 'store' | 'unapplied' | 'showAgain' | 'read'>

/** Stores what a reload would lose of a text, and brings it back. */
export class TextDraft {
  readonly #document: string
  readonly #title: string
  readonly #session: Session
  readonly #scope: Scope = currentScope()
  #isStored = false
  #isDue = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #work: SlicedWork<Unapplied | null> | undefined
  #stop: (() => void) | undefined

  constructor({ document, title, session }: { document: string; title: string; session: Session }) {
    this.#document = document
    this.#title = title
    this.#session = session
  }

  /** Stores what changes from now on. */
  open(): void {
    watchLeaving()
    open.add(this)
    this.#stop ??= this.#session.store.subscribe(({ reading }, before) => {
      if (reading !== before.reading) this.#storeSoon()
    })
  }

  /** Takes what was stored, before the text is shown. */
  async read(): Promise<void> {
    // Its lines are compared with the model as the drafts have it.
    await draftsRestored()
    // The user may have left the scope since.
    const isOwn = (document: string) =>
      document === this.#document && scopeText(currentScope()) === scopeText(this.#scope)
    const [newest, ...others] = await storedDrafts(isOwn)
    for (const other of others) await other.release()
    const unapplied = newest && readable(textDraftForm, newest.draft)
    // Another version of the application may be able to read it.
    if (!unapplied) return newest?.release()
    this.#store(unapplied)
    await newest.forget()
    const typed = lineChanges(unapplied.printed.text, unapplied.shown.text)
    this.#session.showAgain({ ...unapplied, typed })
  }

  storeNow(): void {
    if (!this.#isDue || !open.has(this)) return
    clearTimeout(this.#timer)
    if (this.#session.store.getState().reading === null) this.#session.read()
    this.#begin().finish()
  }

  close(): void {
    this.#stop?.()
    this.#stop = undefined
    clearTimeout(this.#timer)
    this.#work?.cancel()
    open.delete(this)
  }

  #storeSoon(): void {
    this.#isDue = true
    this.#work?.cancel()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#begin().start(), rest)
  }

  #begin(): SlicedWork<Unapplied | null> {
    this.#work?.cancel()
    this.#work = new SlicedWork(this.#session.unapplied(), unapplied => this.#store(unapplied))
    return this.#work
  }

  #store(unapplied: Unapplied | null): void {
    this.#isDue = false
    if (unapplied === null && !this.#isStored) return
    this.#isStored = unapplied !== null
    const draft = unapplied && numbered(textDraftForm, unapplied)
    storeDraft(this.#document, draft, { title: this.#title, scope: this.#scope })
  }
}
