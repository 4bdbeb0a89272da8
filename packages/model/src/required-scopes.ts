import type { Configuration, Security } from './configuration.ts'
import type { OperationName } from './entity.ts'
import { type ApiOperation, isSameOperation, type OperationScopes, parseExclusion } from './operations.ts'
import { foldName } from './paths.ts'

/** How an operation is addressed. `onItem`: by the key of a record. `needsKey`: it is about one record. */
export const operationAddresses = {
  selectAll: { method: 'get', onItem: false, needsKey: false },
  select: { method: 'get', onItem: true, needsKey: true },
  insert: { method: 'post', onItem: false, needsKey: false },
  update: { method: 'put', onItem: false, needsKey: true },
  delete: { method: 'delete', onItem: true, needsKey: true },
} as const satisfies Record<OperationName, { method: ApiOperation['method']; onItem: boolean; needsKey: boolean }>

/** The operations of an entity in the order of its API. */
export const apiOperations = ['selectAll', 'select', 'insert', 'update', 'delete'] as const

/** An entity served by an API. `primaryKey`: the name of its key. `operationScopes` absent: none required. */
export type ServedEntity = {
  name: string
  primaryKey: string | null
  operationScopes?: OperationScopes | undefined
}

/** The settings of an API that decide who may call it. */
export type AccessRules = { kind: Security; rbac: boolean; globalScopes: readonly string[] }

/** What a call of an operation requires: nothing, authentication alone, or one of the scopes. */
export type Requirement =
  | { kind: 'anyone' }
  | { kind: 'signedIn' }
  /** `own`: scopes of the operation; `global`: scopes that permit every operation. */
  | { kind: 'scopes'; own: readonly string[]; global: readonly string[] }

export type Unserved = 'noApi' | 'noKey' | 'excluded'

/** The parts of a configuration that decide what is served to whom. */
export type AccessSettings = Pick<Configuration['configurationBuild'], 'apiConfiguration' | 'apiScopeConfiguration'>

/** Settings of an API, prepared for many operations. */
export type ApiAccess = {
  isServed: boolean
  rules: AccessRules
  excluded: Exclusions
}

/** Excluded operations by the folded name of their entity. */
export type Exclusions = ReadonlyMap<string, readonly ApiOperation[]>

export function accessOf({ apiConfiguration, apiScopeConfiguration }: AccessSettings): ApiAccess {
  const { type, security: kind, excludeOperations } = apiConfiguration
  const { enableRbac: rbac, globalScopes } = apiScopeConfiguration
  return { isServed: type.length > 0, rules: { kind, rbac, globalScopes }, excluded: exclusionsOf(excludeOperations) }
}

/** Texts that name no operation are ignored. */
export function exclusionsOf(excludeOperations: readonly string[]): Exclusions {
  const operations = excludeOperations.flatMap(text => parseExclusion(text) ?? [])
  return Map.groupBy(operations, ({ entity }) => foldName(entity))
}

/** The address of an operation of an entity. */
export function addressOf(
  { name, primaryKey }: Pick<ServedEntity, 'name' | 'primaryKey'>,
  operation: OperationName,
): ApiOperation {
  const { method, onItem } = operationAddresses[operation]
  return { entity: name, key: onItem ? primaryKey : null, method }
}

/** Why an entity's API lacks an operation; null if it has it. */
export function unserved(
  entity: Pick<ServedEntity, 'name' | 'primaryKey'>,
  operation: OperationName,
  excluded: Exclusions,
): Exclude<Unserved, 'noApi'> | null {
  if (operationAddresses[operation].needsKey && entity.primaryKey === null) return 'noKey'
  const address = addressOf(entity, operation)
  const isExcluded = excluded.get(foldName(entity.name))?.some(one => isSameOperation(one, address)) ?? false
  return isExcluded ? 'excluded' : null
}

/** What a call requires; the instance decides by it. `own`: the scopes of the operation. */
export function requirementOf({ kind, rbac, globalScopes }: AccessRules, own: readonly string[]): Requirement {
  if (kind === 'NONE') return { kind: 'anyone' }
  if (!rbac || own.length + globalScopes.length === 0) return { kind: 'signedIn' }
  return { kind: 'scopes', own, global: globalScopes }
}

/** What an operation of an entity requires under these settings, or why it is not served. */
export function scopesRequired(
  entity: ServedEntity,
  operation: OperationName,
  { isServed, rules, excluded }: ApiAccess,
): Requirement | { kind: 'unserved'; reason: Unserved } {
  const reason = isServed ? unserved(entity, operation, excluded) : 'noApi'
  if (reason !== null) return { kind: 'unserved', reason }
  return requirementOf(rules, entity.operationScopes?.[`${operation}OperationScopes`] ?? [])
}

/** The scopes one of which is enough; null: no scope is required. */
export function scopesIn(requirement: Requirement): readonly string[] | null {
  return requirement.kind === 'scopes' ? [...new Set([...requirement.own, ...requirement.global])] : null
}

/** Whether a caller with these scopes may call an operation. null: a caller without authentication. */
export function admits(requirement: Requirement, scopes: ReadonlySet<string> | null): boolean {
  if (requirement.kind === 'anyone') return true
  if (scopes === null) return false
  if (requirement.kind === 'signedIn') return true
  const isHeld = (scope: string) => scopes.has(scope)
  return requirement.own.some(isHeld) || requirement.global.some(isHeld)
}

/** Number of operations that are served, and of those that require no scope. */
export function countOpen(entities: readonly ServedEntity[], access: ApiAccess): { served: number; open: number } {
  let [served, open] = [0, 0]
  for (const entity of entities) {
    for (const operation of apiOperations) {
      const { kind } = scopesRequired(entity, operation, access)
      if (kind === 'unserved') continue
      served += 1
      if (kind !== 'scopes') open += 1
    }
  }
  return { served, open }
}

export const accessKinds = ['noApi', 'anyone', 'noRbac', 'scopes'] as const

/** How an API as a whole treats callers; `scopes`: operations without scopes are the exception. */
export function settingsKind({ isServed, rules }: Pick<ApiAccess, 'isServed' | 'rules'>): (typeof accessKinds)[number] {
  if (!isServed) return 'noApi'
  if (rules.kind === 'NONE') return 'anyone'
  return rules.rbac ? 'scopes' : 'noRbac'
}
