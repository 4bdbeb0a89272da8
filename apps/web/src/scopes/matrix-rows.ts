import type { ScopeMatrixAnswer } from '@cadmus/model/contract/scope-matrix'
import type { OperationName } from '@cadmus/model/entity'
import type { OperationScopes } from '@cadmus/model/operations'
import { foldName } from '@cadmus/model/paths'
import {
  admits,
  type ApiAccess,
  apiOperations,
  type Requirement,
  scopesRequired,
  type Unserved,
} from '@cadmus/model/required-scopes'
import { scopesOf } from '@cadmus/model/rules/scopes'

/** An entity with the scopes of its operations, as the page would save them. */
export type MatrixRow = {
  id: number
  name: string
  path: string
  /** Name of the manifest that contains it. */
  manifest: string
  /** Names of manifests outside that contain it too, and whose configurations it therefore concerns. */
  sharedWith: readonly string[]
  primaryKey: string | null
  operationScopes: OperationScopes
}

/** What drafts and steps in progress change of an entity. */
export type RowChange = { name?: string; primaryKey?: string | null; operationScopes?: Partial<OperationScopes> }

export type CellRequirement = Requirement | { kind: 'unserved'; reason: Unserved }

/** The rows by manifest, that of the root first, and name. */
export function matrixRows(
  { entities, manifests, others, lists, operations }: ScopeMatrixAnswer,
  changes: ReadonlyMap<number, RowChange> = new Map(),
): MatrixRow[] {
  const rows = entities.ids.map((id, index): { row: MatrixRow; place: number } => {
    const listOf = (name: OperationName) => lists[operations[name][index] ?? 0] ?? []
    const stored: OperationScopes = {
      selectOperationScopes: listOf('select'),
      selectAllOperationScopes: listOf('selectAll'),
      deleteOperationScopes: listOf('delete'),
      insertOperationScopes: listOf('insert'),
      updateOperationScopes: listOf('update'),
    }
    const place = entities.manifests[index] ?? 0
    const change = changes.get(id)
    const row = {
      id,
      name: change?.name ?? entities.names[index] ?? '',
      path: entities.paths[index] ?? '',
      manifest: manifests[place]?.name ?? '',
      sharedWith: others[entities.others[index] ?? 0] ?? [],
      primaryKey: change?.primaryKey === undefined ? (entities.keys[index] ?? null) : change.primaryKey,
      operationScopes: change?.operationScopes ? { ...stored, ...change.operationScopes } : stored,
    }
    return { row, place }
  })
  const compare = new Intl.Collator('en').compare
  return rows.sort((a, b) => a.place - b.place || compare(a.row.name, b.row.name)).map(({ row }) => row)
}

/** `all`, `open`: an operation requires no scope, or one that an operation requires. */
export type MatrixFilter = { kind: 'all' } | { kind: 'open' } | { kind: 'scope'; scope: string }

/** Whether a row matches the text, by the names of its entity and manifest, and the filter. */
export function isShown(row: MatrixRow, term: string, filter: MatrixFilter, access: ApiAccess): boolean {
  if (term !== '' && ![row.name, row.manifest].some(text => foldName(text).includes(term))) return false
  if (filter.kind === 'scope') return scopesOf(row).includes(filter.scope)
  if (filter.kind === 'all') return true
  return apiOperations.some(operation => {
    const { kind } = scopesRequired(row, operation, access)
    return kind === 'anyone' || kind === 'signedIn'
  })
}

/** Number of operations that require a scope themselves, and of their entities. */
export function usesOf(rows: readonly MatrixRow[], scope: string): { operations: number; entities: number } {
  let [operations, entities] = [0, 0]
  for (const row of rows) {
    const count = scopesOf(row).filter(one => one === scope).length
    operations += count
    if (count > 0) entities += 1
  }
  return { operations, entities }
}

/** Number of operations that are served, and of those that a token with these scopes may call. */
export function countCallable(rows: readonly MatrixRow[], access: ApiAccess, scopes: ReadonlySet<string>) {
  let [served, callable] = [0, 0]
  for (const row of rows) {
    for (const operation of apiOperations) {
      const requirement = scopesRequired(row, operation, access)
      if (requirement.kind === 'unserved') continue
      served += 1
      if (admits(requirement, scopes)) callable += 1
    }
  }
  return { served, callable }
}

/** Every scope that is defined, global or required by an operation, sorted. */
export function allScopes(
  rows: readonly MatrixRow[],
  { scopeDefinitions, globalScopes }: { scopeDefinitions: readonly string[]; globalScopes: readonly string[] },
): string[] {
  return [...new Set([...scopeDefinitions, ...globalScopes, ...rows.flatMap(row => scopesOf(row))])].toSorted()
}
