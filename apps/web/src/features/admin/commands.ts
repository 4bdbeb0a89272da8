import { ShieldUser } from 'lucide-react'
import { registerCommand } from '../../commands/registry.ts'

/** The way to the administration, for administrators: from the profile menu and the palette. */
export function registerAdminCommands(): void {
  registerCommand(
    {
      id: 'page.administration',
      label: 'Administration',
      icon: ShieldUser,
      visible: ({ isAdmin }) => isAdmin,
      run: () => location.assign('/admin'),
    },
    ['profile', 'palette'],
    880,
  )
}
