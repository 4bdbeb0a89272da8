import { resolveModel } from '@cadmus/model/resolved-model'
import type { ManifestPaths } from '@cadmus/model/contract/manifest'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { scopesOf, usedScopes } from '@cadmus/model/rules/scopes'
import type { Store } from '../store/database.ts'
import { scopesOfEntities } from '../store/entity-scopes.ts'
import { modelAt } from './model-at.ts'
import type { ModelPlace } from './tasks.ts'

/** Returns the entities with operations in the manifest's API, and the scopes they require. */
export async function pathsOf(store: Store, place: ModelPlace): Promise<ManifestPaths> {
  const { root, source } = await modelAt(store, place)
  const { entities: members } = resolveModel(root, source)
  const lookup = (id: number) => source.entities.get(id)
  const { organisationId } = place
  const ids = members.map(({ id }) => id)
  const scoped = await scopesOfEntities(store.of(organisationId), organisationId, ids)
  const scopes = new Map(scoped.map(one => [one.id, one.operationScopes]))
  const entities = members.map(entity => {
    const key = resolvedAttributes(entity, lookup).find(attribute => attribute.isPrimaryKey)
    const operationScopes = scopes.get(entity.id)
    const hasScopes = operationScopes !== undefined && scopesOf({ operationScopes }).length > 0
    return {
      id: entity.id,
      name: entity.name,
      path: entity.path,
      primaryKey: key?.name ?? null,
      ...(hasScopes ? { operationScopes } : {}),
    }
  })
  return { entities, scopes: [...usedScopes({ globalScopes: [], entities: scoped })] }
}
