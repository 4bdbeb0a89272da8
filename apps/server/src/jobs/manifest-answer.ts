import { withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { isDefaultPath } from '@cadmus/model/paths'
import { highestFirst } from '@cadmus/model/version'
import type { Db, Store } from '../store/database.ts'
import { manifestContent, manifestsByIds, type ManifestRow } from '../store/manifest.ts'
import { configurationAsStored, configurationOf } from '../store/manifest-configuration.ts'
import { parentsOf } from '../store/manifest-list.ts'
import { memberParts, relationshipsOfManifest } from '../store/manifest-relationships.ts'
import { snapshotByHash, type ManifestSnapshot } from '../store/manifest-snapshot.ts'
import { frozenVersions, type ManifestVersionRow } from '../store/manifest-version.ts'
import { modelAt } from './model-at.ts'
import { relationshipsOf } from './relationships.ts'

type Place = { store: Store; organisationId: number }
type Parts = { id: number; name: string; path: string }

/** Returns a manifest in the wire format, in its latest state or a frozen version. */
export async function manifestAnswer(
  place: Place,
  row: ManifestRow,
  frozen: ManifestVersionRow | null = null,
): Promise<{ manifest: ManifestAnswer; etag: string }> {
  const { store, organisationId } = place
  const db = store.of(organisationId)
  const snapshot = frozen && (await snapshotByHash(db, organisationId, frozen.content_hash))
  const etag = snapshot?.manifests.find(part => part.id === row.id)?.hash ?? row.content_hash
  const stored = { organisation_id: row.organisation_id, content_hash: etag }
  const members = entityParts(db, organisationId, row, snapshot)
  // Independent reads run concurrently.
  const [content, relations, parents, versions, configuration] = await Promise.all([
    contentOf(db, organisationId, stored, { snapshot, members }),
    relationships(place, row, frozen, members),
    parentsOf(db, organisationId, row.id, { page: 0, limit: 1 }),
    versionsOf(db, row),
    shownConfiguration(db, row, snapshot),
  ])
  // An entity added between the two reads must appear in neither list.
  const listed = new Set(content.entityPaths.map(({ name }) => name))
  const manifest = {
    ...content,
    id: row.id,
    path: row.path,
    parentManifestId: parents.rows[0]?.id ?? -1,
    isDefault: isDefaultPath(row.path),
    versions,
    latestVersion: row.latest_version,
    currentVersion: frozen?.version ?? row.latest_version,
    relationships: relations.filter(({ fromEntity }) => listed.has(fromEntity)),
    configuration,
  }
  return { manifest, etag }
}

/** Returns the configuration without secrets, latest or frozen; the defaults if none was stored. */
async function shownConfiguration(db: Db, row: ManifestRow, snapshot: ManifestSnapshot | null): Promise<Configuration> {
  const frozen = snapshot?.manifests.find(part => part.id === row.id)
  if (!frozen) return withoutSecrets((await configurationOf(db, row)).configuration)
  const frozenState = { ...row, name: frozen.name, configuration_hash: frozen.configuration }
  return withoutSecrets(await configurationAsStored(db, frozenState))
}

async function versionsOf(db: Db, row: ManifestRow): Promise<string[]> {
  const frozen = await frozenVersions(db, row)
  return highestFirst([row.latest_version, ...frozen.map(({ version }) => version)], version => version)
}

async function entityParts(
  db: Db,
  organisationId: number,
  row: ManifestRow,
  snapshot: ManifestSnapshot | null,
): Promise<ReadonlyMap<number, Parts>> {
  if (snapshot) return new Map(snapshot.entities.map(part => [part.id, part]))
  return memberParts(db, organisationId, row)
}

/** The manifest's content, with the current names of members and sub-manifests. */
async function contentOf(
  db: Db,
  organisationId: number,
  stored: Parameters<typeof manifestContent>[1],
  frozenState: { snapshot: ManifestSnapshot | null; members: Promise<ReadonlyMap<number, Parts>> },
) {
  const { format: _format, importsPath: _imports, entities, subManifests, ...own } = await manifestContent(db, stored)
  const subs = await manifestParts(db, organisationId, subManifests, frozenState.snapshot)
  const members = await frozenState.members
  return {
    ...own,
    entityPaths: entities.flatMap(({ id, type }) => {
      const entity = members.get(id)
      return entity ? [{ id, name: entity.name, path: entity.path, type }] : []
    }),
    subManifestPaths: subManifests.flatMap(id => {
      const sub = subs.get(id)
      return sub ? [{ id, name: sub.name, path: sub.path }] : []
    }),
  }
}

async function manifestParts(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  snapshot: ManifestSnapshot | null,
): Promise<Map<number, Parts>> {
  const parts = snapshot?.manifests ?? (await manifestsByIds(db, organisationId, ids))
  return new Map(parts.map(part => [part.id, part]))
}

async function relationships(
  { store, organisationId }: Place,
  row: ManifestRow,
  frozen: ManifestVersionRow | null,
  members: Promise<ReadonlyMap<number, Parts>>,
): Promise<ManifestAnswer['relationships']> {
  if (frozen === null) return relationshipsOfManifest(store.of(organisationId), organisationId, row, members)
  // Relationships of a frozen version exist only in the contents, not in the tables.
  const place = { organisationId, manifestId: row.id, version: frozen.version }
  const { root, source } = await modelAt(store, place)
  const frozenState = root.entities.flatMap(({ id }) => source.entities.get(id) ?? [])
  return relationshipsOf(frozenState, id => source.entities.get(id)?.name)
}
