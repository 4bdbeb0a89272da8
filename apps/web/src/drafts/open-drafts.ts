import { messages } from '@cadmus/model/messages'
import { folderOf } from '@cadmus/model/paths'
import { newUid } from '@cadmus/model/uid'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { connectionStore } from '../api/connection.ts'
import { type ChangedTogether, changesQuery, type LoggedKind } from '../api/edit-log.ts'
import { isGone, isOutcomeUnknown, unreachable } from '../api/error.ts'
import type { Author } from '../api/logs.ts'
import { currentScope, scopeText, type Scope } from '../api/scope.ts'
import { storeDraft } from '../api/stored-drafts.ts'
import { dismissSaved, dismissText, notify } from '../ui/notices.ts'
import { tabIdOf, type DocumentKind } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { allTabs } from '../workbench/workbench.ts'
import type { Place } from './draft-adapter.ts'
import { draftKey, placeOf, withinScope, type DraftKey, type DraftPlace } from './draft-key.ts'
import { DraftMachine, isStale } from './draft-machine.ts'
import type { Draft, Drafts, Loaded } from './draft.ts'
import {
  operationOf,
  type Deleted,
  type Discarded,
  type DraftEffect,
  type DraftEvent,
  type OpenDraft,
  type Operation,
  type Saved,
  type SavedTogether,
  type SaveRequest,
  type Seen,
  type Side,
} from './open-draft.ts'
import { restoreWaiting } from './restore-stored.ts'
import { operationIdIn } from './save-run.ts'
import { includeInSaveAll, type InvalidTexts, type SaveOptions, undoOfSaves } from './save-all.ts'
import type { LoggedStates, SavedStep } from './saved-steps.ts'
import { hasUnsaved, toStoredDraft, type StoredPlace, type WithoutSecrets } from './stored-draft.ts'

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
  deletion: (saved: S, scope: Scope) => Promise<Deleted | null>
  /** Number of texts in the document that no save sends, because they are not valid. */
  countInvalid?: (key: DraftKey, content: C) => number
}

/** The calls for documents of one kind. */
export type DraftServer<S extends Saved, C, E> = {
  /** Sends the draft under the given id; undefined if the user cancelled. */
  send: (draft: Draft<S, C, E>, place: DraftPlace, operationId: string) => Promise<Loaded<S> | undefined>
  /** The stored result of the operation, as its response would have been; null if nothing was stored. */
  settle: (operation: Operation<S, C, E>, place: DraftPlace) => Promise<Loaded<S> | null>
  load: (place: DraftPlace) => Promise<Loaded<S>>
  success: string
  /** Last author and time of each place of a document; null if unknown. For conflicts that the page itself detected. */
  findAuthors?: (saved: S, places: readonly Place[], scope: Scope) => Promise<(Author | null)[]>
  /** The log of saved changes. Undefined: they cannot be taken back. */
  log?: {
    kind: LoggedKind
    states: (
      id: number,
      sequence: number,
      scope: Scope,
    ) => Promise<{ before: C | null; after: C | null; others?: readonly ChangedTogether[] }>
    words: (place: Place) => string
    /** Prepares what has to be taken back in other documents at once. */
    together?: (key: DraftKey, states: LoggedStates<C>, direction: 'undo' | 'redo') => Promise<readonly (() => void)[]>
  }
  /** Saves many documents by few calls. Undefined: each has its own. */
  together?: {
    /** The drafts that can be saved together, in parts of one call; others are saved on their own. */
    parts: (drafts: readonly Sent<S, C, E>[]) => readonly (readonly Sent<S, C, E>[])[]
    /** Stores all or none. The results by key; null if they could not be read, and without those that the user cancelled. */
    send: (part: readonly Sent<S, C, E>[], operationId: string) => Promise<ReadonlyMap<DraftKey, Loaded<S> | null>>
  }
  /** Saves the draft of a deleted document as a new one. Resolves to false if the user has to decide. */
  saveAsNew?: (key: DraftKey, open: OpenDraft<S, C, E>) => Promise<boolean>
}

type Sent<S, C, E> = { key: DraftKey; draft: Draft<S, C, E> }

type Answer = SaveOptions & { key: DraftKey; resolve: (isSaved: boolean) => void }

