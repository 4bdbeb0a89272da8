import type { EntityReference } from '@cadmus/model/entity-attribute'
import { idBatch, rowsInBatches } from './statements.ts'
import type { Db } from './database.ts'
import { manifestsByIds, type ManifestRow } from './manifest.ts'
import type { Tables } from './tables.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

export type EntityPart = Pick<
  Tables['entity'],
  'id' | 'organisation_id' | 'name' | 'path' | 'content_hash' | 'extends_id' | 'latest_version'
>

/** The rows below a manifest, without contents: the scope of an export, validation or version. */
export type ResolvedRows = {
  /** The manifest first, then each sub-manifest once, by level. */
  manifests: readonly ManifestRow[]
  /** Members, their ancestors, the targets of all their relationships, and the targets' ancestors. */
  entities: readonly EntityPart[]
}

const partColumns = [
  'entity.id',
  'entity.organisation_id',
  'entity.name',
  'entity.path',
  'entity.content_hash',
  'entity.extends_id',
  'entity.latest_version',
] as const

/** Runs a fixed number of queries per level of sub-manifests and inheritance, whatever the size. */
export async function resolvedRows(db: Db, organisationId: number, root: ManifestRow): Promise<ResolvedRows> {
  const manifests = await manifestsBelow(db, organisationId, root)
  const members = await memberIds(db, organisationId, manifests)
  const entities = new Map<number, EntityPart>()
  await loadWithAncestors(db, organisationId, members, entities)
  const targets = await targetsOf(db, organisationId, [...entities.keys()])
  await loadWithAncestors(db, organisationId, targets, entities)
  return { manifests, entities: [...entities.values()] }
}

/** Returns the manifest and all its direct and indirect sub-manifests. */
export async function manifestsBelow(db: Db, organisationId: number, root: ManifestRow): Promise<ManifestRow[]> {
  return loadBelow(db, organisationId, [root])
}

/** Reads a manifest once even if several parents list it. */
async function loadBelow(db: Db, organisationId: number, roots: readonly ManifestRow[]): Promise<ManifestRow[]> {
  const manifests = new Map(roots.map(root => [root.id, root]))
  let level = [...manifests.keys()]
  while (level.length > 0) {
    const edges = await subManifestEdges(db, organisationId, level)
    const missing = new Set(edges.map(edge => edge.sub_manifest_id).filter(id => !manifests.has(id)))
    const result = await manifestsByIds(db, organisationId, [...missing])
    for (const row of result) manifests.set(row.id, row)
    level = result.map(row => row.id)
  }
  return [...manifests.values()]
}

/** Returns the names of all entities in the manifests and their sub-manifests. */
export async function resolvedNames(
  db: Db,
  organisationId: number,
  roots: readonly ManifestRow[],
): Promise<EntityReference[]> {
  const manifests = await loadBelow(db, organisationId, roots)
  const parts = await entityPartsByIds(db, organisationId, await memberIds(db, organisationId, manifests))
  return parts.map(({ id, name, path }) => ({ id, name, path }))
}

async function subManifestEdges(db: Db, organisationId: number, ids: readonly number[]) {
  return db
    .selectFrom('manifest_sub_manifest')
    .select(['manifest_id', 'sub_manifest_id'])
    .where('organisation_id', 'in', [organisationId, 0])
    .where('manifest_id', 'in', ids)
    .orderBy('position')
    .execute()
}

/** Returns the entities listed by the manifests, without duplicates. */
export async function memberIds(db: Db, organisationId: number, manifests: readonly ManifestRow[]): Promise<number[]> {
  const ids = manifests.map(({ id }) => id)
  const rows = await rowsInBatches(ids, idBatch, part =>
    db
      .selectFrom('manifest_member')
      .select('entity_id')
      .where('organisation_id', 'in', [organisationId, 0])
      .where('manifest_id', 'in', part)
      .execute(),
  )
  return [...new Set(rows.map(row => row.entity_id))]
}

async function loadWithAncestors(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  loaded: Map<number, EntityPart>,
): Promise<void> {
  let missing = ids.filter(id => !loaded.has(id))
  while (missing.length > 0) {
    const result = await entityPartsByIds(db, organisationId, missing)
    for (const row of result) loaded.set(row.id, row)
    const parents = new Set(result.map(row => row.extends_id))
    missing = [...parents].filter(id => id > 0 && !loaded.has(id))
  }
}

export async function entityPartsByIds(db: Db, organisationId: number, ids: readonly number[]): Promise<EntityPart[]> {
  return rowsInBatches(ids, idBatch, part =>
    db
      .selectFrom('entity')
      .select(partColumns)
      .where('organisation_id', 'in', [organisationId, 0])
      .where('id', 'in', part)
      .where('import_id', '=', 0)
      .where('manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
      .execute(),
  )
}

async function targetsOf(db: Db, organisationId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await rowsInBatches(ids, idBatch, part =>
    db
      .selectFrom('entity_reference')
      .select('to_id')
      .distinct()
      .where('organisation_id', 'in', [organisationId, 0])
      .where('from_id', 'in', part)
      .execute(),
  )
  return [...new Set(rows.map(row => row.to_id))].filter(id => id > 0)
}
