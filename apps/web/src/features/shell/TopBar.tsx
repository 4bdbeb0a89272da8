import { Building2, ChevronDown, Keyboard, LogOut, PanelLeft, PanelRight, Rows3, Search, SunMoon } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { defaults } from '@cadmus/model/limits'
import { useSession } from '../../api/session.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { isVisible, pressCommand } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { entriesOf } from '../../commands/entries.ts'
import { commandById, commandsAt } from '../../commands/registry.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { Menu } from '../../ui/Menu.tsx'
import type { MenuEntry } from '../../ui/MenuEntries.tsx'
import { Toolbar, ToolbarButton } from '../../ui/Toolbar.tsx'
import { tip } from '../../ui/Tooltip.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { LoadingBar } from './LoadingBar.tsx'
import styles from './TopBar.module.css'
import { keysDialog, organisationDialog } from './dialogs.ts'
import { logout } from './logout.ts'
import { toggleProperties } from './PropertiesPanel.tsx'
import { toggleDensity } from './theme.ts'

type TopBarProps = {
  context: AppContext
  section?: Section | undefined
}

/**
 * A section other than the designer's. `isAtWork`: has an organisation to work in; `hasTools`: offers creation commands;
 * `hasSidebar`: a small window hides it.
 */
export type Section = {
  name: string
  buttons: ReactNode
  isAtWork: boolean
  hasTools: boolean
  hasProperties: boolean
  hasSidebar: boolean
}

export function TopBar({ context, section }: TopBarProps) {
  const demo = useSession(session => session.demo)
  const palette = commandById('page.palette')
  const isAtWork = section?.isAtWork ?? true
  const hasTools = section?.hasTools ?? true
  const creations = hasTools ? entriesOf(commandsAt('new'), context) : []
  return (
    <header className={styles['bar']}>
      {(section?.hasSidebar ?? true) && (
        <IconButton
          label="Navigator"
          icon={PanelLeft}
          className={styles['narrow']}
          onClick={() => workbench.setState(state => ({ sidebarOpen: !state.sidebarOpen }))}
        />
      )}
      {section ? (
        <>
          <span className={styles['name']}>Cadmus</span>
          <span className={styles['section']}>{section.name}</span>
        </>
      ) : (
        <h1 className={styles['name']}>
          <HomeLink context={context} />
        </h1>
      )}
      {demo && <span className={styles['demo']}>Demo sign-in</span>}
      {palette && isAtWork ? (
        <button
          type="button"
          data-tour="palette"
          aria-keyshortcuts="Control+K"
          className={styles['palette']}
          onClick={() => void palette.run(context)}
        >
          <Search size={14} aria-hidden />
          <span>Search or run a command</span>
          <Keys shortcut="mod+k" />
        </button>
      ) : (
        <span className={styles['gap']} />
      )}
      <Toolbar label="Main">
        {creations.length > 0 && (
          <Menu
            entries={creations}
            trigger={
              <ToolbarButton
                render={
                  <Button data-tour="new" className={styles['new']}>
                    New
                    <ChevronDown size={14} aria-hidden />
                  </Button>
                }
              />
            }
          />
        )}
        {hasTools && <CommandButtons commands={commandsAt('toolbar')} context={context} />}
        <Menu
          entries={entriesOf(commandsAt('theme'), context)}
          trigger={<ToolbarButton render={<IconButton label="Switch theme" icon={SunMoon} />} />}
        />
        {(section?.hasProperties ?? true) && (
          <ToolbarButton
            render={
              <IconButton
                label="Properties panel"
                icon={PanelRight}
                data-tour="properties"
                onClick={toggleProperties}
              />
            }
          />
        )}
        {section?.buttons}
        <ProfileMenu context={context} />
      </Toolbar>
      <LoadingBar />
    </header>
  )
}

/** The home screen of the workspace; its tabs stay open. */
function HomeLink({ context }: { context: AppContext }) {
  const home = commandById('page.home')
  function follow(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (home && isVisible(home, context)) pressCommand(home, context)
  }
  return (
    <a href="/" className={styles['home']} {...tip('Home')} onClick={follow}>
      Cadmus
    </a>
  )
}

function ProfileMenu({ context }: { context: AppContext }) {
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
