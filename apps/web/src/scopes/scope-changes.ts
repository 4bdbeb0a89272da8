import type { OperationName } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { exclusionOf, isSameOperation, type OperationScopes, parseExclusion } from '@cadmus/model/operations'
import { type AccessSettings, addressOf, apiOperations, exclusionsOf, unserved } from '@cadmus/model/required-scopes'
import { addScope, newScopes, parseScopes, scopeProblem } from '@cadmus/model/rules/scopes'
import type { MatrixRow } from './matrix-rows.ts'

/** The scopes that a configuration defines, those that permit every operation, and the operations that are not served. */
export type DefinedScopes = {
  scopeDefinitions: readonly string[]
  globalScopes: readonly string[]
  excludeOperations: readonly string[]
}

/** What a configuration says about scopes and served operations. */
export function definedIn({ apiConfiguration, apiScopeConfiguration }: AccessSettings): DefinedScopes {
  const { scopeDefinitions, globalScopes } = apiScopeConfiguration
  return { scopeDefinitions, globalScopes, excludeOperations: apiConfiguration.excludeOperations }
}

/** New scopes of operations by entity, and of the configuration; `defined` absent: unchanged. */
export type ScopeChange = {
  entities: ReadonlyMap<number, Partial<OperationScopes>>
  defined?: DefinedScopes | undefined
}

/** The scopes as shown, with all unsaved changes. */
export type ScopeState = { rows: readonly MatrixRow[]; defined: DefinedScopes }

/** Texts for cells: a row of texts for each entity, a text for each column. Other columns than operations are ignored. */
export type TextBlock = {
  rows: readonly number[]
  columns: readonly string[]
  texts: readonly (readonly string[])[]
}

/**
 * Copied cells without those of columns that hold no scopes, and the operations that they go to: a copied row has the
 * name of its entity, which is no scope. `copied`: their columns; null: they come from elsewhere.
 */
export function operationCells(
  cells: readonly (readonly string[])[],
  copied: readonly string[] | null,
  columns: readonly string[],
): { cells: readonly (readonly string[])[]; columns: readonly string[] } {
  if (copied === null) return { cells, columns }
  const isOperation = (id: string | undefined) => apiOperations.some(one => one === id)
  return {
    cells: cells.map(row => row.filter((_, at) => isOperation(copied[at]))),
    columns: columns.filter(isOperation),
  }
}

/** The change that writes texts into cells; new scopes are defined. Or the problem of the first text that is none. */
export function writeTexts({ rows, defined }: ScopeState, block: TextBlock): ScopeChange | { problem: string } {
  const byId = new Map(rows.map(row => [row.id, row]))
  const known = new Set(defined.scopeDefinitions)
  const entities = new Map<number, Partial<OperationScopes>>()
  let { scopeDefinitions } = defined
  for (const [at, id] of block.rows.entries()) {
    const row = byId.get(id)
    if (!row) continue
    const change: Partial<OperationScopes> = {}
    for (const [column, name] of block.columns.entries()) {
      const operation = apiOperations.find(one => one === name)
      const text = block.texts[at]?.[column]
      if (operation === undefined || text === undefined) continue
      const scopes = scopesInText(text, known)
      const problem = scopes.map(scope => (known.has(scope) ? undefined : scopeProblem(scope))).find(Boolean)
      if (problem !== undefined) return { problem }
      change[fieldOf(operation)] = scopes
      for (const scope of scopes) if (!known.has(scope)) scopeDefinitions = addScope(scopeDefinitions, scope)
    }
    const changed = changedFields(row, change)
    const problem = newScopes({ ...row.operationScopes, ...changed }, row.operationScopes)
    if (problem !== undefined) return { problem }
    if (Object.keys(changed).length > 0) entities.set(id, changed)
  }
  const isNew = scopeDefinitions.length > defined.scopeDefinitions.length
  return { entities, ...(isNew ? { defined: { ...defined, scopeDefinitions } } : {}) }
}

/**
 * The part of a block that a step may take, and the rows left out: those that other manifests share, unless the block has no others.
 * A single row, or shared rows alone, were chosen for themselves.
 */
