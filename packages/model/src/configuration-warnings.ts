import { configurationWarningTexts as texts } from './messages/validation.ts'
import { takesApiScopes, type Configuration } from './configuration.ts'
import type { OperationName } from './entity.ts'
import {
  type ApiOperation,
  defaultOperations,
  exclusionLabel,
  exclusionOf,
  type OperationScopes,
  parseExclusion,
} from './operations.ts'
import { foldName } from './paths.ts'

/** Part of the configuration with the setting to correct. */
export type WarnedPart = 'api' | 'service' | 'scopes'
export type ConfigurationWarning = { code: WarningCode; part: WarnedPart; message: string }
export type WarningCode = 'sotEmpty' | 'securityUnused' | 'rbacUnused' | 'unscoped' | 'exclusionScoped'

export const warningParts = {
  sotEmpty: 'service',
  securityUnused: 'api',
  rbacUnused: 'api',
  unscoped: 'scopes',
  exclusionScoped: 'api',
} as const satisfies Record<WarningCode, WarnedPart>

/** An entity served by an API. `operationScopes` absent: none required. */
export type ServedEntity = {
  name: string
  primaryKey: string | null
  operationScopes?: OperationScopes | undefined
}

/** Whether the warnings depend on the entities, which must then be loaded. */
export function needsEntities({ configurationBuild }: Configuration): boolean {
  const { apiConfiguration, apiScopeConfiguration } = configurationBuild
  return apiScopeConfiguration.enableRbac || apiConfiguration.excludeOperations.length > 0
}

/** Warnings about settings without the expected effect. `entities` absent: only warnings that do not depend on them. */
export function configurationWarnings(
  configuration: Configuration,
  entities: readonly ServedEntity[] = [],
): ConfigurationWarning[] {
  const { apiConfiguration, apiScopeConfiguration, serviceConfiguration } = configuration.configurationBuild
  const { security, type } = apiConfiguration
  const warnings: [WarningCode, string | null][] = [
    [
      'sotEmpty',
      serviceConfiguration.applySot && serviceConfiguration.sotEntities.length === 0 ? texts.sotEmpty : null,
    ],
    ['securityUnused', security !== 'NONE' && type.length === 0 ? texts.securityUnused : null],
    ['rbacUnused', apiScopeConfiguration.enableRbac && security === 'NONE' ? texts.rbacUnused : null],
    ['unscoped', unscoped(configuration, entities)],
    ['exclusionScoped', exclusionScoped(configuration, entities)],
  ]
  return warnings.flatMap(([code, message]) => (message === null ? [] : [{ code, part: warningParts[code], message }]))
}

function unscoped(configuration: Configuration, entities: readonly ServedEntity[]): string | null {
  const { apiConfiguration, apiScopeConfiguration } = configuration.configurationBuild
  if (!apiScopeConfiguration.enableRbac || !takesApiScopes(configuration)) return null
  // A global scope then restricts them.
  if (apiScopeConfiguration.globalScopes.length > 0) return null
  const excluded = new Set(apiConfiguration.excludeOperations.map(keyOf))
  const open = entities.reduce((count, entity) => count + unscopedOf(entity, excluded), 0)
  return open === 0 ? null : texts.unscoped(open)
}

function unscopedOf(entity: ServedEntity, excluded: ReadonlySet<string>): number {
  const served = defaultOperations(entity.name, entity.primaryKey).filter(one => !excluded.has(keyOf(exclusionOf(one))))
  return served.filter(operation => scopesOf(entity, operation).length === 0).length
}

function exclusionScoped(configuration: Configuration, entities: readonly ServedEntity[]): string | null {
  const { excludeOperations } = configuration.configurationBuild.apiConfiguration
  if (excludeOperations.length === 0) return null
  const byName = new Map(entities.map(entity => [foldName(entity.name), entity]))
  const labels = new Set<string>()
  for (const text of excludeOperations) {
    const operation = parseExclusion(text)
    const entity = operation && byName.get(foldName(operation.entity))
    if (operation && entity && scopesOf(entity, operation).length > 0) labels.add(exclusionLabel(operation))
  }
  return labels.size === 0 ? null : texts.exclusionScoped([...labels])
}

function scopesOf({ operationScopes }: ServedEntity, { key, method }: ApiOperation): readonly string[] {
  const name: OperationName | undefined = key === null ? collection[method] : item[method]
  return (name && operationScopes?.[`${name}OperationScopes`]) ?? []
}

const collection: Partial<Record<ApiOperation['method'], OperationName>> = {
  get: 'selectAll',
  post: 'insert',
  put: 'update',
}
const item: Partial<Record<ApiOperation['method'], OperationName>> = { get: 'select', delete: 'delete' }

/** Independent of the spelling. */
function keyOf(text: string): string {
  const operation = parseExclusion(text)
  return foldName(operation ? exclusionOf(operation) : text)
}
