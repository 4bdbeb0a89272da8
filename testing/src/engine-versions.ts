const used = new Map<string, string>()

/** The version of SQLite in Node. */
export const sqliteVersion = process.versions['sqlite'] ?? 'unknown'

/** Called whenever a database is created, with its engine. */
export function recordEngine(name: string, version: string): void {
  used.set(name, version)
}

/** The engines used since the previous call, by name. */
export function takeUsedEngines(): Record<string, string> {
  const engines = Object.fromEntries([...used].toSorted(([a], [b]) => a.localeCompare(b)))
  used.clear()
  return engines
}
