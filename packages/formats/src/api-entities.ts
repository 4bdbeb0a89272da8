import type { Api, ApiEntity } from '@cadmus/model/api/api'

const cache = new WeakMap<Api, ReadonlyMap<string, ApiEntity>>()

export function entityOf(api: Api, name: string | undefined): ApiEntity | undefined {
  if (name === undefined) return undefined
  const before = cache.get(api)
  if (before) return before.get(name)
  const entities = new Map(api.entities.map(entity => [entity.name, entity]))
  cache.set(api, entities)
  return entities.get(name)
}
