import { identityProvidersOf, takesApiScopes, type Configuration } from './configuration.ts'
import { isEqual } from './equal.ts'
import type { Merging } from './merge-fields.ts'
import { three, type Three } from './merge-items.ts'

// Two valid configurations may break a rule once merged. The fields involved are then a conflict, and all are taken from one side.

type Scopes = Configuration['configurationBuild']['apiScopeConfiguration']
const scopesAt = 'configurationBuild.apiScopeConfiguration'

export function soundConfiguration(
  merging: Merging,
  merged: Configuration,
  sides: Three<Configuration>,
): Configuration {
  return withScopes(merging, withProvider(merging, merged, sides), sides)
}

type Place = { path: string; of: (configuration: Configuration) => object; field: string }
const api = ({ configurationBuild }: Configuration) => configurationBuild.apiConfiguration
const scopes = ({ configurationBuild }: Configuration) => configurationBuild.apiScopeConfiguration
const security: Place = { path: 'configurationBuild.apiConfiguration', of: api, field: 'security' }
const types: Place = { path: 'configurationBuild.apiConfiguration', of: api, field: 'type' }
const rbac: Place = { path: scopesAt, of: scopes, field: 'enableRbac' }
const provider: Place = { path: scopesAt, of: scopes, field: 'identityProvider' }

/** One side chose a security without the identity provider that the other side chose. Limits the conflict to as few fields as possible. */
function withProvider(merging: Merging, merged: Configuration, { base, mine, theirs }: Three<Configuration>) {
  if (hasProvider(merged) || !hasProvider(mine) || !hasProvider(theirs)) return merged
  const groups = [
    [security, provider],
    [security, rbac, provider],
    [types, security, rbac, provider],
  ]
  const isSound = (group: readonly Place[]) => [mine, theirs].every(side => hasProvider(taking(merged, side, group)))
  const group = groups.find(isSound) ?? []
  for (const { path, of, field } of group)
    addConflict(merging, { path, field, ...three({ base, mine, theirs }, side => valueOf(of(side), field)) })
  return taking(merged, merging.takes === 'mine' ? mine : theirs, group)
}

function hasProvider(configuration: Configuration): boolean {
  const { enableRbac, identityProvider } = scopes(configuration)
  if (!enableRbac || !takesApiScopes(configuration)) return true
  return identityProvidersOf(api(configuration).security).includes(identityProvider)
}

function taking(merged: Configuration, side: Configuration, group: readonly Place[]): Configuration {
  const next = structuredClone(merged)
  for (const { of, field } of group) Object.assign(of(next), { [field]: valueOf(of(side), field) })
  return next
}

function valueOf(record: object, field: string): unknown {
  return Reflect.get(record, field)
}

/** One side made a scope global that the other side removed. Only such scopes are taken from one side. */
function withScopes(merging: Merging, merged: Configuration, sides: Three<Configuration>): Configuration {
  const own = scopes(merged)
  const undefinedBefore = new Set([...undefinedIn(scopes(sides.mine)), ...undefinedIn(scopes(sides.theirs))])
  const conflicting = undefinedIn(own).filter(scope => !undefinedBefore.has(scope))
  if (conflicting.length === 0) return merged
  for (const field of ['scopeDefinitions', 'globalScopes'] as const)
    addConflict(merging, { path: scopesAt, field, ...three(sides, side => scopes(side)[field]) })
  const preferred = scopes(sides[merging.takes])
  const settled = (field: 'scopeDefinitions' | 'globalScopes') => {
    const others = own[field].filter(scope => !conflicting.includes(scope))
    return [...others, ...conflicting.filter(scope => preferred[field].includes(scope))]
  }
  const apiScopeConfiguration: Scopes = {
    ...own,
    scopeDefinitions: settled('scopeDefinitions'),
    globalScopes: settled('globalScopes'),
  }
  return { ...merged, configurationBuild: { ...merged.configurationBuild, apiScopeConfiguration } }
}

function undefinedIn({ scopeDefinitions, globalScopes }: Scopes): string[] {
  const defined = new Set(scopeDefinitions)
  return globalScopes.filter(scope => !defined.has(scope))
}

function addConflict(merging: Merging, conflict: Merging['conflicts'][number]): void {
  const { path, field, mine, theirs } = conflict
  if (isEqual(mine, theirs) || merging.conflicts.some(one => one.path === path && one.field === field)) return
  merging.conflicts.push(conflict)
}
