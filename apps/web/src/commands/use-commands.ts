import { useEffect } from 'react'
import { closePopups } from '../ui/open-popups.ts'
import { applyTyped } from '../ui/typed-text.ts'
import { type Command, isVisible, labelOf, pressCommand, runCommand, whyDisabled } from './command.ts'
import { isTyping, shortcutOf } from './keys.ts'

/** A command as listed in the palette. */
export type Offer = {
  id: string
  label: string
  detail: string
  onlySearched: boolean
  shortcut?: string
  disabled: string | false
  run: () => void
}

type CommandSet = {
  knows: (shortcut: string) => boolean
  /** `yielding`: of those that leave their shortcuts to others. */
  press: (shortcut: string, yielding: boolean) => boolean
  offers: () => Offer[]
}
/** Commands of the mounted components, innermost last. */
const commandSets: CommandSet[] = []

/**
 * Makes commands available by shortcut and in the palette while the component is mounted. The last mounted component
 * takes precedence, so a document's Save comes before the page's. `context` may be null while loading. A function
 * returns the commands of the current state, which is newer than the last render.
 */
export function useCommands<C>(
  commands: readonly Command<C>[] | (() => readonly Command<C>[]),
  context: C | null,
): void {
  useEffect(() => (context === null ? undefined : offerCommands(commands, context)), [commands, context])
}

/** Makes commands available until the returned function is called. */
export function offerCommands<C>(
  commands: readonly Command<C>[] | (() => readonly Command<C>[]),
  context: C,
): () => void {
  const all = () => (typeof commands === 'function' ? commands() : commands)
  const set: CommandSet = {
    knows: shortcut => all().some(command => hasKey(command, shortcut)),
    press: (shortcut, yielding) =>
      all().some(
        command => hasKey(command, shortcut) && (command.yields ?? false) === yielding && runCommand(command, context),
      ),
    offers: () =>
      all()
        .filter(command => isVisible(command, context))
        .map(command => offerOf(command, context)),
  }
  commandSets.push(set)
  return () => {
    commandSets.splice(commandSets.indexOf(set), 1)
  }
}

/** The commands available now, innermost component first, without duplicate ids. */
export function currentOffers(): Offer[] {
  const offers = commandSets.toReversed().flatMap(set => set.offers())
  return [...new Map(offers.toReversed().map(offer => [offer.id, offer])).values()].toReversed()
}

/** Registers the page's key listener; returns its removal. */
export function listenForKeys(target: Window): () => void {
  function press(event: KeyboardEvent) {
    if (event.defaultPrevented) return
    const shortcut = shortcutOf(event)
    // Suppresses the browser's Save Page even if there is nothing to save.
    if (shortcut === 'mod+s') event.preventDefault()
    if (event.repeat) return
    // Dialogs and menus handle their own keys.
    if (isTyping(event.target, shortcut) || belongsElsewhere(event.target, shortcut)) return
    if (!commandSets.some(set => set.knows(shortcut))) return
    // Once a menu or list is closed, the focus has returned from it.
    if (closePopups()) requestAnimationFrame(() => requestAnimationFrame(() => start(shortcut)))
    else if (!start(shortcut)) return
    event.preventDefault()
  }
  target.addEventListener('keydown', press)
  return () => target.removeEventListener('keydown', press)
}

/** False if the key is left to the browser. */
function start(shortcut: string): boolean {
  // Text being typed is visible, so commands must include it.
  const applied = applyTyped()
  if (applied instanceof Promise) void applied.then(done => done && run(shortcut))
  return applied !== true || run(shortcut)
}

function run(shortcut: string): boolean {
  const sets = commandSets.toReversed()
  return [false, true].some(yielding => sets.some(set => set.press(shortcut, yielding)))
}

function hasKey<C>({ shortcut, alternatives = [] }: Command<C>, pressed: string): boolean {
  return shortcut === pressed || alternatives.includes(pressed)
}

function belongsElsewhere(target: EventTarget | null, shortcut: string): boolean {
  if (!(target instanceof Element)) return false
  // The list of a picker is a dialog, too; above another dialog it belongs to that.
  const isPicker = target.closest('[data-picker]') !== null && document.documentElement.dataset['dialogs'] === undefined
  if (!isPicker && target.closest('[role=dialog], [role=alertdialog]')) return true
  return !shortcut.includes('mod+') && target.closest('[role=menu], [role=listbox], [data-picker]') !== null
}

function offerOf<C>(command: Command<C>, context: C): Offer {
  return {
    id: command.id,
    label: command.fullLabel ?? labelOf(command, context),
    detail: command.detail ?? '',
    onlySearched: command.onlySearched ?? false,
    disabled: whyDisabled(command, context),
    run: () => pressCommand(command, context),
    ...(command.shortcut ? { shortcut: command.shortcut } : {}),
  }
}
