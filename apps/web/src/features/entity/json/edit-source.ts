import { Braces } from 'lucide-react'
import type { Command } from '../../../commands/command.ts'
import { openDialog } from '../../../workbench/dialogs.ts'
import { editSourceDialog } from '../dialogs.ts'
import type { EntityContext } from '../entity-commands.ts'
import { entityStore } from '../entity-store.ts'

/** Edits the draft as text; Apply is one step of the draft. */
export const editSourceCommand: Command<EntityContext> = {
  id: 'entity.editSource',
  label: 'Edit Source',
  icon: Braces,
  run: ({ view }) => {
    // Read now: Save and commands apply typed text before they run.
    const draft = entityStore.get(view.key)?.draft
    if (draft) openDialog(editSourceDialog, { at: view.key, draft, locked: view.locked })
  },
}
