import {
  type Api,
  type ApiAggregate,
  type ApiEntity,
  type ApiEnumeration,
  type ApiField,
  type ApiFieldType,
  type ApiRelation,
  namespaceOf,
} from '@cadmus/model/api/api'
import { type PackageModel, sourceOfPackage } from '@cadmus/model/api/package-model'
import type { AggregateType, Configuration } from '@cadmus/model/configuration'
import type { EntityNode } from '@cadmus/model/entity'
import { valuesOf } from '@cadmus/model/enumeration'
import { isEqual } from '@cadmus/model/equal'
import type { OperationScopes } from '@cadmus/model/operations'
import { foldName } from '@cadmus/model/paths'
import { apiOperations, type Exclusions, exclusionsOf, unserved } from '@cadmus/model/required-scopes'
import { type ResolvedModel, resolveModel } from '@cadmus/model/resolved-model'
import { withColumns } from '@cadmus/model/conditions/types'
import { tablesOf } from './tables.ts'
import type { Column, ColumnType, ForeignKey, Table } from './tree.ts'

/**
 * The API of a package: one entity per table, with the model's names and order. Throws the errors of `tablesOf`, and a
 * RangeError if the model lacks its root manifest.
 */
export function apiOf(model: PackageModel): Api {
  const { configuration } = model
  const resolvedModel = resolvePackage(model)
  const { schema } = tablesOf(resolvedModel, configuration.configurationBuild.sqlConfiguration)
  const { apiConfiguration, sqlConfiguration, serviceConfiguration, apiScopeConfiguration } =
    configuration.configurationBuild
  return {
    name: model.package,
    namespace: namespaceOf(model.package),
    title: resolvedModel.root.name,
    description: resolvedModel.root.description,
    version: model.version,
    protocols: apiConfiguration.type,
    security: {
      kind: apiConfiguration.security,
      identityProvider: apiScopeConfiguration.identityProvider,
      rbac: apiScopeConfiguration.enableRbac,
      scopes: apiScopeConfiguration.scopeDefinitions,
      globalScopes: apiScopeConfiguration.globalScopes,
    },
    options: {
      coalesce: sqlConfiguration.applyCoalesce,
      limitOffset: sqlConfiguration.applyLimitOffset,
      join: sqlConfiguration.applyJoin,
      tenancy: serviceConfiguration.applyMultiTenancy,
      customFields: serviceConfiguration.applyCustomField,
    },
    entities: entitiesOf(schema.tables, resolvedModel, configuration),
  }
}

/** The root manifest of a package with its members. */
export function resolvePackage(model: PackageModel): ResolvedModel {
  const source = sourceOfPackage(model)
  const root = source.manifests.get(model.root)
  if (!root) throw new RangeError('The model of the package has no root manifest.')
  return resolveModel(root, source)
}

function entitiesOf(tables: readonly Table[], resolvedModel: ResolvedModel, configuration: Configuration): ApiEntity[] {
  const { apiConfiguration, serviceConfiguration, aggregateQueries } = configuration.configurationBuild
  const excluded = exclusionsOf(apiConfiguration.excludeOperations)
  const recorded = new Set(serviceConfiguration.applySot ? serviceConfiguration.sotEntities.map(foldName) : [])
  const enumerations = enumerationsOf(resolvedModel)
  const fields = new Map(tables.map(table => [table.name, fieldsOf(table, enumerations)]))
  const relations = relationsOf(tables)
  return tables.map(table => {
    const own = fields.get(table.name) ?? []
    const key = keyOf(table, own)
    const folded = foldName(table.name)
    const scopes = scopesOf(resolvedModel.byId.get(table.source.id))
    return {
      uid: table.source.uid,
      name: table.name,
      segment: table.name.toLowerCase(),
      description: table.comment,
      fields: own,
      key,
      uniqueTogether: table.uniques.flatMap(({ columns }) => (columns.length > 1 ? [columns] : [])),
      checks: (table.conditions ?? []).map(({ message, text, condition, columns }) => ({
        message,
        text,
        condition: withColumns(condition, ({ name, type, nullable }) => ({ name, type, nullable })),
        fields: columns,
      })),
      relations: relations.get(table.name) ?? [],
      // Exclusions name the first attribute of the key, whatever its order.
      operations: operationsOf(
        { name: table.name, scopes },
        own.find(field => key.includes(field)),
        excluded,
      ),
      aggregates: aggregateQueries
        .filter(({ entity }) => foldName(entity) === folded)
        .flatMap(query => aggregateOf(query, own) ?? []),
      history: recorded.has(folded),
    }
  })
}

