import { useEffect } from 'react'
import { applyTyped } from '../ui/typed-text.ts'
import { isVisible, labelOf, pressCommand, runCommand, whyDisabled, type Command } from './command.ts'
import { isTyping, shortcutOf } from './keys.ts'

/** A command as listed in the palette. */
export type Offer = {
  id: string
  label: string
  shortcut?: string
  disabled: string | false
  run: () => void
}

type Scope = { knows: (shortcut: string) => boolean; press: (shortcut: string) => boolean; offers: () => Offer[] }
const scopes: Scope[] = []

/**
 * Makes commands available by shortcut and in the palette while the component is mounted. The last mounted component
 * takes precedence, so a document's Save comes before the page's. `context` may be null while loading.
 */
export function useCommands<C>(commands: readonly Command<C>[], context: C | null): void {
  useEffect(() => {
    if (context === null) return
    const scope: Scope = {
      knows: shortcut => commands.some(command => hasKey(command, shortcut)),
      press: shortcut => commands.some(command => hasKey(command, shortcut) && runCommand(command, context)),
      offers: () => commands.filter(command => isVisible(command, context)).map(command => offerOf(command, context)),
    }
    scopes.push(scope)
    return () => {
      scopes.splice(scopes.indexOf(scope), 1)
    }
  }, [commands, context])
}

/** The commands available now, innermost scope first, without duplicate ids. */
export function currentOffers(): Offer[] {
  const offers = scopes.toReversed().flatMap(scope => scope.offers())
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
    if (!scopes.some(scope => scope.knows(shortcut))) return
    // Text being typed is visible, so commands must include it.
    const applied = applyTyped()
    if (applied !== true) event.preventDefault()
    if (applied === true && run(shortcut)) event.preventDefault()
    if (applied instanceof Promise) void applied.then(done => done && run(shortcut))
  }
  target.addEventListener('keydown', press)
  return () => target.removeEventListener('keydown', press)
}

function run(shortcut: string): boolean {
  return scopes.toReversed().some(scope => scope.press(shortcut))
}

function hasKey<C>({ shortcut, alternatives = [] }: Command<C>, pressed: string): boolean {
  return shortcut === pressed || alternatives.includes(pressed)
}

function belongsElsewhere(target: EventTarget | null, shortcut: string): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('[role=dialog], [role=alertdialog]')) return true
  return !shortcut.includes('mod+') && target.closest('[role=menu]') !== null
}

function offerOf<C>(command: Command<C>, context: C): Offer {
  return {
    id: command.id,
    label: command.fullLabel ?? labelOf(command, context),
    disabled: whyDisabled(command, context),
    run: () => pressCommand(command, context),
    ...(command.shortcut ? { shortcut: command.shortcut } : {}),
  }
}
