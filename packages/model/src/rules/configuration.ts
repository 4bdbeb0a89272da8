import {
  type AggregateColumn,
  type AggregateQuery,
  type Configuration,
  identityProvidersOf,
  isPlaceholder,
  takesApiScopes,
} from '../configuration.ts'
import type { Licence } from '../licence.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import { licensedApi } from './organisation.ts'
import { hiddenCharacters, isTaken, takenNames, type TakenNames } from './names.ts'
import { scopeProblem } from './scopes.ts'

/** All problems of a configuration by itself, each with the path of its field. Checks that need the entities are in `validate`. */
export function configurationProblems(
  configuration: Configuration,
  { licence }: { licence: Licence },
): { path: string; message: string }[] {
  const { apiConfiguration, aggregateQueries, serviceConfiguration } = configuration.configurationBuild
  const problems: { path: string; message: string }[] = []
  const add: Add = (path, message) => {
    if (message !== undefined) problems.push({ path: `configurationBuild.${path}`, message })
  }
  for (const type of apiConfiguration.type) {
    add('apiConfiguration.type', licensedApi(type, licence))
  }
  add('apiConfiguration.type', repeated(apiConfiguration.type, messages.listedTwice))
  if (serviceConfiguration.sotEntities.some(name => name.trim() === ''))
    add('serviceConfiguration.sotEntities', messages.fieldRequired)
  const queriesOf = new Map<string, Set<string>>()
  for (const [index, query] of aggregateQueries.entries()) {
    const entity = foldName(query.entity)
    const taken = queriesOf.get(entity) ?? new Set<string>()
    add(`aggregateQueries.${index}`, aggregateQuery(query, { taken }))
    queriesOf.set(entity, taken.add(foldName(query.name)))
  }
  addScopeProblems(configuration, add)
  for (const [index, { field, message }] of propertyProblems(configuration)) {
    problems.push({ path: `packageProperties.customProperties.${index}.${field}`, message })
  }
  return problems
}

/** `path` is relative to configurationBuild. */
type Add = (path: string, message: string | undefined) => void

function addScopeProblems(configuration: Configuration, add: Add): void {
  const { apiConfiguration, apiScopeConfiguration } = configuration.configurationBuild
  const { scopeDefinitions, globalScopes, identityProvider, enableRbac } = apiScopeConfiguration
  add('apiScopeConfiguration.scopeDefinitions', repeated(scopeDefinitions, messages.scopeExists))
  for (const scope of scopeDefinitions) add('apiScopeConfiguration.scopeDefinitions', scopeProblem(scope))
  add('apiScopeConfiguration.globalScopes', repeated(globalScopes, messages.listedTwice))
  const defined = new Set(scopeDefinitions)
  const undefinedScope = globalScopes.find(scope => !defined.has(scope))
  add(
    'apiScopeConfiguration.globalScopes',
    undefinedScope === undefined ? undefined : messages.scopeUndefined(undefinedScope),
  )
  const isOffered = identityProvidersOf(apiConfiguration.security).includes(identityProvider)
  if (enableRbac && takesApiScopes(configuration) && !isOffered) {
    add('apiScopeConfiguration.identityProvider', messages.basicProvider)
  }
}

export type PropertyProblem = { field: 'name' | 'value'; message: string }

/**
 * Problems of custom properties, by index: a value without a name, a repeated name, or the placeholder of a secret in a property that is
 * not secret.
 */
export function propertyProblems({ packageProperties }: Configuration): Map<number, PropertyProblem> {
  const problems = new Map<number, PropertyProblem>()
  const taken = new Set<string>()
  for (const [index, { name, value, secret }] of packageProperties.customProperties.entries()) {
    const trimmed = name.trim()
    const required = trimmed === '' && value !== '' ? messages.fieldRequired : undefined
    const message =
      required ?? hiddenCharacters(name) ?? (taken.has(trimmed) ? messages.propertyExists(trimmed) : undefined)
    if (message !== undefined) problems.set(index, { field: 'name', message })
    else if (!secret && isPlaceholder(value))
      problems.set(index, { field: 'value', message: messages.secretOpened(trimmed) })
    if (trimmed !== '') taken.add(trimmed)
  }
  return problems
}

/** Rejects typed input equal to the placeholder of a stored secret, which would be mistaken for one. */
export function typedValue(typed: string): string | undefined {
  return isPlaceholder(typed) ? messages.secretTyped : undefined
}

function repeated(words: readonly string[], message: (word: string) => string): string | undefined {
  const seen = new Set<string>()
  const word = words.find(item => seen.size === seen.add(item).size)
  return word === undefined ? undefined : message(word)
}

/** Requires a name, an entity and a column. `taken`: names of the entity's other queries. */
export function aggregateQuery(value: AggregateQuery, { taken }: { taken: TakenNames }): string | undefined {
  if (value.name.trim() === '' || value.entity.trim() === '') return messages.fieldRequired
  const hidden = hiddenCharacters(value.name)
  if (hidden !== undefined) return hidden
  if (isTaken(value.name, taken)) return messages.aggregateExists(value.name)
  if (value.columns.length === 0) return messages.aggregateColumns
  return aliases(value.columns)
}

/** Alias of a column to be added to `others`. */
export function alias(value: string, { others }: { others: readonly AggregateColumn[] }): string | undefined {
  return newAlias(value, takenNames(others.map(column => column.alias)))
}

function newAlias(value: string, taken: TakenNames): string | undefined {
  if (value.trim() === '') return messages.fieldRequired
  return hiddenCharacters(value) ?? (isTaken(value, taken) ? messages.aliasExists(value) : undefined)
}

function aliases(columns: readonly AggregateColumn[]): string | undefined {
  const taken = new Set<string>()
  for (const column of columns) {
    const problem = newAlias(column.alias, taken)
    if (problem !== undefined) return problem
    taken.add(foldName(column.alias))
  }
  return undefined
}
