import type { ScopeChange } from '../contract/comparison.ts'
import type { OperationName } from '../entity.ts'
import { apiOperations } from '../required-scopes.ts'
import type { Api, ApiEntity } from './api.ts'
import { matchByIdentity, scopesFor } from './api-pairs.ts'

/** What a call of an operation requires. `scopes`: one of these; empty: none. */
type Requirement = { isSignedIn: boolean; scopes: ReadonlySet<string> }

/**
 * The operations that require other scopes than before, global ones included. Those that open come first: callers who
 * could not call them before can now, or they are new and require none. Renamed entities are matched by uid.
 */
export function scopeChanges(before: Api, after: Api): ScopeChange[] {
  const entities = matchByIdentity(before.entities, after.entities)
  const formerly = new Map(before.entities.map(entity => [entities.get(entity.name), entity]))
  const removed = before.entities.filter(({ name }) => !entities.has(name))
  const pairs: (readonly [ApiEntity | undefined, ApiEntity | undefined])[] = [
    ...after.entities.map(entity => [formerly.get(entity), entity] as const),
    ...removed.map(entity => [entity, undefined] as const),
  ]
  const changes = pairs.flatMap(([old, now]) =>
    apiOperations.flatMap(operation => {
      const [from, to] = [requirementOf(before, old, operation), requirementOf(after, now, operation)]
      const opens = isOpened(from, to)
      if (!opens && requiresSame(from, to)) return []
      const entity = (now ?? old)?.name ?? ''
      return [{ entity, operation, before: from && [...from.scopes], after: to && [...to.scopes], opens }]
    }),
  )
  return [...changes.filter(({ opens }) => opens), ...changes.filter(({ opens }) => !opens)]
}

/** Null if the operation is not served. */
function requirementOf(api: Api, entity: ApiEntity | undefined, operation: OperationName): Requirement | null {
  if (api.protocols.length === 0 || entity?.operations[operation] === undefined) return null
  return { isSignedIn: api.security.kind !== 'NONE', scopes: new Set(scopesFor(api, entity, operation)) }
}

function isOpened(before: Requirement | null, after: Requirement | null): boolean {
  if (after === null) return false
  if (before === null) return after.scopes.size === 0
  if (before.isSignedIn && !after.isSignedIn) return true
  if (before.scopes.size === 0) return false
  return after.scopes.size === 0 || !after.scopes.isSubsetOf(before.scopes)
}

/** In any order. An operation that required none and is gone requires no others. */
function requiresSame(before: Requirement | null, after: Requirement | null): boolean {
  const [from, to] = [before?.scopes ?? none, after?.scopes ?? none]
  return from.size === to.size && from.isSubsetOf(to)
}

const none: ReadonlySet<string> = new Set()
