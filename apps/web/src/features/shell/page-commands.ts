import {
  Building2,
  Command as CommandIcon,
  Keyboard,
  Monitor,
  Moon,
  PencilLine,
  ShieldUser,
  Sun,
  X,
} from 'lucide-react'
import type { Command } from '../../commands/command.ts'
import type { AppContext } from '../../commands/context.ts'
import { type Place, registerCommand } from '../../commands/registry.ts'
import { navigate } from '../../navigation.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { closeTabs } from '../../workbench/leave.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { neighbour, shownTabs } from '../../workbench/tabs.ts'
import { keysDialog, organisationDialog, paletteDialog } from './dialogs.ts'
import { logout } from './logout.ts'
import { nameField, nameLocked, renameNode, toName } from './rename.ts'
import { chooseTheme, chosenTheme, type ThemeChoice, themeChoices } from './theme.ts'

const regions = ['sidebar', 'document', 'properties', 'tour']

/** Moves the focus through tree, document, properties and a running tour. */
function cycleRegions(): void {
  const present = regions
    .map(name => document.querySelector<HTMLElement>(`[data-region="${name}"]`))
    .filter(region => region !== null && region.getClientRects().length > 0)
  const at = present.findIndex(region => region?.contains(document.activeElement))
  const next = present[(at + 1) % present.length]
  const inside = next?.querySelector<HTMLElement>('[tabindex="0"], button, input, a[href]')
  ;(inside ?? next)?.focus()
}

const open = ({ active }: AppContext) => active !== null
const several = () => shownTabs(workbench.getState().tabs).length > 1

const themes = {
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
  system: { label: 'System', icon: Monitor },
}

type Entry = readonly [command: Command<AppContext>, places: readonly Place[], order: number]

export function registerPageCommands(): void {
  for (const [command, places, order] of pageCommands) registerCommand(command, places, order)
}

const pageCommands: readonly Entry[] = [
  [
    {
      id: 'page.palette',
      label: 'Search or run a command',
      icon: CommandIcon,
      shortcut: 'mod+k',
      run: () => openDialog(paletteDialog, {}),
    },
    [],
    1,
  ],
  [
    {
      id: 'page.keys',
      label: 'Keyboard shortcuts',
      icon: Keyboard,
      shortcut: '?',
      run: () => openDialog(keysDialog, {}),
    },
    ['palette'],
    900,
  ],
  ...themeChoices.map((choice): Entry => [themeCommand(choice), ['theme', 'palette'], 910]),
  [
    {
      id: 'page.organisation',
      label: 'Select Organisation',
      icon: Building2,
      run: () => openDialog(organisationDialog, {}),
    },
    ['palette'],
    980,
  ],
  [
    {
      id: 'page.administration',
      label: 'Administration',
      icon: ShieldUser,
      visible: ({ isAdmin }) => isAdmin && location.pathname !== '/admin',
      run: () => navigate({ to: '/admin' }),
    },
    ['profile', 'palette'],
    880,
  ],
  [{ id: 'page.logout', label: 'Logout', run: () => void logout() }, ['palette'], 990],
  [{ id: 'page.regions', label: 'Next part of the page', shortcut: 'mod+f6', run: () => cycleRegions() }, [], 920],
  [
    {
      id: 'page.search',
      label: 'Search the navigator',
      shortcut: '/',
      run: () => document.querySelector<HTMLElement>('search input')?.focus(),
    },
    ['palette'],
    930,
  ],
  [
    {
      id: 'tab.close',
      label: 'Close tab',
      icon: X,
      shortcut: 'alt+w',
      visible: open,
      run: async ({ active }) => void (active && (await closeTabs(workbench, active.tabId, 'one'))),
    },
    ['palette'],
    800,
  ],
  [
    { id: 'tab.next', label: 'Next tab', shortcut: 'alt+pagedown', visible: several, run: () => show(1) },
    ['palette'],
    810,
  ],
  [
    { id: 'tab.previous', label: 'Previous tab', shortcut: 'alt+pageup', visible: several, run: () => show(-1) },
    ['palette'],
    820,
  ],
  [
    {
      id: 'tab.rename',
      label: 'Rename',
      icon: PencilLine,
      shortcut: 'f2',
      // A manifest has its own rename command.
      visible: ({ active }) => active?.kind === 'entity',
      // An editable name is a field of the properties panel.
      disabled: () => (workbench.getState().propertiesOpen && !nameField() ? nameLocked : false),
      run: toName,
    },
    ['palette'],
    720,
  ],
  [
    {
      id: 'row.rename',
      label: 'Rename',
      shortcut: 'f2',
      visible: ({ target }) => target.kind === 'entity' || (target.kind === 'manifest' && target.isDefault),
      run: ({ target }) => renameNode(target),
    },
    ['row'],
    721,
  ],
]

function themeCommand(choice: ThemeChoice): Command<AppContext> {
  const { label, icon } = themes[choice]
  return {
    id: `page.theme.${choice}`,
    label,
    fullLabel: `Switch theme: ${label}`,
    icon,
    checked: () => chosenTheme() === choice,
    run: () => chooseTheme(choice),
  }
}

function show(step: 1 | -1): void {
  const tabId = neighbour(workbench.getState(), step)
  if (tabId) workbench.getState().activate(tabId)
}
