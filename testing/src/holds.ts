declare module 'vitest' {
  interface TaskMeta {
    /** The requirements that the test holds. */
    holds?: readonly string[]
  }
}

/**
 * The requirements that a test holds, beside its title: `it('adds a scope on Enter', holds('M5.22'), async () => …)`. Each has an
 * assertion of its own in the test. docs/specification.md is made from them.
 */
export function holds(...ids: readonly [string, ...string[]]): { meta: { holds: readonly string[] } } {
  return { meta: { holds: ids } }
}
