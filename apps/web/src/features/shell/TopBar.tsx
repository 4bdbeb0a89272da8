import type { ReactNode } from 'react'
import { ChevronDown, PanelLeft, PanelRight, Search, SunMoon } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { CommandButtons } from '../../commands/CommandButtons.tsx'
import { entriesOf } from '../../commands/entries.ts'
import { commandById, commandsAt } from '../../commands/registry.ts'
import type { AppContext } from '../../commands/context.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Toolbar, ToolbarButton } from '../../ui/Toolbar.tsx'
import { workbench } from '../../workbench/page-workbench.ts'
import { LoadingBar } from './LoadingBar.tsx'
import { ProfileMenu } from './ProfileMenu.tsx'
import styles from './TopBar.module.css'

export type TopBarProps = {
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
        <h1 className={styles['name']}>Cadmus</h1>
      )}
      {demo && <span className={styles['demo']}>Demo sign-in</span>}
      {palette && isAtWork && (
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
                onClick={() => workbench.setState(state => ({ propertiesOpen: !state.propertiesOpen }))}
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