/** The enumerations of attributes by their uids: those of the manifests, if the choices are their values. */
function enumerationsOf({ manifests, byId }: ResolvedModel): ReadonlyMap<string, ApiEnumeration> {
  const all = new Map(manifests.flatMap(({ enumerations }) => enumerations.map(one => [one.uid, one])))
  const attributes = [...byId.values()].flatMap(({ typeAttributes }) => typeAttributes)
  return new Map(
    attributes.flatMap(({ uid, enumeration, choices }) => {
      const own = enumeration && all.get(enumeration.uid)
      return own && isEqual(valuesOf(own), choices) ? [[uid, own]] : []
    }),
  )
}

function fieldsOf(table: Table, enumerations: ReadonlyMap<string, ApiEnumeration>): ApiField[] {
  const uniques = new Set(table.uniques.flatMap(({ columns }) => (columns.length === 1 ? columns : [])))
  if (table.primaryKey?.columns.length === 1) for (const name of table.primaryKey.columns) uniques.add(name)
  const choices = new Map(table.checks.map(({ column, values }) => [column, values]))
  const references = new Map(
    table.foreignKeys.filter(isSingle).flatMap(({ columns, references: { table: entity, columns: others } }) => {
      const [name = '', field = ''] = [columns[0], others[0]]
      return [[name, { entity, field }] as const]
    }),
  )
  return table.columns.map(column => ({
    uid: column.source.uid,
    name: column.name,
    description: column.comment,
    type: typeOf(column.type),
    nullable: column.nullable,
    generated: column.identity,
    default: column.default,
    maxLength: lengthOf(column),
    choices: choices.get(column.name) ?? [],
    enumeration: typeOf(column.type).kind === 'text' ? (enumerations.get(column.source.uid) ?? null) : null,
    unique: uniques.has(column.name),
    references: references.get(column.name) ?? null,
  }))
}

function lengthOf({ type }: Column): number | null {
  return type.kind === 'varchar' || type.kind === 'text' ? (type.length ?? null) : null
}

function typeOf(type: ColumnType): ApiFieldType {
  switch (type.kind) {
    case 'varchar':
    case 'text':
      return type.isFixed ? { kind: 'text', isFixed: true } : { kind: 'text' }
    case 'integer':
    case 'decimal':
    case 'double':
      return type
    case 'timestamp':
      return { kind: type.isLocal ? 'local' : 'timestamp' }
    default:
      return { kind: type.kind }
  }
}

function keyOf({ primaryKey }: Table, fields: readonly ApiField[]): readonly ApiField[] {
  return (primaryKey?.columns ?? []).flatMap(column => fields.find(({ name }) => name === column) ?? [])
}

function operationsOf(
  { name, scopes }: { name: string; scopes: OperationScopes | undefined },
  key: ApiField | undefined,
  excluded: Exclusions,
): ApiEntity['operations'] {
  const entity = { name, primaryKey: key?.name ?? null }
  const included = apiOperations.filter(operation => unserved(entity, operation, excluded) === null)
  return Object.fromEntries(included.map(one => [one, { scopes: scopes?.[`${one}OperationScopes`] ?? [] }]))
}

function scopesOf(entity: EntityNode | undefined): OperationScopes | undefined {
  return entity?.operationScopes
}

/** Resolves the query's field names; null if a field is missing or its type cannot be aggregated. */
function aggregateOf(
  query: Configuration['configurationBuild']['aggregateQueries'][number],
  fields: readonly ApiField[],
): ApiAggregate | null {
  const columns = query.columns.flatMap(({ field, type, alias }) => {
    const match = fields.find(({ name }) => foldName(name) === foldName(field))
    return match && isAggregatable(match.type, type) ? [{ field: match.name, type, alias }] : []
  })
  return columns.length === query.columns.length && columns.length > 0 ? { name: query.name, columns } : null
}

