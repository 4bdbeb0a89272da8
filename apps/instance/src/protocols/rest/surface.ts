import type { Api, ApiAggregate, ApiEntity, ApiField, ApiRelation } from '@cadmus/model/api/api'
import type { Selection } from '@cadmus/model/api/operation'

/** An entity as its paths ask for it. */
export type RestEntity = {
  readonly entity: ApiEntity
  readonly fields: ReadonlyMap<string, ApiField>
  readonly relations: ReadonlyMap<string, ApiRelation>
  readonly aggregates: ReadonlyMap<string, ApiAggregate>
  /** The property of answers that holds its records, as JSON text with its colon. */
  readonly property: string
  /** What is read where nobody asks for less, in lists and of one record: with joins and with everything that may be joined. */
  readonly listed: Selection
  readonly single: Selection
}

/** What an API serves over REST. */
export type RestSurface = {
  readonly api: Api
  /** By their segments. */
  readonly entities: ReadonlyMap<string, RestEntity>
  readonly byName: ReadonlyMap<string, RestEntity>
}

const surfaces = new WeakMap<Api, RestSurface>()

/** Made once for each API. */
export function surfaceOf(api: Api): RestSurface {
  const known = surfaces.get(api)
  if (known) return known
  const names = new Map(api.entities.map(entity => [entity.name, entity]))
  const entities = api.entities.map(entity => restEntity(api, entity, names))
  const surface = {
    api,
    entities: new Map(entities.map(one => [one.entity.segment, one])),
    byName: new Map(entities.map(one => [one.entity.name, one])),
  }
  surfaces.set(api, surface)
  return surface
}

function restEntity(api: Api, entity: ApiEntity, all: ReadonlyMap<string, ApiEntity>): RestEntity {
  const joined = api.options.join ? entity.relations.filter(relation => isJoined(relation, all)) : []
  return {
    entity,
    fields: new Map(entity.fields.map(field => [field.name, field])),
    relations: new Map(api.options.join ? entity.relations.map(relation => [relation.name, relation]) : []),
    aggregates: new Map(entity.aggregates.map(aggregate => [aggregate.name, aggregate])),
    property: `${JSON.stringify(entity.segment)}:`,
    listed: selectionOf(joined.filter(({ kind }) => kind === 'toOne')),
    single: selectionOf(joined),
  }
}

/** What is excluded is not answered by way of something else either. */
function isJoined({ kind, entity }: ApiRelation, all: ReadonlyMap<string, ApiEntity>): boolean {
  const operations = all.get(entity)?.operations
  return (kind === 'toOne' ? operations?.select : operations?.selectAll) !== undefined
}

/** Frozen: it is checked once for all who ask for it. */
function selectionOf(relations: readonly ApiRelation[]): Selection {
  return Object.freeze({
    fields: null,
    relations: relations.map(({ name }) => ({ name, select: { fields: null, relations: [] } })),
  })
}
