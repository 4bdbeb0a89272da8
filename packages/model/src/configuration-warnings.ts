import { takesApiScopes, type Configuration } from './configuration.ts'
import { openSum } from './messages/scopes.ts'
import { configurationWarningTexts as texts } from './messages/validation.ts'
import { type ApiOperation, exclusionLabel, type OperationScopes, parseExclusion } from './operations.ts'
import { foldName } from './paths.ts'
import {
  accessOf,
  apiOperations,
  countOpen,
  operationAddresses,
  type ServedEntity,
  settingsKind,
} from './required-scopes.ts'

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
  const { configurationBuild } = configuration
  if (!configurationBuild.apiScopeConfiguration.enableRbac || !takesApiScopes(configuration)) return null
  const access = accessOf(configurationBuild)
  const count = countOpen(entities, access)
  return count.open === 0 ? null : texts.unscoped(openSum({ ...count, settings: settingsKind(access) }))
}

function exclusionScoped(configuration: Configuration, entities: readonly ServedEntity[]): string | null {
  const { excludeOperations } = configuration.configurationBuild.apiConfiguration
  if (excludeOperations.length === 0) return null
  const labels = new Set(exclusionScopes(excludeOperations, entities).map(({ operation }) => exclusionLabel(operation)))
  return labels.size === 0 ? null : texts.exclusionScoped([...labels])
}

/** Excluded operations for which their entity requires scopes, with the field of those. */
export function exclusionScopes<E extends Omit<ServedEntity, 'primaryKey'>>(
  excludeOperations: readonly string[],
  entities: readonly E[],
) {
  const byName = new Map(entities.map(entity => [foldName(entity.name), entity]))
  return excludeOperations.flatMap(text => {
    const operation = parseExclusion(text)
    const entity = operation && byName.get(foldName(operation.entity))
    const field = operation && scopeFieldOf(operation)
    if (!operation || !entity || !field || (entity.operationScopes?.[field] ?? []).length === 0) return []
    return [{ entity, operation, field }]
  })
}

function scopeFieldOf({ key, method }: ApiOperation): keyof OperationScopes | undefined {
  const name = apiOperations.find(operation => {
    const address = operationAddresses[operation]
    return address.method === method && address.onItem === (key !== null)
  })
  return name && `${name}OperationScopes`
}
