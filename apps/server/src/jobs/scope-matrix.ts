import { type Configuration, newConfiguration } from '@cadmus/model/configuration'
import type { ScopeMatrixAnswer } from '@cadmus/model/contract/scope-matrix'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { apiOperations } from '@cadmus/model/required-scopes'
import { type ModelSource, type ResolvedModel, resolveModel } from '@cadmus/model/resolved-model'
import type { ManifestNode } from '@cadmus/model/manifest'
import { limits } from '@cadmus/model/limits'
import type { Db } from '../store/database.ts'
import { membershipsOf } from '../store/entity-delete.ts'
import { parentsByManifest } from '../store/manifest-members.ts'
import { manifestsByIds } from '../store/manifest.ts'
import { yieldToEventLoop } from '../event-loop.ts'

type Model = { root: ManifestNode; source: ModelSource; configuration: Configuration | undefined }

/** Entities between two pauses. */
const batch = 500

/** The scopes of a manifest's operations, in the order of its entities. `others`: by entity, as `othersWith` reads them. */
export async function scopeMatrix(
  { root, source, configuration }: Model,
  version: string,
  others: ReadonlyMap<number, readonly string[]> = new Map(),
): Promise<ScopeMatrixAnswer> {
  const model = resolveModel(root, source)
  const { configurationBuild } = configuration ?? newConfiguration(root.name)
  const { apiConfiguration, apiScopeConfiguration } = configurationBuild
  const entities = await columnsOf(model)
  const { lists, operations } = operationsOf(model)
  const names = new DistinctLists()
  const shared = model.entities.map(({ id }) => names.placeOf(others.get(id) ?? []))
  return {
    version,
    manifests: model.manifests.map(({ id, name, path }) => ({ id, name, path })),
    entities: { ...entities, others: shared },
    others: names.lists,
    lists,
    operations,
    configuration: { apiConfiguration, apiScopeConfiguration },
  }
}

async function columnsOf({ root, manifests, entities, owner, byId }: ResolvedModel) {
  const places = new Map(manifests.map(({ id }, index) => [id, index]))
  const lookup = (id: number) => byId.get(id)
  const keys: (string | null)[] = []
  for (const [index, entity] of entities.entries()) {
    if (index % batch === batch - 1) await yieldToEventLoop()
    keys.push(resolvedAttributes(entity, lookup).find(attribute => attribute.isPrimaryKey)?.name ?? null)
  }
  return {
    ids: entities.map(({ id }) => id),
    uids: entities.map(({ uid }) => uid),
    names: entities.map(({ name }) => name),
    paths: entities.map(({ path }) => path),
    manifests: entities.map(({ id }) => places.get(owner.get(id) ?? root.id) ?? 0),
    keys,
  }
}

/** Lists of scopes are few, however many operations require them. */
function operationsOf({ entities }: ResolvedModel) {
  const scopes = new DistinctLists()
  const [selectAll, select, insert, update, remove] = apiOperations.map(operation =>
    entities.map(({ operationScopes }) => scopes.placeOf(operationScopes[`${operation}OperationScopes`])),
  )
  const operations = {
    selectAll: selectAll ?? [],
    select: select ?? [],
    insert: insert ?? [],
    update: update ?? [],
    delete: remove ?? [],
  }
  return { lists: scopes.lists, operations }
}

/** Lists of texts, each once; the first is empty. */
class DistinctLists {
  readonly lists: string[][] = [[]]
  readonly #places = new Map([['[]', 0]])

  placeOf(list: readonly string[]): number {
    const text = JSON.stringify(list)
    const place = this.#places.get(text) ?? this.lists.push([...list]) - 1
    this.#places.set(text, place)
    return place
  }
}

/** For each entity of a manifest the names of manifests outside that contain it themselves or by a sub-manifest, sorted. */
export async function othersWith(
  db: Db,
  organisationId: number,
  { root, source }: Pick<Model, 'root' | 'source'>,
): Promise<Map<number, string[]>> {
  const model = resolveModel(root, source)
  const own = new Set(model.manifests.map(({ id }) => id))
  const ids = model.entities.map(({ id }) => id)
  const members = await membershipsOf(db, organisationId, ids)
  const outside = await parentsOutside(db, organisationId, model, source)
  const others = new Map(
    ids.map(id => {
      const listing = (members.get(id) ?? []).map(row => row.manifest_id).filter(other => !own.has(other))
      return [id, new Set([...listing, ...(outside.get(model.owner.get(id) ?? root.id) ?? [])])]
    }),
  )
  const rows = await manifestsByIds(db, organisationId, [...new Set([...others.values()].flatMap(set => [...set]))])
  const names = new Map(rows.map(row => [row.id, row.name]))
  const namesOf = (all: ReadonlySet<number>) => [...all].flatMap(id => names.get(id) ?? []).toSorted()
  return new Map(Array.from(others, ([id, all]) => [id, namesOf(all).slice(0, limits.impact.manifests)]))
}

/** For each sub-manifest the manifests outside that have it, or one above it, as a sub-manifest. */
async function parentsOutside(
  db: Db,
  organisationId: number,
  { root, manifests }: ResolvedModel,
  source: ModelSource,
): Promise<Map<number, Set<number>>> {
  const own = new Set(manifests.map(({ id }) => id))
  const below = [...own].filter(id => id !== root.id)
  const parents = await parentsByManifest(db, organisationId, below)
  const outside = new Map<number, Set<number>>()
  const waiting = below.map(id => ({ id, ids: (parents.get(id) ?? []).filter(parent => !own.has(parent)) }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const known = outside.get(next.id) ?? new Set()
    const added = next.ids.filter(id => !known.has(id))
    if (added.length === 0) continue
    outside.set(next.id, new Set([...known, ...added]))
    // Sub-manifests are shared with their parents.
    for (const child of source.manifests.get(next.id)?.subManifests ?? [])
      if (child !== root.id) waiting.push({ id: child, ids: added })
  }
  return outside
}