export function withoutShared({ rows }: ScopeState, block: TextBlock): { own: TextBlock; shared: TextBlock } {
  const shared = new Set(rows.flatMap(({ id, sharedWith }) => (sharedWith.length > 0 ? [id] : [])))
  const part = (isTaken: (id: number) => boolean): TextBlock => ({
    ...block,
    rows: block.rows.filter(isTaken),
    texts: block.texts.filter((_, at) => isTaken(block.rows[at] ?? 0)),
  })
  const own = part(id => !shared.has(id))
  return own.rows.length === 0 ? { own: block, shared: own } : { own, shared: part(id => shared.has(id)) }
}

/** Cells of operations: some operations of some entities. */
export type OperationCells = { rows: readonly number[]; columns: readonly string[] }

/**
 * The change that excludes operations from the API, or serves them if all are excluded, and their number. Operations without a key
 * that they need stay as they are; null: none is left.
 */
export function toggleExclusion(
  { rows, defined }: ScopeState,
  cells: OperationCells,
): { change: ScopeChange; count: number; isExcluded: boolean } | null {
  const excluded = exclusionsOf(defined.excludeOperations)
  const chosen = new Set(cells.rows)
  const entities = rows.filter(({ id }) => chosen.has(id))
  const operations = entities.flatMap(entity =>
    apiOperations.flatMap(operation => {
      const reason = unserved(entity, operation, excluded)
      if (!cells.columns.includes(operation) || reason === 'noKey') return []
      return [{ address: addressOf(entity, operation), isExcluded: reason === 'excluded' }]
    }),
  )
  const served = operations.filter(({ isExcluded }) => !isExcluded)
  if (operations.length === 0) return null
  const isOther = (text: string) => {
    const known = parseExclusion(text)
    return !known || !operations.some(({ address }) => isSameOperation(known, address))
  }
  const excludeOperations =
    served.length > 0
      ? [...defined.excludeOperations, ...served.map(({ address }) => exclusionOf(address))]
      : defined.excludeOperations.filter(isOther)
  const change = { entities: new Map(), defined: { ...defined, excludeOperations } }
  return { change, count: served.length || operations.length, isExcluded: served.length === 0 }
}

/** Scopes of a text, separated by commas, or else by spaces, as the claims of tokens have them. */
export function scopesInText(text: string, known: ReadonlySet<string> = new Set()): string[] {
  const whole = text.trim()
  if (known.has(whole)) return [whole]
  const parts = parseScopes(whole.includes(',') ? whole : whole.replaceAll(/\s+/g, ','))
  return [...new Set(parts)]
}

export function textOfScopes(scopes: readonly string[]): string {
  return scopes.join(', ')
}

/** The change that gives a scope another name everywhere; an existing scope of that name takes its place. */
export function renameScope(state: ScopeState, from: string, to: string): ScopeChange {
  return mapScopes(state, scopes => [...new Set(scopes.map(scope => (scope === from ? to : scope)))])
}

/** The change that removes a scope everywhere. */
export function removeScope(state: ScopeState, removed: string): ScopeChange {
  return mapScopes(state, scopes => scopes.filter(scope => scope !== removed))
}

function mapScopes({ rows, defined }: ScopeState, map: (scopes: readonly string[]) => string[]): ScopeChange {
  const entities = new Map<number, Partial<OperationScopes>>()
  for (const row of rows) {
    const change: Partial<OperationScopes> = {}
    for (const operation of apiOperations) change[fieldOf(operation)] = map(row.operationScopes[fieldOf(operation)])
    const changed = changedFields(row, change)
    if (Object.keys(changed).length > 0) entities.set(row.id, changed)
  }
  const { scopeDefinitions, globalScopes } = defined
  const mapped = { ...defined, scopeDefinitions: map(scopeDefinitions), globalScopes: map(globalScopes) }
  return { entities, ...(isEqual(mapped, defined) ? {} : { defined: mapped }) }
}

function changedFields({ operationScopes }: MatrixRow, change: Partial<OperationScopes>): Partial<OperationScopes> {
  const changed: Partial<OperationScopes> = {}
  for (const operation of apiOperations) {
    const field = fieldOf(operation)
    const scopes = change[field]
    if (scopes !== undefined && !isEqual(scopes, operationScopes[field])) changed[field] = scopes
  }
  return changed
}

export function fieldOf(operation: OperationName): keyof OperationScopes {
  return `${operation}OperationScopes`
}
