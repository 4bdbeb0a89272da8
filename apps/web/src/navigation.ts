import { createStore } from 'zustand/vanilla'
import { askEntered, isEntered } from './ui/entered.ts'

/** An address of the page. Plain text both ways: a code or state of the provider arrives as it was sent. */
export type Place = { pathname: string; search: Readonly<Record<string, string>> }
export type Destination = { to: string; search?: Readonly<Record<string, string | number | undefined>> | undefined }

/** Asked before the browser's Back or Forward leaves for another page of ours; false: the person stays. */
export type LeaveGuard = (next: Place) => Promise<boolean>

export const placeStore = createStore<Place>()(() => here())

let guard: { asked: LeaveGuard; within: (next: Place) => boolean } | null = null
// Where in the browser's history this is: how far a step went cannot be told otherwise, and so not be taken back.
let position = 0
let arrived: (() => void) | null = null
let asking = false

/** Goes to another address of the page, at once. */
export function navigate({ to, search = {} }: Destination, { replace = false } = {}): void {
  const given = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const text = new URLSearchParams(given).toString()
  const address = text === '' ? to : `${to}?${text}`
  if (!replace) position += 1
  if (replace) history.replaceState({ position }, '', address)
  else history.pushState({ position }, '', address)
  placeStore.setState(here(), true)
}

/** Asks it before the page is left, or before a step `within` it that shows something else; answers what ends that. */
export function guardLeaving(asked: LeaveGuard, within: (next: Place) => boolean = () => false): () => void {
  const own = { asked, within }
  guard = own
  return () => {
    if (guard === own) guard = null
  }
}

/** Follows the browser's Back and Forward. */
export function followHistory(): void {
  position = positionIn(history.state) ?? 0
  history.replaceState({ position }, '')
  addEventListener('popstate', ({ state }) => void follow(positionIn(state)))
}

async function follow(to: number | null): Promise<void> {
  if (arrived) {
    arrived()
    arrived = null
    return
  }
  // A step that is not of ours, such as to a part of the page, is a new one.
  if (to === null) history.replaceState({ position: position + 1 }, '')
  const by = (to ?? position + 1) - position
  // What lies behind a dialog goes nowhere while the dialog holds what nobody has saved: as after Escape, it asks.
  if (by !== 0 && isEntered()) {
    await step(-by)
    askEntered()
    return
  }
  const next = here()
  const isGuarded = guard && (next.pathname !== placeStore.getState().pathname || guard.within(next))
  if (guard && isGuarded && by !== 0 && !(await mayLeave(guard.asked, next, by))) return
  position += by
  placeStore.setState(next, true)
}

/** The browser has left already: back, and forth again if the person wants to. */
async function mayLeave(ask: LeaveGuard, next: Place, by: number): Promise<boolean> {
  await step(-by)
  if (asking) return false
  asking = true
  const may = await ask(next).finally(() => {
    asking = false
  })
  if (may) await step(by)
  return may
}

/** A step of the page itself; the browser tells of it as of any other. */
function step(by: number): Promise<void> {
  return new Promise(resolve => {
    arrived = resolve
    history.go(by)
  })
}

function positionIn(state: unknown): number | null {
  const found: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'position') : null
  return typeof found === 'number' ? found : null
}

function here(): Place {
  const pathname = location.pathname.replace(/(?<=.)\/+$/, '')
  return { pathname, search: Object.fromEntries(new URLSearchParams(location.search)) }
}
