import { KeyRound } from 'lucide-react'
import { registerCommand } from '../../commands/registry.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { tokensDialog } from './dialogs.ts'

/** Personal access tokens, from the profile menu and the palette. */
export function registerTokenCommands(): void {
  registerCommand(
    { id: 'page.tokens', label: 'Access Tokens', icon: KeyRound, run: () => openDialog(tokensDialog, {}) },
    ['profile', 'palette'],
    890,
  )
}
