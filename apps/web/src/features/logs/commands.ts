import { ScrollText } from 'lucide-react'
import { registerCommand } from '../../commands/registry.ts'
import { openLogs } from './logs-store.ts'

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
