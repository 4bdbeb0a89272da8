import { sql } from 'kysely'
import { canonicalJson, manifestForm } from '@cadmus/model/content'
import { defaults } from '@cadmus/model/limits'
import type { ManifestContent, MemberType } from '@cadmus/model/manifest'
import { folderOf, foldName } from '@cadmus/model/paths'
import { manifestTexts } from '@cadmus/model/search/search-texts'
import { readStored } from '@cadmus/model/stored/stored-form'
import { highestFirst } from '@cadmus/model/version'
import type { Actor } from './audit.ts'
import { idBatch, inBatches, rowsInBatches } from './statements.ts'
import { contentByHash, type ImportMark, putContent, putContents } from './content.ts'
import type { Db } from './database.ts'
import { configurationTexts, searchParts } from './search-parts.ts'
import { deleteSearchTexts, insertSearchTexts, replaceSearchTexts } from './search-text.ts'
import type { Tables } from './tables.ts'

export type ManifestRow = Tables['manifest']

/** An entity in a manifest; `organisationId` is the entity's organisation (0 = library). */
export type Member = { entityId: number; organisationId: number; type: MemberType }
export type SubManifest = { id: number; organisationId: number }

/** A manifest about to be stored. The lists in its content are derived from `members` and `subManifests`. */
export type NewManifest = {
  id: number
  path: string
  content: ManifestContent
  members: readonly Member[]
  subManifests: readonly SubManifest[]
  configurationHash?: string | null
  version?: string
  corpusPath?: string | null
  importId?: number
}

const batch = 200

/** Returns a manifest of the organisation or the library, including hidden ones, excluding running imports. */
export async function manifestById(db: Db, organisationId: number, id: number): Promise<ManifestRow | undefined> {
  return db
    .selectFrom('manifest')
    .selectAll()
    .where('organisation_id', 'in', [organisationId, 0])
    .where('id', '=', id)
    .where('import_id', '=', 0)
    .executeTakeFirst()
}

/** Returns the organisation's manifest with this uid. */
export async function manifestByUid(db: Db, organisationId: number, uid: string): Promise<ManifestRow | undefined> {
  return db
    .selectFrom('manifest')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('uid', '=', uid)
    .executeTakeFirst()
}

/** Like `manifestById`, for several, unordered. */
export async function manifestsByIds(db: Db, organisationId: number, ids: readonly number[]): Promise<ManifestRow[]> {
  return rowsInBatches(ids, idBatch, part =>
    db
      .selectFrom('manifest')
      .selectAll()
      .where('organisation_id', 'in', [organisationId, 0])
      .where('id', 'in', part)
      .where('import_id', '=', 0)
      .execute(),
  )
}

/**
 * Locks the row of a custom manifest until the transaction ends. Every addition, rename or removal in a manifest locks it
 * first, which keeps names within it unique. Undefined if the organisation has no such manifest.
 */