function isAggregatable({ kind }: ApiFieldType, type: AggregateType): boolean {
  if (type === 'COUNT') return true
  if (type === 'SUM' || type === 'AVG') return kind === 'integer' || kind === 'decimal' || kind === 'double'
  return kind !== 'json' && kind !== 'binary'
}

/**
 * The relations between records by their first table: to-one relations of the table's own foreign keys, then to-many
 * relations of foreign keys that refer to it, both in the order of the model.
 */
function relationsOf(tables: readonly Table[]): ReadonlyMap<string, readonly ApiRelation[]> {
  const drafts = new Map<string, RelationDraft[]>(tables.map(({ name }) => [name, []]))
  for (const { name, foreignKeys } of tables) {
    for (const key of foreignKeys) drafts.get(name)?.push(draftOf('toOne', key.references.table, key))
  }
  for (const { name, foreignKeys } of tables) {
    for (const key of foreignKeys) drafts.get(key.references.table)?.push(draftOf('toMany', name, key))
  }
  return new Map(tables.map(table => [table.name, namedRelations(drafts.get(table.name) ?? [], table)]))
}

function isSingle({ columns }: Pick<ForeignKey, 'columns'>): boolean {
  return columns.length === 1
}

/** A relation without its name, and its foreign key. */
type RelationDraft = Omit<ApiRelation, 'name'> & { key: string }

function draftOf(
  kind: RelationDraft['kind'],
  entity: string,
  { columns, references, source }: ForeignKey,
): RelationDraft {
  const pairs = columns.map((own, at) => {
    const other = references.columns[at] ?? ''
    return kind === 'toOne' ? { field: own, otherField: other } : { field: other, otherField: own }
  })
  const main = source.name.trim()
  return { kind, entity, key: columns.find(name => name === main) ?? columns[0] ?? '', pairs }
}

/** Relations over several fields came later: they are last and leave others their names, and the custom fields theirs. */
function namedRelations(drafts: readonly RelationDraft[], table: Table): ApiRelation[] {
  const usedNames = new Set(table.columns.map(({ name }) => foldName(name)))
  const single = withNames(
    drafts.filter(({ pairs }) => pairs.length === 1),
    usedNames,
  )
  const others = drafts.filter(({ pairs }) => pairs.length > 1)
  return others.length === 0 ? single : [...single, ...withNames(others, usedNames.add('customfields'))]
}

/**
 * Names each relation after its target entity. If that is ambiguous or the name of a field, the foreign key's name is
 * appended; if that is also taken, as for relations of an entity to itself, `Record` or `List` is inserted.
 */
function withNames(drafts: readonly RelationDraft[], usedNames: Set<string>): ApiRelation[] {
  const targetCounts = new Map<string, number>()
  for (const { entity } of drafts) targetCounts.set(camel(entity), (targetCounts.get(camel(entity)) ?? 0) + 1)
  return drafts.map(({ key, ...relation }) => {
    const plain = camel(relation.entity)
    const byKey = `${plain}By${pascal(key)}`
    const list = `${plain}${relation.kind === 'toOne' ? 'Record' : 'List'}By${pascal(key)}`
    const candidates = [...(targetCounts.get(plain) === 1 ? [plain] : []), byKey, list]
    const name = candidates.find(one => !usedNames.has(foldName(one))) ?? numbered(list, usedNames)
    usedNames.add(foldName(name))
    return { name, ...relation }
  })
}

function numbered(name: string, usedNames: ReadonlySet<string>): string {
  let number = 2
  while (usedNames.has(foldName(`${name}${number}`))) number += 1
  return `${name}${number}`
}

function camel(name: string): string {
  const whole = pascal(name)
  const [first = ''] = whole
  return `${first.toLowerCase()}${whole.slice(first.length)}`
}

/** The words of a name in Pascal case, without separators. */
function pascal(name: string): string {
  const words = name.slice(0, 200).match(/[\p{L}\p{N}\p{M}]+/gu) ?? ['Other']
  return words
    .map(word => {
      const [first = ''] = word
      return `${first.toUpperCase()}${word.slice(first.length)}`
    })
    .join('')
}
