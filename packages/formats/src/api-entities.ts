import type { Api, ApiEntity } from '@cadmus/model/api/api'

const known = new WeakMap<Api, ReadonlyMap<string, ApiEntity>>()

/** The entity of an API that is called so. */
export function entityOf(api: Api, name: string | undefined): ApiEntity | undefined {
  if (name === undefined) return undefined
  const before = known.get(api)
  if (before) return before.get(name)
  const entities = new Map(api.entities.map(entity => [entity.name, entity]))
  known.set(api, entities)
  return entities.get(name)
}
