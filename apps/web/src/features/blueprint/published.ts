import { currentScope } from '../../api/scope.ts'
import { sessionStore } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import { openBlueprint, type Blueprint, type Named } from './blueprint.ts'

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

type Stored = { format: 1; answers: Answers }

/** Answers name instances and database users, which other users of the browser must not see. */
function keyOf(manifestId: number) {
  const user = sessionStore.getState().user?.userId ?? ''
  return `published.${user}.${currentScope().organisation}.${manifestId}` as const
}

/** Passwords are not stored. `name`: of the package. The rules of the wizard would enlarge the first load. */
export function rememberPublished(state: Blueprint, name: string): void {
  if (state.manifest === null || state.built === null) return
  const own = state.settings?.[0]?.configurationBuild
  const { type: apis = [] } = own?.apiConfiguration ?? {}
  const isAsConfigured = { apis: isSame(state.apis, apis), sql: isSame(state.sql, own?.sqlConfiguration) }
  const { goal, target, hosted, url, schema, database, existing, databaseType, connection } = state
  const answers: Answers = {
    goal,
    target,
    hosted,
    url,
    schema,
    database,
    existing,
    databaseType,
    connection: { ...connection, password: '' },
    apis: isAsConfigured.apis ? null : state.apis,
    sql: isAsConfigured.sql ? null : state.sql,
    username: state.credentials.username,
    package: { name, versions: [state.built.version] },
  }
  storage.writeJson(keyOf(state.manifest.id), { format: 1, answers } satisfies Stored)
}

/** Null if this browser has not published the manifest, or by another release. */
export function lastPublished(manifestId: number): Answers | null {
  const stored = storage.readJson(keyOf(manifestId))
  return isStored(stored) ? stored.answers : null
}

/** Name or address of the instance. */
export function targetOf({ target, hosted, url }: Answers): string {
  return target === 'hosted' ? (hosted?.name ?? '') : url
}

/** The wizard as it was before the last publication, without passwords. */
export function openAgain(manifest: Named, allowed: Blueprint['allowed'], answers: Answers): Blueprint {
  const { apis, username, package: existingPackage, ...same } = answers
  return {
    ...openBlueprint(manifest, allowed),
    ...same,
    apis: apis ?? [],
    credentials: { username, password: '' },
    packageMode: 'existing',
    existingPackage,
    again: true,
    working: 'validating',
  }
}

function isStored(stored: unknown): stored is Stored {
  return typeof stored === 'object' && stored !== null && 'format' in stored && stored.format === 1
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
