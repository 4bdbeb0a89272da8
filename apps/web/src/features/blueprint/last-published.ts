import { currentScope } from '../../api/scope.ts'
import { storage } from '../../api/storage.ts'
import type { Blueprint } from './blueprint.ts'

// Apart from the wizard, as menus of the first screen ask for it.

type Remembered =
  | 'goal'
  | 'target'
  | 'hosted'
  | 'url'
  | 'schema'
  | 'database'
  | 'existing'
  | 'databaseType'
  | 'connection'

/**
 * Answers of the last publication of a manifest. `apis`, `sql`: null if they were those of the configuration, which may
 * have changed since.
 */
export type Answers = Pick<Blueprint, Remembered | 'sql'> & {
  apis: Blueprint['apis'] | null
  username: string
  package: { name: string; versions: readonly string[] }
}

export type Stored = { format: 1; answers: Answers }

export const keyOf = (manifestId: number) => `published.${currentScope().organisation}.${manifestId}` as const

/** Null if this browser has not published the manifest, or by another release. */
export function lastPublished(manifestId: number): Answers | null {
  const stored = storage.readJson(keyOf(manifestId))
  return isStored(stored) ? stored.answers : null
}

function isStored(stored: unknown): stored is Stored {
  return typeof stored === 'object' && stored !== null && 'format' in stored && stored.format === 1
}
