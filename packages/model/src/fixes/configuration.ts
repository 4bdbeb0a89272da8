import type { Configuration } from '../configuration.ts'
import { scopeFields } from '../edits/entity-edits.ts'
import { exclusionScopes } from '../configuration-warnings.ts'
import { scopeProblem } from '../rules/scopes.ts'
import { queryKey } from '../validation/configuration.ts'
import type { Fix } from './fix.ts'
import type { FixState } from './fix-state.ts'

type Build = Configuration['configurationBuild']

/** Changes the configuration by the value of the problem; does not apply if that changes nothing. */
function inConfiguration(kind: Fix['kind'], change: (build: Build, value: string) => Build | undefined): Fix {
  return {
    kind,
    apply({ value }, state) {
      const { configuration } = state
      const after = configuration && change(configuration.configurationBuild, value ?? '')
      if (!after) return undefined
      state.changeConfiguration(() => after)
      return value ?? ''
    },
  }
}

export const defineScope: Fix = {
  kind: 'defineScope',
  apply({ value }, state) {
    const scope = value ?? ''
    const defined = state.configuration?.configurationBuild.apiScopeConfiguration.scopeDefinitions ?? []
    if (scopeProblem(scope) !== undefined || defined.includes(scope)) return undefined
    state.changeConfiguration(build => withScopes(build, { scopeDefinitions: [...defined, scope] }))
    return scope
  },
}

/** Removes a scope from the operations of the entity, or from the global ones. */
export const removeScope: Fix = {
  kind: 'removeScope',
  apply({ entity, value }, state) {
    if (value === null) return undefined
    if (entity !== null) return withoutScope(state, entity, value) ? value : undefined
    const globalScopes = state.configuration?.configurationBuild.apiScopeConfiguration.globalScopes ?? []
    if (!globalScopes.includes(value)) return undefined
    const left = globalScopes.filter(scope => scope !== value)
    state.changeConfiguration(build => withScopes(build, { globalScopes: left }))
    return value
  },
}

function withoutScope(state: FixState, entity: number, scope: string): boolean {
  return state.change(
    entity,
    content => {
      const lists = scopeFields.map(field => [field, content.operationScopes[field].filter(one => one !== scope)])
      return { ...content, operationScopes: { ...content.operationScopes, ...Object.fromEntries(lists) } }
    },
    { onlyScopes: true },
  )
}

/** Removes the scopes of operations that are excluded. */
export const removeExcludedScopes: Fix = {
  kind: 'removeExcludedScopes',
  apply(_problem, state) {
    const excluded = state.configuration?.configurationBuild.apiConfiguration.excludeOperations ?? []
    const entities = state.model.entities.flatMap(({ id }) => state.entity(id) ?? [])
    const scoped = exclusionScopes(excluded, entities)
    for (const { entity, field } of scoped)
      state.change(
        entity.id,
        content => ({ ...content, operationScopes: { ...content.operationScopes, [field]: [] } }),
        { onlyScopes: true },
      )
    return scoped.length > 0 ? '' : undefined
  },
}

export const removeQuery = inConfiguration('removeQuery', (build, value) => {
  const aggregateQueries = build.aggregateQueries.filter(query => queryKey(query) !== value)
  return aggregateQueries.length < build.aggregateQueries.length ? { ...build, aggregateQueries } : undefined
})

/** Removes the columns of a query for the field; a query without columns goes with them. */
export const removeQueryColumns = inConfiguration('removeQueryColumns', (build, value) => {
  const aggregateQueries = build.aggregateQueries.flatMap(query => {
    const columns = query.columns.filter(({ field }) => queryKey(query, field) !== value)
    if (columns.length === query.columns.length) return [query]
    return columns.length === 0 ? [] : [{ ...query, columns }]
  })
  const isChanged = aggregateQueries.some((query, index) => query !== build.aggregateQueries[index])
  return isChanged || aggregateQueries.length < build.aggregateQueries.length
    ? { ...build, aggregateQueries }
    : undefined
})

export const removeExclusion = inConfiguration('removeExclusion', (build, value) => {
  const { apiConfiguration } = build
  const excludeOperations = apiConfiguration.excludeOperations.filter(text => text !== value)
  if (excludeOperations.length === apiConfiguration.excludeOperations.length) return undefined
  return { ...build, apiConfiguration: { ...apiConfiguration, excludeOperations } }
})

export const removeSotEntity = inConfiguration('removeSotEntity', (build, value) => {
  const { serviceConfiguration } = build
  const sotEntities = serviceConfiguration.sotEntities.filter(name => name !== value)
  if (sotEntities.length === serviceConfiguration.sotEntities.length) return undefined
  return { ...build, serviceConfiguration: { ...serviceConfiguration, sotEntities } }
})

export const turnOffSot = inConfiguration('turnOffSot', build => ({
  ...build,
  serviceConfiguration: { ...build.serviceConfiguration, applySot: false },
}))

export const turnOffSecurity = inConfiguration('turnOffSecurity', build => ({
  ...build,
  apiConfiguration: { ...build.apiConfiguration, security: 'NONE' },
}))

export const turnOffRbac = inConfiguration('turnOffRbac', build => withScopes(build, { enableRbac: false }))

function withScopes(build: Build, change: Partial<Build['apiScopeConfiguration']>): Build {
  return { ...build, apiScopeConfiguration: { ...build.apiScopeConfiguration, ...change } }
}
