import { defaults } from '@cadmus/model/limits'
import { Building2, Keyboard, LogOut, Rows3 } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import type { AppContext } from '../../commands/context.ts'
import { entriesOf } from '../../commands/entries.ts'
import { commandById, commandsAt } from '../../commands/registry.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Menu } from '../../ui/Menu.tsx'
import type { MenuEntry } from '../../ui/MenuEntries.tsx'
import { ToolbarButton } from '../../ui/Toolbar.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { keysDialog, organisationDialog } from './dialogs.ts'
import { logout } from './logout.ts'
import { toggleDensity } from './theme.ts'
import styles from './TopBar.module.css'

export function ProfileMenu({ context }: { context: AppContext }) {
  const user = useSession(session => session.user)
  const organisation = useSession(session => session.organisation)
  if (!user) return null
  const keys = commandById('page.keys')
  const entries: MenuEntry[] = [
    { kind: 'heading', id: 'who', label: user.fullname, detail: user.email },
    { kind: 'separator', id: 'line-1' },
    {
      kind: 'item',
      id: 'organisations',
      label: `Organizations (${organisation?.on ?? ''})`,
      icon: Building2,
      run: () => openDialog(organisationDialog, {}),
    },
    ...entriesOf(commandsAt('profile'), context),
    {
      kind: 'item',
      id: 'density',
      label: 'Comfortable rows',
      icon: Rows3,
      run: toggleDensity,
      checked: document.documentElement.dataset['density'] === 'comfortable',
    },
    {
      kind: 'item',
      id: 'keys',
      label: 'Keyboard shortcuts',
      icon: Keyboard,
      ...(keys?.shortcut ? { shortcut: keys.shortcut } : {}),
      run: () => openDialog(keysDialog, {}),
    },
    { kind: 'separator', id: 'line-2' },
    { kind: 'item', id: 'logout', label: 'Logout', icon: LogOut, run: () => void logout() },
    { kind: 'separator', id: 'line-3' },
    { kind: 'note', id: 'version', label: `Version ${defaults.applicationVersion}` },
  ]
  return (
    <Menu
      entries={entries}
      trigger={
        <ToolbarButton
          render={
            <button
              type="button"
              data-tour="profile"
              aria-label={`${initialsOf(user.fullname)} Profile of ${user.fullname}`}
              className={styles['avatar']}
            >
              <Avatar picture={user.avatar} size={26}>
                {initialsOf(user.fullname)}
              </Avatar>
            </button>
          }
        />
      }
    />
  )
}
