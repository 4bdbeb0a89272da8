import { createStore } from 'zustand/vanilla'
import { askEntered, isEntered } from './ui/entered.ts'

/** An address within the app. Plain text in both directions: the provider's code and state arrive unchanged. */
export type Place = { pathname: string; search: Readonly<Record<string, string>> }
export type Destination = { to: string; search?: Readonly<Record<string, string | number | undefined>> | undefined }

/** Called before Back or Forward leaves for another page of the app; false cancels. */
export type LeaveGuard = (next: Place) => Promise<boolean>

export const placeStore = createStore<Place>()(() => here())

let guard: { ask: LeaveGuard; within: (next: Place) => boolean } | null = null
// Position in the browser history: needed to undo a step, whose length the browser does not report.
let position = 0
let arrived: (() => void) | null = null
let asking = false

/** Navigates without the leave guard. */
export function navigate({ to, search = {} }: Destination, { replace = false } = {}): void {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(entries).toString()
  const address = text === '' ? to : `${to}?${text}`
  if (!replace) position += 1
  if (replace) history.replaceState({ position }, '', address)
  else history.pushState({ position }, '', address)
  placeStore.setState(here(), true)
}

/** Guards against leaving the page, or against steps for which `within` is true; returns a cleanup function. */
export function guardLeaving(ask: LeaveGuard, within: (next: Place) => boolean = () => false): () => void {
  const own = { ask, within }
  guard = own
  return () => {
    if (guard === own) guard = null
  }
}

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
  // A foreign entry, such as a fragment link, counts as a new step.
  if (to === null) history.replaceState({ position: position + 1 }, '')
  const delta = (to ?? position + 1) - position
  // An open dialog with input blocks the step and asks for confirmation, as on Escape.
  if (delta !== 0 && isEntered()) {
    await step(-delta)
    askEntered()
    return
  }
  const next = here()
  const isGuarded = guard && (next.pathname !== placeStore.getState().pathname || guard.within(next))
  if (guard && isGuarded && delta !== 0 && !(await mayLeave(guard.ask, next, delta))) return
  position += delta
  placeStore.setState(next, true)
}

/** The browser has already moved: step back, and forward again if the user agrees. */
async function mayLeave(ask: LeaveGuard, next: Place, delta: number): Promise<boolean> {
  await step(-delta)
  if (asking) return false
  asking = true
  const may = await ask(next).finally(() => {
    asking = false
  })
  if (may) await step(delta)
  return may
}

/** Moves in history and resolves on the resulting popstate event. */
function step(delta: number): Promise<void> {
  return new Promise(resolve => {
    arrived = resolve
    history.go(delta)
  })
}

function positionIn(state: unknown): number | null {
  const value: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'position') : null
  return typeof value === 'number' ? value : null
}

function here(): Place {
  const pathname = location.pathname.replace(/(?<=.)\/+$/, '')
  return { pathname, search: Object.fromEntries(new URLSearchParams(location.search)) }
}
