import { configurationWarnings, needsEntities } from '../configuration-warnings.ts'
import type { AggregateQuery } from '../configuration.ts'
import type { EntityNode } from '../entity.ts'
import { type ApiOperation, defaultOperations, isSameOperation, parseExclusion } from '../operations.ts'
import { foldName } from '../paths.ts'
import type { Problem } from '../problem.ts'
import { scopesOf } from '../rules/scopes.ts'
import type { DataType } from '../type-attribute.ts'
import { error, type Subject, warning } from './subject.ts'
import { texts } from '../messages/validation.ts'

/** Settings of the configuration without the expected effect. */
export function configurationSettings(subject: Subject): Problem[] {
  const { configuration } = subject.options
  if (!configuration) return []
  const served = (needsEntities(configuration) ? subject.resolvedModel.entities : []).map(entity => ({
    name: entity.name,
    primaryKey: subject.attributesOf(entity).find(attribute => attribute.isPrimaryKey)?.name ?? null,
    operationScopes: entity.operationScopes,
  }))
  const path = subject.manifestPath(subject.resolvedModel.root)
  return configurationWarnings(configuration, served).map(({ code, message }) => warning(code, message, path))
}

/** Aggregate queries refer to existing entities and fields; SUM and AVG need numbers. */
export function aggregateQueries(subject: Subject): Problem[] {
  const queries = subject.options.configuration?.configurationBuild.aggregateQueries ?? []
  if (queries.length === 0) return []
  const byName = new Map(subject.resolvedModel.entities.map(entity => [foldName(entity.name), entity]))
  const path = subject.manifestPath(subject.resolvedModel.root)
  return queries.flatMap(query => {
    const entity = byName.get(foldName(query.entity))
    if (!entity)
      return [error('aggregateEntity', texts.aggregateEntity(query.name, query.entity), path, queryKey(query))]
    return columnMessages(query, entity, subject).map(([code, message, field]) =>
      error(code, message, path, queryKey(query, field)),
    )
  })
}

/** Identifies an aggregate query, or one of its columns, in a problem. */
export function queryKey({ entity, name }: AggregateQuery, field?: string): string {
  return JSON.stringify(field === undefined ? [entity, name] : [entity, name, field])
}

const numeric: readonly DataType[] = ['integer', 'double', 'float']

function columnMessages(
  query: AggregateQuery,
  entity: EntityNode,
  subject: Subject,
): [code: string, message: string, field: string][] {
  return query.columns.flatMap(({ field, type }): [string, string, string][] => {
    const attribute = subject.attributeOf(entity, field)
    if (!attribute) return [['aggregateField', texts.aggregateField(query.name, entity.name, field), field]]
    const isSum = type === 'SUM' || type === 'AVG'
    if (!isSum || numeric.includes(attribute.dataType)) return []
    return [['aggregateType', texts.aggregateType(query.name, type, attribute.name, attribute.dataType), field]]
  })
}

/** Excluded operations exist on an entity of the manifest. */
export function excludedOperations(subject: Subject): Problem[] {
  const excluded = subject.options.configuration?.configurationBuild.apiConfiguration.excludeOperations ?? []
  if (excluded.length === 0) return []
  const byName = new Map(subject.resolvedModel.entities.map(entity => [foldName(entity.name), entity]))
  const path = subject.manifestPath(subject.resolvedModel.root)
  const operations = new Map<number, readonly ApiOperation[]>()
  return excluded.flatMap(text => {
    const operation = parseExclusion(text)
    const entity = operation && byName.get(foldName(operation.entity))
    if (!entity) return [error('exclusion', texts.exclusion(text), path, text)]
    const available = operations.get(entity.id) ?? operationsOf(entity, subject)
    operations.set(entity.id, available)
    const exists = available.some(one => isSameOperation(one, operation))
    return exists ? [] : [error('exclusion', texts.exclusion(text), path, text)]
  })
}

function operationsOf(entity: EntityNode, subject: Subject): readonly ApiOperation[] {
  const key = subject.attributesOf(entity).find(attribute => attribute.isPrimaryKey)?.name ?? null
  return defaultOperations(entity.name, key)
}

/** Entities with recorded changes exist in the manifest. */
export function sotEntities(subject: Subject): Problem[] {
  const service = subject.options.configuration?.configurationBuild.serviceConfiguration
  if (!service?.applySot || service.sotEntities.length === 0) return []
  const names = new Set(subject.resolvedModel.entities.map(({ name }) => foldName(name)))
  const path = subject.manifestPath(subject.resolvedModel.root)
  const missing = service.sotEntities.filter(name => !names.has(foldName(name)))
  return missing.map(name => error('sotEntity', texts.sotEntity(name), path, name))
}

/** Used scopes are defined in the configuration; without a configuration no scope is defined. */
export function globalScopes(subject: Subject): Problem[] {
  const root = subject.manifestPath(subject.resolvedModel.root)
  const used = scopeConfiguration(subject)?.globalScopes ?? []
  return undefinedAmong(used, subject).map(scope => error('scope', texts.scope(scope), root, scope))
}

/** Scopes required by operations of entities are defined in the configuration. */
export function entityScopes(subject: Subject): Problem[] {
  return subject.resolvedModel.entities.flatMap(entity =>
    undefinedAmong(scopesOf(entity), subject).map(scope =>
      error('scope', texts.scope(scope), subject.pathOf(entity), scope),
    ),
  )
}

function undefinedAmong(used: readonly string[], { definedScopes }: Subject): string[] {
  return used.length === 0 ? [] : [...new Set(used)].filter(scope => !definedScopes.has(scope))
}

function scopeConfiguration({ options: { configuration } }: Subject) {
  return configuration?.configurationBuild.apiScopeConfiguration
}
