import type { LucideIcon } from 'lucide-react'
import { notify } from '../ui/notices.ts'
import { pendingAnswers, applyTyped } from '../ui/typed-text.ts'

/**
 * A user action as a value. Toolbars, context menus, header menus and the palette render the same command. C is the
 * input of its conditions: AppContext for global commands, or a document's own.
 */
export type Command<C> = {
  /** Unique, e.g. 'entity.delete'. */
  id: string
  label: string | ((context: C) => string)
  /** Label in the palette, which shows no context; defaults to the label. */
  fullLabel?: string
  /** Subject in the palette, beside the label. */
  detail?: string
  /** The palette lists it only if a typed text matches. */
  onlySearched?: boolean
  icon?: LucideIcon
  /** Lower case, joined by '+', 'mod' for Ctrl or ⌘: 'mod+shift+z'. */
  shortcut?: string
  /** Additional shortcuts that are not displayed. */
  alternatives?: readonly string[]
  /** Its shortcut is left to the other commands that can be run now. */
  yields?: boolean
  submenu?: string
  /** Commands of a group are adjacent; separators are drawn between groups. */
  group?: string
  danger?: boolean
  /** Shows a check mark for the current choice. */
  checked?: (context: C) => boolean
  /** Default: always. Commands that never apply here are hidden. */
  visible?: (context: C) => boolean
  /** Reason why the command is unavailable now. Default: never. */
  disabled?: (context: C) => string | false
  /** Shows a spinner while something the command needs is loading. */
  busy?: (context: C) => boolean
  /** Ways to run it that only the palette offers. */
  choices?: readonly Choice<C>[]
  /** Runs even if the text being typed is refused; other commands run only after that text is applied. */
  regardless?: boolean
  run: (context: C) => void | Promise<void>
}

/** `words`: texts by which the choice is found. */
export type Choice<C> = { label: string; words: readonly string[]; run: (context: C) => void }

export function labelOf<C>(command: Command<C>, context: C): string {
  return typeof command.label === 'function' ? command.label(context) : command.label
}

export function isVisible<C>(command: Command<C>, context: C): boolean {
  return command.visible?.(context) ?? true
}

export function whyDisabled<C>(command: Command<C>, context: C): string | false {
  return command.disabled?.(context) ?? false
}

/** Runs the command like its shortcut: first applies the text being typed, and does nothing if that is refused. */
export function pressCommand<C>(command: Command<C>, context: C): void {
  const applied = command.regardless ? (pendingAnswers()?.then(() => true) ?? true) : applyTyped()
  if (applied === true) void command.run(context)
  else if (applied !== false) void applied.then(isTaken => isTaken && command.run(context))
}

/** Runs the first visible of the commands that a key of a row has; a disabled one says why. */
export function runByKey<C>(commands: readonly Command<C>[], context: C): void {
  const command = commands.find(one => isVisible(one, context))
  const reason = command && whyDisabled(command, context)
  if (reason) notify('info', reason)
  else void command?.run(context)
}

/** Runs the command if it is visible and enabled. */
export function runCommand<C>(command: Command<C>, context: C): boolean {
  if (!isVisible(command, context) || whyDisabled(command, context) !== false) return false
  void command.run(context)
  return true
}
