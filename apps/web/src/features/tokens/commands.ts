import { KeyRound } from 'lucide-react'
import { currentOrganisation } from '../../api/session-store.ts'
import { registerCommand } from '../../commands/registry.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { tokensDialog } from './dialogs.ts'

/** Personal access tokens, from the profile menu and the palette. */
export function registerTokenCommands(): void {
  registerCommand(
    {
      id: 'page.tokens',
      label: 'Access Tokens',
      icon: KeyRound,
      // They are of the organisation that is worked in; an administrator may work in none.
      visible: () => currentOrganisation() !== '',
      run: () => openDialog(tokensDialog, {}),
    },
    ['profile', 'palette'],
    890,
  )
}
