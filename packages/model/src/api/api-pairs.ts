import type { OperationName } from '../entity.ts'
import { requirementOf, scopesIn } from '../required-scopes.ts'
import type { Api, ApiEntity, ApiRelation } from './api.ts'

type Named = { readonly uid: string; readonly name: string }

/** The counterpart of each item by its former name: the item of that name, otherwise one of its uid with a new name. */
export function matchByIdentity<T extends Named>(before: readonly T[], after: readonly T[]): ReadonlyMap<string, T> {
  const byName = new Map(after.map(one => [one.name, one]))
  const knownNames = new Set(before.map(({ name }) => name))
  const byUid = new Map(after.filter(({ name }) => !knownNames.has(name)).map(one => [one.uid, one]))
  return new Map(
    before.flatMap(({ uid, name }) => {
      const same = byName.get(name) ?? byUid.get(uid)
      return same === undefined ? [] : [[name, same] as const]
    }),
  )
}

/** The name of an entity after the change; its former name if it was removed. */
export function nameNow(entity: string, entities: ReadonlyMap<string, ApiEntity>): string {
  return entities.get(entity)?.name ?? entity
}

/** The counterpart of a relation, by name or, as names derive from entity names, by its ends: their order does not matter. */
export function matchRelation(
  before: ApiRelation,
  { relations }: ApiEntity,
  entities: ReadonlyMap<string, ApiEntity>,
): { relation: ApiRelation; isSame: boolean } | undefined {
  const ends = fieldsOf(before)
  const isSame = (one: ApiRelation) =>
    one.kind === before.kind && one.entity === nameNow(before.entity, entities) && fieldsOf(one) === ends
  const relation = relations.find(one => one.name === before.name) ?? relations.find(isSame)
  return relation && { relation, isSame: isSame(relation) }
}

function fieldsOf({ pairs }: ApiRelation): string {
  return JSON.stringify(pairs.map(({ field }) => field).toSorted())
}

/** Alternative scopes, one of which is required; null: none required. */
export function scopesFor({ security }: Api, entity: ApiEntity, name: OperationName): readonly string[] | null {
  return scopesIn(requirementOf(security, entity.operations[name]?.scopes ?? []))
}