export async function lockManifest(tx: Db, organisationId: number, id: number): Promise<ManifestRow | undefined> {
  return tx
    .updateTable('manifest')
    .set({ revision: sql<number>`revision + 1` })
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .where('import_id', '=', 0)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Locks the manifest names of an organisation until the transaction ends. Required before naming a manifest, because
 * names are unique per organisation.
 */
export async function lockManifestNames(tx: Db, organisationId: number): Promise<void> {
  await tx
    .updateTable('organisation')
    .set({ name: sql<string>`name` })
    .where('id', '=', organisationId)
    .execute()
}

/** Whether a custom manifest other than `exceptId` has the name, case-insensitively. */
export async function isManifestNameTaken(
  db: Db,
  organisationId: number,
  name: string,
  exceptId = -1,
): Promise<boolean> {
  const row = await db
    .selectFrom('manifest')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
    .where('name_folded', '=', foldName(name))
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export async function countManifests(db: Db, organisationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('manifest')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the manifest's current content. */
export async function manifestContent(
  db: Db,
  row: Pick<ManifestRow, 'organisation_id' | 'content_hash'>,
): Promise<ManifestContent> {
  const body = await contentByHash(db, row.organisation_id, row.content_hash)
  if (body === undefined) throw new Error('The content of a manifest is missing.')
  return readStored(manifestForm, JSON.parse(body))
}

/** Stores new manifests with members and sub-manifests. Returns their content hashes in the same order. */
export async function insertManifests(
  db: Db,
  organisationId: number,
  manifests: readonly NewManifest[],
  actor: Pick<Actor, 'userName'>,
  importMark?: ImportMark,
): Promise<string[]> {
  const contents = manifests.map(({ content, members, subManifests }) => ({
    ...content,
    entities: members.map(({ entityId: id, type }) => ({ id, type })),
    subManifests: subManifests.map(({ id }) => id),
  }))
  const hashes = await putContents(db, organisationId, contents.map(canonicalJson), importMark)
  const rows = manifests.map((manifest, index) => newRow(manifest, organisationId, hashes[index] ?? '', actor))
  for (const part of inBatches(rows, batch)) await db.insertInto('manifest').values(part).execute()
  for (const { id, members, subManifests } of manifests) {
    await addMembers(db, organisationId, id, members, 0)
    await addSubManifestRows(db, organisationId, id, subManifests, 0)
  }
  const texts = manifests.map(({ id, content }) => ({ id, parts: searchParts(manifestTexts(content)) }))
  await insertSearchTexts(db, organisationId, 'manifest', texts)
  for (const { id, configurationHash } of manifests) {
    if (configurationHash) await indexConfiguration(db, organisationId, id, configurationHash)
  }
  return hashes
}

function newRow(
  manifest: NewManifest,
  organisationId: number,
  contentHash: string,
  actor: Pick<Actor, 'userName'>,
): ManifestRow {
  const now = new Date().toISOString()
  return {
    organisation_id: organisationId,
    id: manifest.id,
    uid: manifest.content.uid,
    name: manifest.content.name,
    name_folded: foldName(manifest.content.name),
    path: manifest.path,
    folder: folderOf(manifest.path),
    content_hash: contentHash,
    configuration_hash: manifest.configurationHash ?? null,
    latest_version: manifest.version ?? defaults.version,
    entity_count: manifest.members.length,
    sub_manifest_count: manifest.subManifests.length,
    revision: 0,
    corpus_path: manifest.corpusPath ?? null,
    import_id: manifest.importId ?? 0,
    hidden: 0,
    created_at: now,
    updated_at: now,
    updated_by: actor.userName,
  }
}

/** Inserts only the member rows; `appendMembers` also updates the manifest's content and counts. */
export async function addMembers(
  db: Db,
  organisationId: number,
  manifestId: number,
  members: readonly Member[],
  firstPosition: number,
): Promise<void> {
  const rows = members.map((member, index) => ({
    organisation_id: organisationId,
    manifest_id: manifestId,
    entity_id: member.entityId,
    entity_organisation_id: member.organisationId,
    type: member.type,
    position: firstPosition + index,
  }))
  for (const part of inBatches(rows, batch)) await db.insertInto('manifest_member').values(part).execute()
}

export async function addSubManifestRows(
  db: Db,
  organisationId: number,
  manifestId: number,
  subManifests: readonly SubManifest[],
  firstPosition: number,
): Promise<void> {
  const rows = subManifests.map((sub, index) => ({
    organisation_id: organisationId,
    manifest_id: manifestId,
    sub_manifest_id: sub.id,
    sub_organisation_id: sub.organisationId,
    position: firstPosition + index,
  }))
  for (const part of inBatches(rows, batch)) await db.insertInto('manifest_sub_manifest').values(part).execute()
}

/** Deletes and returns only the member rows; `removeMembers` also updates the manifest's content and counts. */
export async function removeMemberRows(
  db: Db,
  organisationId: number,
  manifestId: number,
  entityIds: readonly number[],
): Promise<Tables['manifest_member'][]> {
  return rowsInBatches(entityIds, idBatch, part =>
    db
      .deleteFrom('manifest_member')
      .where('organisation_id', '=', organisationId)
      .where('manifest_id', '=', manifestId)
      .where('entity_id', 'in', part)
      .returningAll()
      .execute(),
  )
}

/** Sets the manifest's current content and counts. Returns the hash. */
export async function setManifestContent(
  tx: Db,
  organisationId: number,
  id: number,
  content: ManifestContent,
  actor: Pick<Actor, 'userName'>,
): Promise<string> {
  const hash = await putContent(tx, organisationId, canonicalJson(content))
  await update(tx, organisationId, id, {
    content_hash: hash,
    entity_count: content.entities.length,
    sub_manifest_count: content.subManifests.length,
    updated_at: new Date().toISOString(),
    updated_by: actor.userName,
  })
  await replaceSearchTexts(tx, organisationId, 'manifest', [{ id, texts: manifestTexts(content) }])
  return hash
}

export async function setManifestConfiguration(
  tx: Db,
  organisationId: number,
  id: number,
  configurationHash: string,
  actor: Pick<Actor, 'userName'>,
): Promise<void> {
  const updated = { updated_at: new Date().toISOString(), updated_by: actor.userName }
  await update(tx, organisationId, id, { configuration_hash: configurationHash, ...updated })
  await indexConfiguration(tx, organisationId, id, configurationHash)
}

async function indexConfiguration(tx: Db, organisationId: number, id: number, hash: string): Promise<void> {
  const body = await contentByHash(tx, organisationId, hash)
  const texts = body === undefined ? [] : configurationTexts(JSON.parse(body))
  await replaceSearchTexts(tx, organisationId, 'configuration', [{ id, texts }])
}

/** Removes the manifests and their configurations from the search index. */
export async function deleteManifestTexts(tx: Db, organisationId: number, ids: readonly number[]): Promise<void> {
  for (const kind of ['manifest', 'configuration'] as const) await deleteSearchTexts(tx, organisationId, kind, ids)
}

export async function setLatestVersion(tx: Db, organisationId: number, id: number, version: string): Promise<void> {
  await update(tx, organisationId, id, { latest_version: version })
}

async function update(tx: Db, organisationId: number, id: number, values: Partial<ManifestRow>): Promise<void> {
  await tx
    .updateTable('manifest')
    .set(values)
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

export type ManifestVersionRow = Tables['manifest_version']

/** Returns the frozen versions of a manifest, highest first, without the latest one. */
export async function frozenManifestVersions(
  db: Db,
  manifest: { id: number; organisation_id: number },
): Promise<ManifestVersionRow[]> {
  const rows = await db
    .selectFrom('manifest_version')
    .selectAll()
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .execute()
  return highestFirst(rows, row => row.version)
}

export async function insertManifestVersion(tx: Db, row: ManifestVersionRow): Promise<void> {
  await tx.insertInto('manifest_version').values(row).execute()
}

/** Returns the deleted row. */
export async function deleteManifestVersionRow(
  tx: Db,
  manifest: { id: number; organisation_id: number },
  version: string,
): Promise<ManifestVersionRow | undefined> {
  return tx
    .deleteFrom('manifest_version')
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Returns the folded names of entities owned or listed by these custom manifests, by manifest; 0: entities without
 * manifest.
 */
export async function namesInManifests(
  db: Db,
  organisationId: number,
  manifestIds: Iterable<number>,
): Promise<Map<number, Set<string>>> {
  const names = new Map(Array.from(manifestIds, id => [id, new Set<string>()]))
  for (const ids of inBatches([...names.keys()], idBatch)) {
    const owned = await db
      .selectFrom('entity')
      .select(['manifest_id as place', 'name_folded'])
      .where('organisation_id', '=', organisationId)
      .where('manifest_id', 'in', ids)
      .where('import_id', '=', 0)
      .execute()
    const listed = await db
      .selectFrom('manifest_member')
      .innerJoin('entity', 'entity.id', 'manifest_member.entity_id')
      .select(['manifest_member.manifest_id as place', 'entity.name_folded'])
      .where('manifest_member.organisation_id', '=', organisationId)
      .where('entity.organisation_id', 'in', [organisationId, 0])
      .where('manifest_member.manifest_id', 'in', ids)
      .execute()
    for (const { place, name_folded: name } of [...owned, ...listed]) names.get(place)?.add(name)
  }
  return names
}

/** Counts the manifests that are not sub-manifests, for the licence limit. */
export async function countTopManifests(db: Db, organisationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('manifest')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
    .where('id', 'not in', query =>
      query
        .selectFrom('manifest_sub_manifest')
        .select('sub_manifest_id')
        .where('organisation_id', '=', organisationId)
        .where('sub_organisation_id', '=', organisationId),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}
