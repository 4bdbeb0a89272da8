import { Redo2, RotateCcw, Save, Undo2 } from 'lucide-react'
import type { Command } from '../commands/command.ts'
import type { Draft } from './draft.ts'
import type { Step } from './moved-steps.ts'
import type { DraftKey } from './draft-key.ts'
import type { DraftSaves } from './draft-saves.ts'
import { discardDeleted } from './discard-deleted.ts'
import type { DraftStore } from './draft-store.ts'
import type { OpenDraft, Saved } from './open-draft.ts'

/** Input of the commands. `typed`: a field holds unapplied text, which Save applies first. */
export type DraftContext<S, C, E> = {
  view: {
    key: DraftKey
    draft: Draft<S, C, E>
    open: OpenDraft<S, C, E>
    locked: string | null
    saveLocked: string | null
  }
  dirty: boolean
  typed: boolean
}

/** The commands Save, Undo, Redo and Discard of a document; Save is also the button beside its name. */
export function draftCommands<S extends Saved, C, E>(store: DraftStore<S, C, E>, saves: DraftSaves<S, C, E>) {
  const save: Command<DraftContext<S, C, E>> = {
    id: `${store.kind}.save`,
    label: 'Save',
    icon: Save,
    shortcut: 'mod+s',
    disabled: ({ view, dirty, typed }) => (dirty || typed ? (view.saveLocked ?? false) : noChanges),
    run: async ({ view }) => {
      // The applied text may equal the stored value.
      if ((store.get(view.key)?.draft.changes ?? 0) > 0) await saves.save(view.key)
    },
  }
  const discard: Command<DraftContext<S, C, E>> = {
    id: `${store.kind}.discard`,
    regardless: true,
    label: 'Discard changes',
    icon: RotateCcw,
    // Always visible: otherwise a double click could hit its neighbour.
    disabled: ({ dirty }) => (dirty ? false : noChanges),
    run: ({ view }) => (view.open.deleted ? discardDeleted(store, view.key) : store.discard(view.key)),
  }
  return { save, others: [...stepCommands(store), discard] }
}

function stepCommands<S extends Saved, C, E>(store: DraftStore<S, C, E>): Command<DraftContext<S, C, E>>[] {
  return [
    {
      id: `${store.kind}.undo`,
      regardless: true,
      label: ({ view }) => named('Undo', view.draft.done.at(-1)),
      icon: Undo2,
      shortcut: 'mod+z',
      disabled: ({ view }) => stepLocked(view) ?? (view.draft.done.length > 0 ? false : 'There is nothing to undo.'),
      run: ({ view }) => store.undo(view.key),
    },
    {
      id: `${store.kind}.redo`,
      regardless: true,
      label: ({ view }) => named('Redo', view.draft.undone.at(-1)),
      icon: Redo2,
      shortcut: 'mod+shift+z',
      alternatives: ['mod+y'],
      disabled: ({ view }) => stepLocked(view) ?? (view.draft.undone.length > 0 ? false : 'There is nothing to redo.'),
      run: ({ view }) => store.redo(view.key),
    },
  ]
}

/** Without its draft, a deleted document would have nothing to show. */
function stepLocked({ open, locked }: { open: { deleted: object | null }; locked: string | null }): string | null {
  return open.deleted ? locked : null
}

const noChanges = 'There are no unsaved changes.'

/** Formats a label such as 'Undo: Renamed attribute a to b'. */
function named(word: string, step: Step<unknown> | undefined): string {
  return step ? `${word}: ${step.name}` : word
}
