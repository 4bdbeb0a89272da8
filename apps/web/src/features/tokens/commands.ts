import { KeyRound } from 'lucide-react'
import { currentOrganisation } from '../../api/session-store.ts'
import { registerCommand } from '../../commands/registry.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { createTokenDialog, tokensDialog } from './dialogs.ts'

export function registerTokenCommands(): void {
  registerCommand(
    {
      id: 'page.tokens',
      label: 'Access Tokens',
      icon: KeyRound,
      // Tokens belong to an organisation; an administrator may belong to none.
      visible: () => currentOrganisation() !== '',
      run: () => openDialog(tokensDialog, { onCreate: () => openDialog(createTokenDialog, {}) }),
    },
    ['profile', 'palette'],
    890,
  )
}
