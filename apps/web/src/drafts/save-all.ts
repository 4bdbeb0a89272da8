import { sheetTexts } from '@cadmus/model/messages/sheet'
import { SaveAll } from 'lucide-react'
import { currentScope, scopeText } from '../api/scope.ts'
import type { Command } from '../commands/command.ts'
import { offerCommands } from '../commands/use-commands.ts'
import { notify } from '../ui/notices.ts'
import { placeOf, type DraftKey } from './draft-key.ts'

/** A document with texts that no save sends, because they are not valid. */
export type InvalidTexts = { key: DraftKey; name: string; count: number }

type UnsavedStore = {
  /** Saved after the others: a scope that is no longer defined must be unused first. */
  isLast: boolean
  /** The documents with unsaved changes that a save would send. */
  unsaved: () => readonly DraftKey[]
  save: (key: DraftKey) => Promise<boolean>
  invalid: () => readonly InvalidTexts[]
  isOpen: (key: DraftKey) => boolean
}

export const noChanges = 'There are no unsaved changes.'

const stores: UnsavedStore[] = []

/** Save All is available from the first store on, whatever is shown. */
export function includeInSaveAll(store: UnsavedStore): void {
  if (stores.length === 0) offerCommands([saveAll], {})
  stores.push(store)
  stores.sort((one, other) => Number(one.isLast) - Number(other.isLast))
}

function unsaved() {
  return stores.flatMap(store => store.unsaved().flatMap(key => (isInScope(key) ? [{ store, key }] : [])))
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
    for (const { store, key } of unsaved()) {
      // Saving one document may have saved another, to which its attributes were moved.
      if (store.unsaved().includes(key)) await store.save(key)
    }
    // A document without a tab is closed when it is saved.
    const left = before.flatMap(({ store, invalid }) => [
      ...store.invalid(),
      ...invalid.filter(({ key }) => !store.isOpen(key)),
    ])
    const inScope = left.filter(({ key }) => isInScope(key))
    if (inScope.length > 0) notify('info', sheetTexts.cellsLeftIn(inScope))
  },
} satisfies Command<object>
