const prefix = 'cadmus.'

/** Keys of everything stored in the browser's local storage. */
export type StorageKey =
  | 'login'
  | 'sync'
  | 'signInState'
  | 'coreSchemaVersion'
  | 'selectedNode'
  | 'reset'
  | 'lastVisit'
  | 'workSection'
  | 'theme'
  | 'density'
  | 'desk'
  | 'widths'
  | 'sheet'
  | 'cells'
  | 'diagrams'
  | 'compare'
  | 'recent'
  | 'favourites'
  | 'commands'
  | 'unfolded'
  | 'wanted'
  | 'adminOrganisation'
  | 'tours'
  | `unkept.${string}`
  | `published.${string}`

/** Local storage may be disabled or full: then nothing is stored and nothing fails. */
export const storage = {
  read(key: StorageKey): string | null {
    try {
      return localStorage.getItem(prefix + key)
    } catch {
      return null
    }
  },
  write(key: StorageKey, value: string): void {
    try {
      localStorage.setItem(prefix + key, value)
    } catch {
      // Stored for convenience only, so failures are ignored.
    }
  },
  remove(key: StorageKey): void {
    try {
      localStorage.removeItem(prefix + key)
    } catch {
      // Stored for convenience only, so failures are ignored.
    }
  },
  readJson(key: StorageKey): unknown {
    try {
      return JSON.parse(this.read(key) ?? 'null')
    } catch {
      return null
    }
  },
  /** Notifies when another page changes the value. */
  watch(key: StorageKey, notify: () => void): void {
    addEventListener('storage', changed => {
      if (changed.key === prefix + key) notify()
    })
  },
  keys<P extends 'unkept.'>(start: P): `${P}${string}`[] {
    try {
      const from = prefix + start
      return Object.keys(localStorage).flatMap(key =>
        key.startsWith(from) ? [`${start}${key.slice(from.length)}` as const] : [],
      )
    } catch {
      return []
    }
  },
  writeJson(key: StorageKey, value: unknown): void {
    this.write(key, JSON.stringify(value))
  },
}

/** The reset flag removes the stored workspace and tree state, and itself, but no drafts. */
export function dropWhereReset(): void {
  if (storage.read('reset') === null) return
  for (const key of ['reset', 'desk', 'selectedNode', 'unfolded', 'coreSchemaVersion'] as const) storage.remove(key)
}
