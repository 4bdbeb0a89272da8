import { isRecord } from '@cadmus/model/equal'
import { sessionStore } from './session-store.ts'
import { storage } from './storage.ts'

type Key = 'widths' | 'sheet' | 'cells' | 'diagrams' | 'compare' | 'recent' | 'favourites' | 'commands'

/** Settings of the signed-in user, stored by the browser. */
export function ownSettings(key: Key): Record<string, unknown> {
  const own = storedByUser(key)[userId()]
  return isRecord(own) ? own : {}
}

/** Stores settings beside the others of the user. Undefined: removes one. */
export function storeOwnSettings(key: Key, change: Readonly<Record<string, unknown>>): void {
  storage.writeJson(key, { ...storedByUser(key), [userId()]: { ...ownSettings(key), ...change } })
}

export function clearOwnSettings(key: Key): void {
  storage.writeJson(key, { ...storedByUser(key), [userId()]: undefined })
}

function storedByUser(key: Key): Record<string, unknown> {
  const stored = storage.readJson(key)
  return isRecord(stored) ? stored : {}
}

function userId(): string {
  return sessionStore.getState().user?.userId ?? ''
}
