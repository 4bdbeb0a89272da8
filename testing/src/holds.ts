declare module 'vitest' {
  interface TaskMeta {
    /** The requirements covered by the test. */
    holds?: readonly string[]
  }
}

/**
 * The requirements covered by a test, beside its title: `it('adds a scope on Enter', holds('M5.22'), async () => …)`.
 * The test has an assertion for each. docs/specification.md is generated from them.
 */
export function holds(...ids: readonly [string, ...string[]]): { meta: { holds: readonly string[] } } {
  return { meta: { holds: ids } }
}
