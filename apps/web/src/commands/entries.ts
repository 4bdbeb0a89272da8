import { explainFirst } from './first-words.ts'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { isVisible, labelOf, pressCommand, whyDisabled, type Command } from './command.ts'

/** Converts visible commands to menu entries: groups with separators, and submenus. */
export function entriesOf<C>(commands: readonly Command<C>[], context: C): MenuEntry[] {
  const entries: MenuEntry[] = []
  let group: string | undefined
  for (const command of commands) {
    if (!isVisible(command, context)) continue
    if (entries.length > 0 && command.group !== group) entries.push({ kind: 'separator', id: `line-${command.id}` })
    group = command.group
    const entry = entryOf(command, context)
    if (!command.submenu) {
      entries.push(entry)
      continue
    }
    const last = entries.at(-1)
    if (last?.kind === 'submenu' && last.label === command.submenu) {
      entries[entries.length - 1] = { ...last, entries: [...last.entries, entry] }
    } else {
      entries.push({ kind: 'submenu', id: `menu-${command.submenu}`, label: command.submenu, entries: [entry] })
    }
  }
  return entries
}

function entryOf<C>(command: Command<C>, context: C): MenuEntry {
  return {
    kind: 'item',
    id: command.id,
    label: labelOf(command, context),
    disabled: whyDisabled(command, context),
    danger: command.danger ?? false,
    hint: explainFirst(labelOf(command, context)),
    checked: command.checked?.(context) ?? false,
    run: () => pressCommand(command, context),
    ...(command.icon ? { icon: command.icon } : {}),
    ...(command.shortcut ? { shortcut: command.shortcut } : {}),
  }
}
