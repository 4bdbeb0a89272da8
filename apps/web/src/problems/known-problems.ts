import { createStore } from 'zustand/vanilla'

/** How many problems something has, of the worst severity; `label` says it in words. */
export type ProblemBadge = { severity: 'error' | 'warning'; count: number; label: string }

export type KnownProblems = {
  manifests: ReadonlyMap<number, ProblemBadge>
  entities: ReadonlyMap<number, ProblemBadge>
}

export const noProblems: KnownProblems = { manifests: new Map(), entities: new Map() }

/** The problems read so far, by the text of their scope. Small, because the first screen shows them. */
export const knownProblems = createStore<{ byScope: ReadonlyMap<string, KnownProblems> }>()(() => ({
  byScope: new Map(),
}))
