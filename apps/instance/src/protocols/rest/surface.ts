import type { Api, ApiAggregate, ApiEntity, ApiField, ApiRelation } from '@cadmus/model/api/api'
import type { Selection } from '@cadmus/model/api/operation'
import type { Admitted, Need } from '../../auth/admitted.ts'

/** An entity with lookups for its paths. */
export type RestEntity = {
  readonly entity: ApiEntity
  readonly fields: ReadonlyMap<string, ApiField>
  readonly relations: ReadonlyMap<string, ApiRelation>
  readonly aggregates: ReadonlyMap<string, ApiAggregate>
  /** The property of answers that holds the records, as JSON with its colon. */
  readonly property: string
  /** The default selections of lists and of single records, with joined records. */
  readonly listed: Selection
  readonly single: Selection
}

export type RestSurface = {
  readonly api: Api
  /** Entities by path segment. */
  readonly entities: ReadonlyMap<string, RestEntity>
  readonly byName: ReadonlyMap<string, RestEntity>
}

const surfaces = new WeakMap<Api, RestSurface>()

/** The result is cached by API. */
export function surfaceOf(api: Api): RestSurface {
  const cached = surfaces.get(api)
  if (cached) return cached
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

/** Operations excluded from the API are not available through joins either. */
function isJoined({ kind, entity }: ApiRelation, all: ReadonlyMap<string, ApiEntity>): boolean {
  const operations = all.get(entity)?.operations
  return (kind === 'toOne' ? operations?.select : operations?.selectAll) !== undefined
}

/** Frozen, so that the engine validates it once. */
function selectionOf(relations: readonly ApiRelation[]): Selection {
  return Object.freeze({
    fields: null,
    relations: relations.map(({ name }) => ({ name, select: { fields: null, relations: [] } })),
  })
}

/**
 * The selection for a caller: the requested fields, or all fields with those joined records that the caller may read.
 */
export function selectionFor(
  { api: { security } }: RestSurface,
  { relations: relationsByName }: RestEntity,
  whole: Selection,
  fields: readonly string[] | null,
  caller: Admitted,
): Selection {
  if (fields !== null) return { fields, relations: [] }
  if (!security.rbac) return whole
  const relations = whole.relations.filter(({ name }) => {
    const relation = relationsByName.get(name)
    return relation !== undefined && caller.may(permissionFor(relation.entity, relation.kind))
  })
  // Returns the shared selection, which is already validated.
  return relations.length === whole.relations.length ? whole : { fields: null, relations }
}

/** The permission for the records of a relation. */
export function permissionFor(entity: string, kind: 'toOne' | 'toMany'): Need {
  return { entity, operation: kind === 'toOne' ? 'select' : 'selectAll' }
}