/** The open documents of one kind, including viewed old versions: holds their states and runs the effects. */
export class OpenDrafts<S extends Saved, C, E> {
  readonly kind: DocumentKind
  readonly drafts: Drafts<S, C, E>
  readonly title: (saved: S) => string
  readonly state: StoreApi<{ open: ReadonlyMap<DraftKey, OpenDraft<S, C, E>> }>
  readonly #options: Options<S, C, E>
  readonly #machine: DraftMachine<S, C, E>
  /** By operation and document. */
  readonly #answers = new Map<string, Answer>()
  /** Operations of several documents, as they are collected. */
  readonly #collected = new Map<string, Sent<S, C, E>[]>()
  #server: DraftServer<S, C, E> | null = null

  constructor(options: Options<S, C, E>) {
    this.#options = options
    this.kind = options.kind
    this.drafts = options.drafts
    this.title = options.title
    this.#machine = new DraftMachine(options.drafts, options.failed)
    this.state = createStore(() => ({ open: new Map() }))
    connectionStore.subscribe((now, before) => {
      if (!now.away && before.away)
        for (const key of this.state.getState().open.keys()) this.dispatch(key, { kind: 'online' })
    })
    includeInSaveAll({
      kind: options.kind,
      isLast: options.kind === 'configuration',
      unsaved: () => this.unsaved(),
      isUnsaved: key => this.isUnsaved(key),
      save: async (key, saving) => this.save(key, saving),
      parts: among => this.parts(among),
      saveTogether: async (part, run) => this.saveTogether(part, run),
      invalid: () => this.#invalid(),
      isOpen: key => this.get(key) !== undefined,
    })
  }

  connect(server: DraftServer<S, C, E>): void {
    this.#server = server
  }

  get(key: DraftKey): OpenDraft<S, C, E> | undefined {
    return this.state.getState().open.get(key)
  }

  storageKey(key: DraftKey): string {
    return `${this.kind}:${withinScope(key)}`
  }

  dispatch(key: DraftKey, event: DraftEvent<S, C, E>): void {
    const before = this.get(key)
    const [open, effects] = this.#machine.step(before, event, new Date().toISOString())
    if (open && open !== before) {
      // First, because a subscriber may cause a newer state, which must be stored instead.
      for (const effect of effects) this.#store(key, open, effect)
      this.state.setState(state => ({ open: new Map(state.open).set(key, open) }))
    }
    for (const effect of effects) this.#run(key, effect)
  }

  /** Opens a document from a server response, or rebases its edits onto it. */
  receive(saved: S, etag: string, version: string | undefined): void {
    this.dispatch(draftKey(saved.id, version), { kind: 'loaded', loaded: { saved, etag } })
  }

  edit(key: DraftKey, edits: (content: C) => readonly E[]): void {
    this.dispatch(key, { kind: 'edit', edits })
  }

  editOn(key: DraftKey, before: Draft<S, C, E>, edits: (content: C) => readonly E[]): void {
    this.dispatch(key, { kind: 'editOn', before, edits })
  }

  /** The stored state as seen by a user who begins to edit. */
  seen(key: DraftKey): Seen<C> | null {
    const open = this.get(key)
    return open ? { content: open.draft.base, saves: open.ownSaves.length } : null
  }

  editAbove(key: DraftKey, seen: Seen<C> | null, edits: (content: C) => readonly E[]): void {
    this.dispatch(key, seen ? { kind: 'editAbove', seen, edits } : { kind: 'edit', edits })
  }

  fail(key: DraftKey, failure: unknown, fallback: string = this.#options.failed): void {
    this.dispatch(key, { kind: 'failed', failure, fallback })
  }

  /** A conflict or a deletion is decided in its document. */
  unsaved(): readonly DraftKey[] {
    return [...this.state.getState().open].flatMap(([key, { state, draft }]) =>
      draft.changes > 0 && state !== 'conflicted' && state !== 'deleted' ? [key] : [],
    )
  }

  /** Whether the document has unsaved changes, also such as no save would send. */
  isUnsaved(key: DraftKey): boolean {
    return (this.get(key)?.draft.changes ?? 0) > 0
  }

