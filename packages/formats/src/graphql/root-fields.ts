import type { Api, ApiAggregate, ApiEntity } from '@cadmus/model/api/api'
import type { OperationName } from '@cadmus/model/entity'
import { FreeNames } from '@cadmus/model/free-names'
import { apiNames, plainName, type EntityNames } from '../api-names.ts'
import { capitalize } from '../api-operations.ts'

export type RootField = {
  readonly name: string
  readonly entity: ApiEntity
  readonly names: EntityNames
} & ({ readonly kind: OperationName } | { readonly kind: 'aggregate'; readonly aggregate: ApiAggregate })

export type RootFields = { readonly query: readonly RootField[]; readonly mutation: readonly RootField[] }

/** The root fields of an API's schema. Related records are queried within records, not at the root. */
export function rootFields(api: Api): RootFields {
  const names = apiNames(api)
  const free = new FreeNames({ fold: name => name, join: '' })
  const query: RootField[] = []
  const mutation: RootField[] = []
  for (const entity of api.entities) {
    const own = names.get(entity.name)
    if (!own) continue
    for (const [kind, nameOf] of reads)
      if (entity.operations[kind]) query.push(field(kind, nameOf(own.type), entity, own))
    for (const [kind, nameOf] of changes)
      if (entity.operations[kind]) mutation.push(field(kind, nameOf(own.type), entity, own))
  }
  for (const { name } of query) free.take(name)
  for (const entity of api.entities) {
    const own = names.get(entity.name)
    if (!own) continue
    for (const aggregate of entity.aggregates) {
      const name = free.take(`${small(own.type)}${capitalize(plainName(aggregate.name))}Aggregate`)
      query.push({ name, kind: 'aggregate', entity, names: own, aggregate })
    }
  }
  return { query, mutation }
}

type Naming = readonly [kind: OperationName, nameOf: (type: string) => string]

const reads: readonly Naming[] = [
  ['select', small],
  ['selectAll', type => `${small(type)}List`],
]
const changes: readonly Naming[] = (['insert', 'update', 'delete'] as const).map(kind => [
  kind,
  type => `${kind}${capitalize(type)}`,
])

function field(kind: OperationName, name: string, entity: ApiEntity, names: EntityNames): RootField {
  return { name, kind, entity, names }
}

function small(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
}
