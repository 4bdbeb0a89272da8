import type { LucideIcon } from 'lucide-react'
import { answersAwaited, applyTyped } from '../ui/typed-text.ts'

/**
 * A thing that a person can do, as a value. Toolbars, context menus, header menus and the command palette render the same one.
 * C is what it looks at to decide; commands of the whole page take AppContext, a document's own may take the document.
 */
export type Command<C> = {
  /** Unique: 'entity.delete'. */
  id: string
  label: string | ((context: C) => string)
  /** What it is called in the palette, where nothing around it says what it is about; absent: the label. */
  fullLabel?: string
  icon?: LucideIcon
  /** Lower case, joined by '+', 'mod' for Ctrl or ⌘: 'mod+shift+z'. */
  shortcut?: string
  /** Other keys that do the same; shown nowhere. */
  alternatives?: readonly string[]
  /** The submenu it stands in, such as 'Export'. */
  submenu?: string
  /** Commands of one group stand together; a line is drawn between groups. */
  group?: string
  danger?: boolean
  /** A tick in menus: the choice that holds now. */
  checked?: (context: C) => boolean
  /** Absent: always. What cannot be done here at all is not shown. */
  visible?: (context: C) => boolean
  /** Absent: never. The reason why not at the moment. */
  disabled?: (context: C) => string | false
  /** Its button shows a spinner: what it needs is being made. */
  busy?: (context: C) => boolean
  /** Done whatever is being typed, once what was left is judged; others wait until it is applied, and are not done where it is refused. */
  regardless?: boolean
  run: (context: C) => void | Promise<void>
}

export function labelOf<C>(command: Command<C>, context: C): string {
  return typeof command.label === 'function' ? command.label(context) : command.label
}

export function isVisible<C>(command: Command<C>, context: C): boolean {
  return command.visible?.(context) ?? true
}

export function whyDisabled<C>(command: Command<C>, context: C): string | false {
  return command.disabled?.(context) ?? false
}

/** Runs it as its key would: what is being typed is applied first, and where it is refused nothing is done. */
export function pressCommand<C>(command: Command<C>, context: C): void {
  const applied = command.regardless ? (answersAwaited()?.then(() => true) ?? true) : applyTyped()
  if (applied === true) void command.run(context)
  else if (applied !== false) void applied.then(isTaken => isTaken && command.run(context))
}

/** Runs it if it is there and possible. */
export function runCommand<C>(command: Command<C>, context: C): boolean {
  if (!isVisible(command, context) || whyDisabled(command, context) !== false) return false
  void command.run(context)
  return true
}
