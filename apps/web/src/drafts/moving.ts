let depth = 0

/** Runs steps in several drafts that together move columns, so that no draft has to follow another. */
export function asOneMove<T>(run: () => T): T {
  depth += 1
  try {
    return run()
  } finally {
    depth -= 1
  }
}

/** Whether such steps are being made. */
export function isOneMove(): boolean {
  return depth > 0
}
