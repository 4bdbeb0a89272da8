import { ScrollText } from 'lucide-react'
import { registerCommand } from '../../commands/registry.ts'
import { openLogs } from './logs-store.ts'

/** The audit logs, from the toolbar and the palette. */
export function registerLogCommands(): void {
  registerCommand(
    {
      id: 'toolbar.logs',
      label: 'Audit Logs',
      icon: ScrollText,
      run: openLogs,
    },
    ['toolbar', 'palette'],
    50,
  )
}
