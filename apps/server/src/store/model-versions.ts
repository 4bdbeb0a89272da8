import { compareVersions } from '@cadmus/model/version'
import { inBatches } from './statements.ts'
import type { Db } from './database.ts'
import type { ManifestSnapshot } from './manifest-snapshot.ts'

/** Version numbers by id, and the manifests that have a configuration. */
export type ModelVersions = {
  versions: { manifests: ReadonlyMap<number, string>; entities: ReadonlyMap<number, string> }
  configured: ReadonlySet<number>
}

const batch = 500

export async function latestVersions(
  db: Db,
  organisationId: number,
  ids: { manifests: readonly number[]; entities: readonly number[] },
): Promise<ModelVersions> {
  const manifests = new Map<number, string>()
  const entities = new Map<number, string>()
  const configured = new Set<number>()
  for (const part of inBatches(ids.manifests, batch)) {
    const rows = await db
      .selectFrom('manifest')
      .select(['id', 'latest_version', 'configuration_hash'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('id', 'in', part)
      .execute()
    for (const { id, latest_version: version, configuration_hash: configuration } of rows) {
      manifests.set(id, version)
      if (configuration !== null) configured.add(id)
    }
  }
  for (const part of inBatches(ids.entities, batch)) {
    const rows = await db
      .selectFrom('entity')
      .select(['id', 'latest_version'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('id', 'in', part)
      .execute()
    for (const { id, latest_version: version } of rows) entities.set(id, version)
  }
  return { versions: { manifests, entities }, configured }
}

export function snapshotVersions({ manifests, entities }: ManifestSnapshot): ModelVersions {
  const numbers = (parts: readonly { id: number; version: string }[]) =>
    new Map(parts.map(({ id, version }) => [id, version]))
  return {
    versions: { manifests: numbers(manifests), entities: numbers(entities) },
    configured: new Set(manifests.flatMap(({ id, configuration }) => (configuration === null ? [] : [id]))),
  }
}

/** Returns the ids of those that have an earlier version than the given one. */
export async function withEarlierVersions(
  db: Db,
  organisationId: number,
  { manifests, entities }: ModelVersions['versions'],
): Promise<ReadonlySet<number>> {
  const result = new Set<number>()
  for (const part of inBatches([...manifests.keys()], batch)) {
    const rows = await db
      .selectFrom('manifest_version')
      .select(['manifest_id as id', 'version'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('manifest_id', 'in', part)
      .execute()
    for (const row of rows) if (isEarlier(row, manifests)) result.add(row.id)
  }
  for (const part of inBatches([...entities.keys()], batch)) {
    const rows = await db
      .selectFrom('entity_version')
      .select(['entity_id as id', 'version'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('entity_id', 'in', part)
      .execute()
    for (const row of rows) if (isEarlier(row, entities)) result.add(row.id)
  }
  return result
}

function isEarlier({ id, version }: { id: number; version: string }, here: ReadonlyMap<number, string>): boolean {
  return compareVersions(version, here.get(id) ?? version) < 0
}
