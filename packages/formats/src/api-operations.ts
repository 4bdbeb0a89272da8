import type { Api, ApiAggregate, ApiEntity, ApiRelation } from '@cadmus/model/api/api'
import type { OperationName } from '@cadmus/model/entity'
import { FreeNames } from '@cadmus/model/free-names'
import { hashOf } from '@cadmus/sql/names'
import { entityOf, servedRelations } from './served-fields.ts'
import { apiNames, plainName, type EntityNames } from './api-names.ts'

export type DescribedOperation = {
  /** Identifier, unique case-insensitively, such as `SelectAllCustomer`. */
  readonly name: string
  readonly entity: ApiEntity
  readonly names: EntityNames
  /** Callers with scopes need one of these or a global one. */
  readonly scopes: readonly string[]
} & (
  | { readonly kind: OperationName }
  | { readonly kind: 'related'; readonly relation: ApiRelation; readonly other: ApiEntity }
  | { readonly kind: 'aggregate'; readonly aggregate: ApiAggregate }
)

const cache = new WeakMap<Api, readonly DescribedOperation[]>()
const cacheByEntity = new WeakMap<Api, ReadonlyMap<ApiEntity, readonly DescribedOperation[]>>()

/** All operations, by entity; deterministic. */
export function apiOperations(api: Api): readonly DescribedOperation[] {
  const before = cache.get(api)
  if (before) return before
  const names = apiNames(api)
  const free = new FreeNames({ join: '' })
  const all = api.entities.flatMap(entity => {
    const own = names.get(entity.name)
    return own ? operationsOf(api, entity, own, names) : []
  })
  const taken = new Map<DescribedOperation, string>()
  // Relations over several fields came later and leave others their names.
  for (const isLate of [false, true])
    for (const one of all) if (isLate === isOverSeveral(one)) taken.set(one, free.take(shortName(one.name)))
  const named = all.map(operation => ({ ...operation, name: taken.get(operation) ?? operation.name }))
  cache.set(api, named)
  return named
}

function isOverSeveral(operation: DescribedOperation): boolean {
  return operation.kind === 'related' && operation.relation.pairs.length > 1
}

/** The operations of one entity, including those on its related records. */
export function operationsOn(api: Api, entity: ApiEntity): readonly DescribedOperation[] {
  const before = cacheByEntity.get(api)
  const all = before ?? Map.groupBy(apiOperations(api), operation => operation.entity)
  if (!before) cacheByEntity.set(api, all)
  return all.get(entity) ?? []
}

function operationsOf(
  api: Api,
  entity: ApiEntity,
  names: EntityNames,
  all: ReadonlyMap<string, EntityNames>,
): DescribedOperation[] {
  return [
    ...plainOperations(entity, names),
    ...relatedOperations(api, entity, names, all),
    ...entity.aggregates.map((aggregate): DescribedOperation => ({
      name: `Aggregate${names.type}${capitalize(plainName(aggregate.name))}`,
      kind: 'aggregate',
      entity,
      names,
      aggregate,
      scopes: entity.operations.selectAll?.scopes ?? [],
    })),
  ]
}

const kinds: readonly OperationName[] = ['selectAll', 'insert', 'update', 'select', 'delete']

function plainOperations(entity: ApiEntity, names: EntityNames): DescribedOperation[] {
  return kinds.flatMap((kind): DescribedOperation[] => {
    const operation = entity.operations[kind]
    return operation
      ? [{ name: `${capitalize(kind)}${names.type}`, kind, entity, names, scopes: operation.scopes }]
      : []
  })
}

function relatedOperations(
  api: Api,
  entity: ApiEntity,
  names: EntityNames,
  all: ReadonlyMap<string, EntityNames>,
): DescribedOperation[] {
  if (!entity.operations.select) return []
  return servedRelations(api, entity).flatMap((relation): DescribedOperation[] => {
    const other = entityOf(api, relation.entity)
    const otherNames = all.get(relation.entity)
    if (!other || !otherNames) return []
    const isMany = relation.kind === 'toMany'
    const scopes = other.operations[isMany ? 'selectAll' : 'select']?.scopes ?? []
    const name = `Select${isMany ? 'All' : ''}${otherNames.type}By${names.type}`
    return [{ name, kind: 'related', entity, names, relation, other, scopes }]
  })
}

/** File systems limit names to 255 bytes. Names derived from two long names are cut and get a hash of the whole. */
const maxNameLength = 200

function shortName(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 9)}_${hashOf(name)}`
}

export function capitalize(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}