  #invalid(): readonly InvalidTexts[] {
    return [...this.state.getState().open].flatMap(([key, { draft }]) => {
      const count = this.#options.countInvalid?.(key, draft.content) ?? 0
      return count > 0 ? [{ key, name: this.title(draft.saved), count }] : []
    })
  }

  /** The query of the document's saved changes; null if they cannot be taken back. */
  changes(key: DraftKey) {
    const open = this.get(key)
    const { log } = this.#calls
    const { id, version, scope } = placeOf(key)
    return open && log && version === undefined ? changesQuery(log.kind, id, open.draft.etag, scope) : null
  }

  get loggedKind(): LoggedKind | undefined {
    return this.#calls.log?.kind
  }

  /** The states before and after a saved change; null if they are no longer stored. */
  async statesOf(
    key: DraftKey,
    { sequence, last }: Pick<SavedStep, 'sequence' | 'last'>,
  ): Promise<LoggedStates<C> | null> {
    const { id, scope } = placeOf(key)
    const read = async (at: number) => this.#calls.log?.states(id, at, scope)
    const first = await read(sequence)
    const { before = null, others = [] } = first ?? {}
    const { after = null } = (sequence === last ? first : await read(last)) ?? {}
    return before && after && { before, after, others }
  }

  /** Prepares what has to be taken back in other documents together with a change of this one. */
  async together(key: DraftKey, states: LoggedStates<C>, direction: 'undo' | 'redo') {
    return (await this.#calls.log?.together?.(key, states, direction)) ?? []
  }

  /** Places in words, with the author and time of their last change. */
  async describePlaces(key: DraftKey, places: readonly Place[]): Promise<{ words: string; author: Author | null }[]> {
    const { findAuthors, log } = this.#calls
    const { draft } = this.get(key) ?? {}
    const read = draft && findAuthors?.(draft.saved, places, placeOf(key).scope)
    const authors = (await read?.catch(() => [])) ?? []
    return places.map((place, index) => ({ words: log?.words(place) ?? '', author: authors[index] ?? null }))
  }

  /** Saves the draft. On failure resolves to false; the document shows the reason and keeps all edits. */
  async save(key: DraftKey, options?: SaveOptions): Promise<boolean> {
    return this.#requested(key, request => ({ kind: 'save', request }), options)
  }

  /** Of the documents those that can be saved together, in parts of one call. */
  parts(among: readonly DraftKey[]): readonly (readonly DraftKey[])[] {
    const drafts = among.flatMap(key => {
      const open = this.get(key)
      return open?.state === 'dirty' ? [{ key, draft: open.draft }] : []
    })
    return (this.#calls.together?.parts(drafts) ?? []).map(part => part.map(({ key }) => key))
  }

  /** Saves a part, all or nothing, without a message. */
  async saveTogether(part: readonly DraftKey[], run: string): Promise<SavedTogether> {
    const operationId = operationIdIn(run)
    const sent: Sent<S, C, E>[] = []
    const [ready, others] = partition(part, key => this.get(key)?.state === 'dirty')
    this.#collected.set(operationId, sent)
    const saves = ready.map(async key => {
      const options = { isSilent: true, run }
      return [key, await this.#requested(key, request => ({ kind: 'save', request }), options, operationId)] as const
    })
    this.#collected.delete(operationId)
    const isRefused = sent.length > 0 && (await this.#sendTogether(sent, operationId))
    const [saved, failed] = partition(await Promise.all(saves), ([, isSaved]) => isSaved)
    const left = isRefused ? failed.filter(([key]) => this.get(key)?.state === 'dirty') : []
    return { saved: saved.map(([key]) => key), left: [...others, ...left.map(([key]) => key)] }
  }

  /** Whether the documents are refused together: then each may be saved on its own, and shows its reason. */
  async #sendTogether(sent: readonly Sent<S, C, E>[], operationId: string): Promise<boolean> {
    const end = (event: (key: DraftKey) => DraftEvent<S, C, E>) => {
      for (const { key } of sent) this.dispatch(key, event(key))
    }
    try {
      const answers = await this.#calls.together?.send(sent, operationId)
      end(key => {
        const answer = answers?.get(key)
        if (answer) return { kind: 'stored', operationId, answer }
        return answer === null
          ? { kind: 'unanswered', operationId, failure: unreachable() }
          : { kind: 'cancelled', operationId }
      })
      return false
    } catch (failure) {
      const isUnknown = isOutcomeUnknown(failure)
      end(() => (isUnknown ? { kind: 'unanswered', operationId, failure } : { kind: 'cancelled', operationId }))
      return !isUnknown
    }
  }

  /** Resolves the conflicts shown. */
  async keep(key: DraftKey, side: Side): Promise<boolean> {
    return this.#requested(key, request => ({ kind: 'keep', side, request }))
  }

  /** After a refused call, reads the current state if a newer state may be the reason. */
  async lookAgain(key: DraftKey, failure: unknown): Promise<void> {
    if (!isStale(failure)) return
    const { result } = await this.#read(key)
    if (result === 'deleted') this.dispatch(key, { kind: 'deleted' })
    else if (result) this.dispatch(key, { kind: 'loaded', loaded: result })
  }

  /** Drops documents that are no longer shown, with their stored drafts. */
  close(keys: readonly DraftKey[]): void {
    const open = new Map(this.state.getState().open)
    const cancelled = new Set<DraftKey>()
    for (const key of keys) {
      const draft = open.get(key)
      if (draft && hasUnsaved(this.drafts, draft)) storeDraft(this.storageKey(key), null, placeOf(key))
      // A document saved as new closes its own tab.
      if (draft?.state !== 'deleted') cancelled.add(key)
      open.delete(key)
    }
    this.state.setState({ open })
    for (const [id, { key, resolve }] of this.#answers)
      if (cancelled.has(key) && this.#answers.delete(id)) resolve(false)
  }

  async #requested(
    key: DraftKey,
    event: (request: SaveRequest) => DraftEvent<S, C, E>,
    options: SaveOptions = {},
    id = options.run === undefined ? newUid() : operationIdIn(options.run),
  ): Promise<boolean> {
    return new Promise(resolve => {
      this.#answers.set(`${id} ${key}`, { ...options, key, resolve })
      this.dispatch(key, event({ id }))
    })
  }

  #store(key: DraftKey, open: OpenDraft<S, C, E>, { kind }: DraftEffect<S, C, E>): void {
    if (kind === 'remove') storeDraft(this.storageKey(key), null, placeOf(key))
    if (kind !== 'store') return
    const { draft } = open
    const at = open.changedAt ?? new Date().toISOString()
    const stored = toStoredDraft(draft, at, this.#options.withoutSecrets, {
      place: this.#options.placeOf(draft.saved),
      operation: operationOf(open),
    })
    const { scope } = placeOf(key)
    const details = { isComplete: stored.secretsOmitted !== true, at, title: this.title(draft.saved), scope }
    storeDraft(this.storageKey(key), stored, details)
  }

  #run(key: DraftKey, effect: DraftEffect<S, C, E>): void {
    if (effect.kind === 'send') this.#sendOrCollect(key, effect.operation)
    if (effect.kind === 'settle') void this.#settle(key, effect.operation)
    if (effect.kind === 'read') void this.#readFor(key, effect)
    if (effect.kind === 'stored') this.#stored(key, effect)
    if (effect.kind === 'saveAsNew') void this.#saveAsNew(key, effect.request)
    if (effect.kind === 'findAuthors') void this.#findAuthors(key, effect)
    if (effect.kind === 'findDeletion') void this.#findDeletion(key)
    if (effect.kind === 'offerUndo') this.#offerUndo(key, effect.discarded)
    if (effect.kind === 'finish') this.#finish(key, effect)
  }

  #sendOrCollect(key: DraftKey, operation: Operation<S, C, E>): void {
    const collected = this.#collected.get(operation.id)
    if (collected) collected.push({ key, draft: operation.sent })
    else void this.#send(key, operation)
  }

  async #send(key: DraftKey, { id: operationId, sent }: Operation<S, C, E>): Promise<void> {
    try {
      const answer = await this.#calls.send(sent, placeOf(key), operationId)
      this.dispatch(key, answer ? { kind: 'stored', operationId, answer } : { kind: 'cancelled', operationId })
    } catch (failure) {
      this.dispatch(key, { kind: isOutcomeUnknown(failure) ? 'unanswered' : 'refused', operationId, failure })
    }
  }

  async #settle(key: DraftKey, operation: Operation<S, C, E>): Promise<void> {
    const { id: operationId } = operation
    try {
      const answer = await this.#calls.settle(operation, placeOf(key))
      this.dispatch(key, { kind: 'settled', operationId, answer })
    } catch (failure) {
      this.dispatch(key, { kind: 'unsettled', operationId, failure })
    }
  }

  async #readFor(key: DraftKey, { after }: Extract<DraftEffect<S, C, E>, { kind: 'read' }>): Promise<void> {
    this.dispatch(key, { kind: 'read', after, ...(await this.#read(key)) })
  }

  async #read(key: DraftKey): Promise<{ result: Loaded<S> | 'deleted' | null; failure?: unknown }> {
    try {
      return { result: await this.#calls.load(placeOf(key)) }
    } catch (failure) {
      return { result: isGone(failure) ? 'deleted' : null, failure }
    }
  }

  #stored(key: DraftKey, { saved, isClean }: { saved: S; isClean: boolean }): void {
    const { version, scope } = placeOf(key)
    if (isClean) void restoreWaiting(this.storageKey(key), scope)
    if (version === undefined)
      workbench.getState().rename(tabIdOf({ kind: this.kind, id: saved.id }, scope), this.title(saved))
  }

  async #saveAsNew(key: DraftKey, request: SaveRequest): Promise<void> {
    const open = this.get(key)
    try {
      const isSaved = open !== undefined && ((await this.#calls.saveAsNew?.(key, open)) ?? false)
      this.dispatch(key, { kind: 'savedAsNew', request, isSaved })
    } catch (failure) {
      this.dispatch(key, { kind: 'savedAsNew', request, isSaved: false, failure })
    }
  }

  async #findAuthors(key: DraftKey, { conflicts, etag }: { conflicts: readonly Place[]; etag: string }): Promise<void> {
    const { findAuthors } = this.#calls
    const open = this.get(key)
    if (!open || !findAuthors) return
    const answers = await findAuthors(open.draft.saved, conflicts, placeOf(key).scope).catch(() => [])
    const authors = conflicts.flatMap(({ path, field }, index) => {
      const author = answers[index]
      return author ? [{ path, field, ...author }] : []
    })
    this.dispatch(key, { kind: 'authors', etag, authors })
  }

  async #findDeletion(key: DraftKey): Promise<void> {
    const open = this.get(key)
    const { version, scope } = placeOf(key)
    // Deletions of single versions are not logged.
    if (!open || version !== undefined) return
    const by = await this.#options.deletion(open.draft.saved, scope).catch(() => null)
    if (by) this.dispatch(key, { kind: 'deletedBy', by })
  }

  /** Notifies that a draft was discarded and offers Undo while the notice is shown. */
  #offerUndo(key: DraftKey, discarded: Discarded<S, C, E>): void {
    const { saved } = discarded.draft
    const { scope } = placeOf(key)
    const tabId = tabIdOf({ kind: this.kind, id: saved.id }, scope)
    const undo = { label: 'Undo', run: () => bringBack() }
    const bringBack = () => {
      const isOpen = allTabs(workbench.getState()).some(tab => tab.tabId === tabId)
      if (isOpen || scopeText(currentScope()) === scopeText(scope))
        this.dispatch(key, { kind: 'undoDiscard', discarded })
      // Its tab can open in its own scope only.
      else notify('info', messages.locked.organisation, undo, { stays: 'untilUsed' })
    }
    notify('info', messages.discarded(this.title(saved), folderOf(saved.path)), undo)
  }

  #finish(key: DraftKey, { request, outcome }: Extract<DraftEffect<S, C, E>, { kind: 'finish' }>): void {
    const id = `${request.id} ${key}`
    const answer = this.#answers.get(id)
    this.#answers.delete(id)
    const { success } = this.#calls
    dismissSaved()
    // The notice of the previous save would seem to belong to this save.
    if (outcome === 'saved' || typeof outcome === 'object') dismissText(success)
    const isLogged = answer !== undefined && this.changes(answer.key) !== null
    const undo = isLogged ? undoOfSaves([{ kind: this.kind, key: answer.key }]) : undefined
    if (outcome === 'saved' && !answer?.isSilent) notify('success', success, undo)
    answer?.resolve(outcome === 'saved' || outcome === 'none')
  }

  get #calls(): DraftServer<S, C, E> {
    if (!this.#server) throw new Error(`Drafts of kind ${this.kind} have no server.`)
    return this.#server
  }
}

export function useOpenDraft<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
): OpenDraft<S, C, E> | undefined {
  return useStore(store.state, state => state.open.get(key))
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter(item => !isFirst(item))]
}
