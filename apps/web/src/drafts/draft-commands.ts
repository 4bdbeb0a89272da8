import { Redo2, RotateCcw, Save, Undo2 } from 'lucide-react'
import type { Command } from '../commands/command.ts'
import type { Draft } from './draft.ts'
import type { Step } from './moved-steps.ts'
import type { DraftKey } from './draft-key.ts'
import type { DraftSaves } from './draft-saves.ts'
import { discardDeleted } from './discard-deleted.ts'
import type { DraftStore } from './draft-store.ts'
import type { OpenDraft, Saved } from './open-draft.ts'

/** What the commands look at. `typed`: a field holds text that is not applied yet; Save takes that first. */
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

/** Save, Undo, Redo and Discard of a document; the first also is the button beside its name. */
export function draftCommands<S extends Saved, C, E>(store: DraftStore<S, C, E>, saves: DraftSaves<S, C, E>) {
  const save: Command<DraftContext<S, C, E>> = {
    id: `${store.kind}.save`,
    label: 'Save',
    icon: Save,
    shortcut: 'mod+s',
    disabled: ({ view, dirty, typed }) => (dirty || typed ? (view.saveLocked ?? false) : noChanges),
    run: async ({ view }) => {
      // What was typed may be what was there before.
      if ((store.get(view.key)?.draft.changes ?? 0) > 0) await saves.save(view.key)
    },
  }
  const discard: Command<DraftContext<S, C, E>> = {
    id: `${store.kind}.discard`,
    regardless: true,
    label: 'Discard changes',
    icon: RotateCcw,
    // Always there: where it came and went, a second press on its neighbour met it.
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

/** Of what was deleted the work is to be kept or given up as it is: without it nothing would be left to be shown. */
function stepLocked({ open, locked }: { open: { deleted: object | null }; locked: string | null }): string | null {
  return open.deleted ? locked : null
}

const noChanges = 'There are no unsaved changes.'

/** 'Undo: Renamed attribute a to b'; the bare word where there is nothing. */
function named(word: string, step: Step<unknown> | undefined): string {
  return step ? `${word}: ${step.name}` : word
}
