const used = new Map<string, string>()

/** Of the database within Node. */
export const sqliteVersion = process.versions['sqlite'] ?? 'unknown'

/** Whoever hands out a database says which engine it is of. */
export function engineIsUsed(name: string, version: string): void {
  used.set(name, version)
}

/** The engines that were used since this was asked last, by name. */
export function takeUsedEngines(): Record<string, string> {
  const engines = Object.fromEntries([...used].toSorted(([a], [b]) => a.localeCompare(b)))
  used.clear()
  return engines
}
