import { historyTexts } from '@cadmus/model/messages/history'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { newUid } from '@cadmus/model/uid'
import { SaveAll } from 'lucide-react'
import { currentScope, scopeText } from '../api/scope.ts'
import type { Command } from '../commands/command.ts'
import { offerCommands } from '../commands/use-commands.ts'
import { notify } from '../ui/notices.ts'
import type { DocumentKind } from '../workbench/documents.ts'
import { placeOf, type DraftKey } from './draft-key.ts'
import { inTurn } from './in-turn.ts'
import type { SavedTogether } from './open-draft.ts'
import { runOf } from './save-run.ts'

/** A document with texts that no save sends, because they are not valid. */
export type InvalidTexts = { key: DraftKey; name: string; count: number }

/** `isSilent`: without a message of success. `run`: of the action that makes several saves. */
export type SaveOptions = { isSilent?: boolean; run?: string }

type UnsavedStore = {
  kind: DocumentKind
  /** Saved after the others: a scope that is no longer defined must be unused first. */
  isLast: boolean
  /** The documents with unsaved changes that a save would send. */
  unsaved: () => readonly DraftKey[]
  /** Whether it has unsaved changes, also such as no save would send. */
  isUnsaved: (key: DraftKey) => boolean
  save: (key: DraftKey, options: SaveOptions) => Promise<boolean>
  /** Of documents those that can be saved together, in parts of one call. */
  parts?: (among: readonly DraftKey[]) => readonly (readonly DraftKey[])[]
  saveTogether?: (part: readonly DraftKey[], run: string) => Promise<SavedTogether>
  invalid: () => readonly InvalidTexts[]
  isOpen: (key: DraftKey) => boolean
}

export const noChanges = 'There are no unsaved changes.'

const stores: UnsavedStore[] = []

/** `run`: of the action that saved it, as in the log; undefined if it is not known. */
export type SavedDocument = { kind: DocumentKind; key: DraftKey; run?: string | null }

let undoSaves: ((saved: readonly SavedDocument[]) => Promise<void>) | undefined

/** *Undo* in the message about saves; undefined while no document can be saved. */
export function undoOfSaves(saved: readonly SavedDocument[]) {
  return undoSaves && { label: historyTexts.cause.undo, run: () => void takeBackSaves(saved) }
}

/** Takes back the last save of each document; a save waits for it. */
export async function takeBackSaves(saved: readonly SavedDocument[]): Promise<void> {
  await inTurn(async () => undoSaves?.(saved))
}

/** Sets what *Undo* does in the message about saves. */
export function offerUndoOfSaves(undo: typeof undoSaves): void {
  undoSaves = undo
}

/** Save All is available from the first store on, whatever is shown. */
export function includeInSaveAll(store: UnsavedStore): void {
  if (stores.length === 0) offerCommands([saveAll], {})
  stores.push(store)
  stores.sort((one, other) => Number(one.isLast) - Number(other.isLast))
}

function unsaved() {
  return stores.flatMap(store => store.unsaved().flatMap(key => (isInScope(key) ? [{ store, key }] : [])))
}

type ToSave = {
  store: Pick<UnsavedStore, 'kind' | 'unsaved' | 'isUnsaved' | 'save' | 'parts' | 'saveTogether'>
  key: DraftKey
}

/** Documents in the order of their saves: parts of one call, and others on their own. */
function inParts(documents: readonly ToSave[]): { store: ToSave['store']; keys: readonly DraftKey[] }[] {
  return [...Map.groupBy(documents, ({ store }) => store)].flatMap(([store, own]) => {
    const keys = own.map(({ key }) => key)
    const parts = (keys.length > 1 ? (store.parts?.(keys) ?? []) : []).filter(part => part.length > 1)
    const rest = [...new Set(keys).difference(new Set(parts.flat()))]
    return [...parts, ...rest.map(key => [key])].map(part => ({ store, keys: part }))
  })
}

/**
 * Saves documents one after the other, many by few calls, and says in one message how many. `untilRefused`: ends with the first one that cannot be saved, which
 * shows the reason.
 */
export async function saveInTurn(documents: readonly ToSave[], { untilRefused = false } = {}): Promise<void> {
  const isOne = documents.length === 1
  const run = newUid()
  const saved: SavedDocument[] = []
  for (const { store, keys } of inParts(documents)) {
    const { kind } = store
    const together = keys.length > 1 ? await store.saveTogether?.(keys, run) : undefined
    saved.push(...(together?.saved ?? []).map(key => ({ kind, key, run: runOf(run) })))
    const savedBefore = saved.length
    const left = together?.left ?? keys
    for (const key of left) {
      // Saving one document may have saved another, to which its attributes were moved.
      const isSent = store.unsaved().includes(key)
      const isSaved = isSent ? await store.save(key, { isSilent: !isOne, run }) : !store.isUnsaved(key)
      if (isSaved) saved.push({ kind, key, run: runOf(run) })
      else if (untilRefused) break
    }
    const isWhole =
      saved.length - savedBefore === left.length && left.length + (together?.saved.length ?? 0) === keys.length
    if (untilRefused && !isWhole) break
  }
  if (isOne || saved.length === 0) return
  const configurations = saved.filter(({ kind }) => kind === 'configuration').length
  notify('success', historyTexts.savedAll(saved.length - configurations, configurations), undoOfSaves(saved))
}

function isInScope(key: DraftKey): boolean {
  return scopeText(placeOf(key).scope) === scopeText(currentScope())
}

/** Saves every open document of the organisation, one after the other. A document that cannot be saved shows the reason. */
export const saveAll = {
  id: 'drafts.saveAll',
  label: 'Save All',
  icon: SaveAll,
  shortcut: 'mod+shift+s',
  visible: () => unsaved().length > 0,
  async run() {
    const before = stores.map(store => ({ store, invalid: store.invalid() }))
    await saveInTurn(unsaved())
    // A document without a tab is closed when it is saved.
    const left = before.flatMap(({ store, invalid }) => [
      ...store.invalid(),
      ...invalid.filter(({ key }) => !store.isOpen(key)),
    ])
    const inScope = left.filter(({ key }) => isInScope(key))
    if (inScope.length > 0) notify('info', sheetTexts.cellsLeftIn(inScope))
  },
} satisfies Command<object>
