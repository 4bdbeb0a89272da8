const prefix = 'cadmus.'

/** What is kept in the browser's local storage, and nothing else is. */
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
  | 'unfolded'
  | 'wanted'
  | 'adminOrganisation'
  | 'tours'
  | `unkept.${string}`

/** Local storage that may be switched off or full: then nothing is kept, and nothing fails. */
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
      // Kept for comfort only.
    }
  },
  remove(key: StorageKey): void {
    try {
      localStorage.removeItem(prefix + key)
    } catch {
      // Kept for comfort only.
    }
  },
  readJson(key: StorageKey): unknown {
    try {
      return JSON.parse(this.read(key) ?? 'null')
    } catch {
      return null
    }
  },
  /** Tells when another page of this browser changed it. */
  watch(key: StorageKey, tell: () => void): void {
    addEventListener('storage', changed => {
      if (changed.key === prefix + key) tell()
    })
  },
  /** The keys that start so. */
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

/** The reset flag drops what is kept of the desk and of its tree, and itself; drafts stay. */
export function dropWhereReset(): void {
  if (storage.read('reset') === null) return
  for (const key of ['reset', 'desk', 'selectedNode', 'unfolded', 'coreSchemaVersion'] as const) storage.remove(key)
}
