import { identityProvidersOf, takesApiScopes, type Configuration } from '../configuration.ts'
import type { Licence } from '../licence.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import { aggregateQuery } from './aggregate-query.ts'
import { hiddenCharacters } from './hidden-characters.ts'

/** All that is wrong with a configuration in itself, each with the path of its field. What needs the entities is validate's business. */
export function configurationProblems(
  configuration: Configuration,
  { licence }: { licence: Licence },
): { path: string; message: string }[] {
  const { apiConfiguration, aggregateQueries, apiScopeConfiguration } = configuration.configurationBuild
  const problems: { path: string; message: string }[] = []
  const add = (path: string, message: string | undefined) => {
    if (message !== undefined) problems.push({ path: `configurationBuild.${path}`, message })
  }
  const isLicensed = { REST: licence.rest, SOAP: true, GRAPHQL: licence.graphql }
  for (const type of apiConfiguration.type) {
    add('apiConfiguration.type', isLicensed[type] ? undefined : messages.notLicensed(type))
  }
  const queriesOf = new Map<string, Set<string>>()
  for (const [index, query] of aggregateQueries.entries()) {
    const entity = foldName(query.entity)
    const taken = queriesOf.get(entity) ?? new Set<string>()
    add(`aggregateQueries.${index}`, aggregateQuery(query, { taken }))
    queriesOf.set(entity, taken.add(foldName(query.name)))
  }
  const { scopeDefinitions, globalScopes, identityProvider, enableRbac } = apiScopeConfiguration
  add('apiScopeConfiguration.scopeDefinitions', repeated(scopeDefinitions))
  for (const scope of scopeDefinitions) add('apiScopeConfiguration.scopeDefinitions', hiddenCharacters(scope))
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
  for (const [index, message] of propertyProblems(configuration)) {
    problems.push({ path: `packageProperties.customProperties.${index}.name`, message })
  }
  return problems
}

/** By its place, what is wrong with the name of each custom property: a value needs one, and each is there once. */
export function propertyProblems({ packageProperties }: Configuration): Map<number, string> {
  const problems = new Map<number, string>()
  const taken = new Set<string>()
  for (const [index, { name, value }] of packageProperties.customProperties.entries()) {
    const known = name.trim()
    const missing = known === '' && value !== '' ? messages.fieldRequired : undefined
    const message = missing ?? hiddenCharacters(name) ?? (taken.has(known) ? messages.propertyExists(known) : undefined)
    if (message !== undefined) problems.set(index, message)
    if (known !== '') taken.add(known)
  }
  return problems
}

function repeated(scopes: readonly string[]): string | undefined {
  const seen = new Set<string>()
  const scope = scopes.find(item => seen.size === seen.add(item).size)
  return scope === undefined ? undefined : messages.scopeExists(scope)
}
