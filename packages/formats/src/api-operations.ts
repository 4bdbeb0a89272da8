import type { Api, ApiAggregate, ApiEntity, ApiField, ApiRelation } from '@cadmus/model/api/api'
import type { OperationName } from '@cadmus/model/entity'
import { FreeNames } from '@cadmus/model/free-names'
import { hashOf } from '@cadmus/sql/names'
import { entityOf } from './api-entities.ts'
import { apiNames, plainName, type EntityNames } from './api-names.ts'
import { servedRelations } from './served-fields.ts'

/** One thing that can be asked of an API, under the name that it has in every description. */
export type DescribedOperation = {
  /** An identifier, unlike that of any other operation, whatever its case: `SelectAllCustomer`. */
  readonly name: string
  readonly entity: ApiEntity
  readonly names: EntityNames
  /** One of these, or a global one, is needed where callers have scopes. */
  readonly scopes: readonly string[]
} & (
  | { readonly kind: OperationName }
  | { readonly kind: 'related'; readonly key: ApiField; readonly relation: ApiRelation; readonly other: ApiEntity }
  | { readonly kind: 'aggregate'; readonly aggregate: ApiAggregate }
)

const known = new WeakMap<Api, readonly DescribedOperation[]>()
const knownByEntity = new WeakMap<Api, ReadonlyMap<ApiEntity, readonly DescribedOperation[]>>()

/** All of them, entity by entity; the same API gives the same ones. */
export function apiOperations(api: Api): readonly DescribedOperation[] {
  const before = known.get(api)
  if (before) return before
  const names = apiNames(api)
  const free = new FreeNames({ join: '' })
  const all = api.entities.flatMap(entity => {
    const own = names.get(entity.name)
    return own ? operationsOf(api, entity, own, names) : []
  })
  const named = all.map(operation => ({ ...operation, name: free.take(shortName(operation.name)) }))
  known.set(api, named)
  return named
}

/** Those of one entity, what is related to it among them. */
export function operationsOn(api: Api, entity: ApiEntity): readonly DescribedOperation[] {
  const before = knownByEntity.get(api)
  const all = before ?? Map.groupBy(apiOperations(api), operation => operation.entity)
  if (!before) knownByEntity.set(api, all)
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
      name: `Aggregate${names.type}${capital(plainName(aggregate.name))}`,
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
    return operation ? [{ name: `${capital(kind)}${names.type}`, kind, entity, names, scopes: operation.scopes }] : []
  })
}

function relatedOperations(
  api: Api,
  entity: ApiEntity,
  names: EntityNames,
  all: ReadonlyMap<string, EntityNames>,
): DescribedOperation[] {
  const { key } = entity
  if (!key || !entity.operations.select) return []
  return servedRelations(api, entity).flatMap((relation): DescribedOperation[] => {
    const other = entityOf(api, relation.entity)
    const otherNames = all.get(relation.entity)
    if (!other || !otherNames) return []
    const isMany = relation.kind === 'toMany'
    const scopes = other.operations[isMany ? 'selectAll' : 'select']?.scopes ?? []
    const name = `Select${isMany ? 'All' : ''}${otherNames.type}By${names.type}`
    return [{ name, kind: 'related', entity, names, key, relation, other, scopes }]
  })
}

/** No disk takes a file's name of more than 255 bytes: what is named after two long names is cut, with a hash of the whole. */
const longestName = 200

function shortName(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 9)}_${hashOf(name)}`
}

/** A name with a capital letter in front. */
export function capital(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}
