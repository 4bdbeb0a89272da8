import { scopeMatrixTexts } from '@cadmus/model/messages/scope-matrix'
import { KeyRound, Redo2, Replace, Save, SlidersVertical, Trash2, Undo2 } from 'lucide-react'
import type { Command } from '../commands/command.ts'
import { configurationStore, titleOf } from '../drafts/configuration-store.ts'
import { draftKey } from '../drafts/draft-key.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { saveInTurn } from '../drafts/save-all.ts'
import { openDialog } from '../workbench/dialogs.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { renameScopeDialog } from './dialogs.ts'
import type { ShownScopes } from './use-scope-state.ts'

export type ScopesContext = {
  shown: ShownScopes
  /** The last steps, to be taken back or made again. */
  steps: { undo: string | undefined; redo: string | undefined }
  /** The scope whose operations are shown; null: all are. */
  scope: string | null
  /** Shows what requires a scope. */
  onScope: (scope: string) => void
  locked: string | null
  isTokenShown: boolean
  onToken: () => void
}

type ScopesCommand = Command<ScopesContext>

const { commands: texts, reasons } = scopeMatrixTexts

const saveCommand: ScopesCommand = {
  id: 'scopes.save',
  label: texts.save,
  icon: Save,
  shortcut: 'mod+s',
  visible: ({ shown, locked }) => isDirty(shown) && locked === null,
  run: async ({ shown }) => save(shown),
}

const scopeCommands: readonly ScopesCommand[] = [
  {
    id: 'scopes.undo',
    label: ({ steps }) => named(texts.undo, steps.undo),
    icon: Undo2,
    shortcut: 'mod+z',
    disabled: ({ steps, locked }) => locked ?? (steps.undo === undefined ? reasons.nothingToUndo : false),
    run: ({ shown }) => shown.session.undo(),
  },
  {
    id: 'scopes.redo',
    label: ({ steps }) => named(texts.redo, steps.redo),
    icon: Redo2,
    shortcut: 'mod+shift+z',
    alternatives: ['mod+y'],
    disabled: ({ steps, locked }) => locked ?? (steps.redo === undefined ? reasons.nothingToRedo : false),
    run: ({ shown }) => shown.session.redo(),
  },
  {
    id: 'scopes.rename',
    label: texts.rename,
    icon: Replace,
    disabled: whyNotEverywhere,
    run: ({ shown, scope, onScope }) => {
      if (scope !== null) openDialog(renameScopeDialog, { shown, scope, onRenamed: onScope })
    },
  },
  {
    id: 'scopes.remove',
    label: texts.remove,
    icon: Trash2,
    disabled: whyNotEverywhere,
    run: async ({ shown, scope }) => {
      if (scope !== null) await (await import('./remove-scope.ts')).removeAfterQuestion(shown, scope)
    },
  },
  {
    id: 'scopes.configure',
    label: texts.configure,
    icon: SlidersVertical,
    run: ({ shown: { manifest } }) => openConfiguration(manifest),
  },
]

/** Opens a panel, which is why it has a button. */
const tokenCommand: ScopesCommand = {
  id: 'scopes.token',
  label: texts.token,
  icon: KeyRound,
  checked: ({ isTokenShown }) => isTokenShown,
  run: ({ onToken }) => onToken(),
}

export const scopesCommands: readonly ScopesCommand[] = [saveCommand, tokenCommand, ...scopeCommands]

/** Those with a button; the menu *More* has the others. */
export const scopeButtons = { primary: [saveCommand.id], labelled: [tokenCommand.id] }

/** Why the chosen scope cannot be changed everywhere; false if it can. */
function whyNotEverywhere({ shown, scope, locked }: ScopesContext): string | false {
  if (locked !== null) return locked
  if (scope === null) return reasons.chooseScope
  return shown.defined.scopeDefinitions.includes(scope) && (shown.configurationLocked ?? false)
}

function openConfiguration({ id, name, path }: ShownScopes['manifest']): void {
  const { open, show } = workbench.getState()
  open({ kind: 'configuration', id, name: titleOf(name), path })
  show(tabIdOf({ kind: 'configuration', id }), { tab: 'scopes' })
}

function isDirty({ unsaved }: ShownScopes): boolean {
  return unsaved.entities.length > 0 || unsaved.configuration !== null
}

/** Entities first: a scope that is no longer defined must be unused. The first one that cannot be saved ends it. */
async function save({ manifest, unsaved }: ShownScopes): Promise<void> {
  const entities = unsaved.entities.map(({ draft }) => ({
    store: entityStore,
    key: draftKey(draft.saved.id, undefined),
  }))
  const configuration = { store: configurationStore, key: draftKey(manifest.id, undefined) }
  await saveInTurn([...entities, ...(unsaved.configuration ? [configuration] : [])], { untilRefused: true })
}

function named(word: string, label: string | undefined): string {
  return label === undefined ? word : `${word}: ${label}`
}
