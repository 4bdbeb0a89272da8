import { applyManifestEdits, type ManifestEdit } from '@cadmus/model/edits/manifest-edits'
import type { ManifestContent } from '@cadmus/model/manifest'
import type { Actor, Restoration } from './audit.ts'
import { idBatch, inBatches } from './statements.ts'
import type { Db } from './database.ts'
import {
  addMembers,
  addSubManifestRows,
  manifestContent,
  type ManifestRow,
  manifestsByIds,
  type Member,
  removeMemberRows,
  setManifestContent,
  type SubManifest,
} from './manifest.ts'

/** The hashes before and after a change, its edits, and the restoration data of its rows, for the audit entry. */
type ContentChange = {
  before: string
  after: string
  content: ManifestContent
  edits: readonly ManifestEdit[]
  restoration: Restoration
}

type Locked = Pick<ManifestRow, 'id' | 'organisation_id' | 'content_hash'>

/** Appends members to a locked manifest: rows, content and counts. */
export async function appendMembers(
  tx: Db,
  manifest: Locked,
  members: readonly Member[],
  actor: Pick<Actor, 'userName'>,
): Promise<ContentChange> {
  return insertMembers(
    tx,
    manifest,
    members,
    { position: await nextPosition(tx, manifest, 'manifest_member'), before: null },
    actor,
  )
}

/** Adds a member that the manifest had at a position: there, if it is still free, or at the end. */
export async function returnMember(
  tx: Db,
  manifest: Locked,
  member: Member,
  position: number,
  actor: Pick<Actor, 'userName'>,
): Promise<ContentChange> {
  const next = await tx
    .selectFrom('manifest_member')
    .select(['entity_id', 'position'])
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .where('position', '>=', position)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  if (next?.position === position) return appendMembers(tx, manifest, [member], actor)
  return insertMembers(tx, manifest, [member], { position, before: next?.entity_id ?? null }, actor)
}

/** `before`: the member that follows them. */
async function insertMembers(
  tx: Db,
  manifest: Locked,
  members: readonly Member[],
  { position, before }: { position: number; before: number | null },
  actor: Pick<Actor, 'userName'>,
): Promise<ContentChange> {
  const content = await manifestContent(tx, manifest)
  await addMembers(tx, manifest.organisation_id, manifest.id, members, position)
  const added = members.map(({ entityId: id, type }) => ({ item: { id, type }, before }))
  const drop = members.map(({ entityId }) => ({ manifest_id: manifest.id, entity_id: entityId }))
  return store(tx, manifest, { content, edits: [{ kind: 'addMembers', added }] }, actor, { members: { put: [], drop } })
}

/** Removes members from a locked manifest: rows, content and counts. The entities themselves are kept. */
export async function removeMembers(
  tx: Db,
  manifest: Locked,
  entityIds: readonly number[],
  actor: Pick<Actor, 'userName'>,
): Promise<ContentChange> {
  const content = await manifestContent(tx, manifest)
  const put = await removeMemberRows(tx, manifest.organisation_id, manifest.id, entityIds)
  const edits: ManifestEdit[] = [{ kind: 'removeMembers', ids: [...entityIds] }]
  return store(tx, manifest, { content, edits }, actor, { members: { put, drop: [] } })
}

export async function appendSubManifests(
  tx: Db,
  manifest: Locked,
  added: readonly SubManifest[],
  actor: Pick<Actor, 'userName'>,
): Promise<ContentChange> {
  const content = await manifestContent(tx, manifest)
  const place = await nextPosition(tx, manifest, 'manifest_sub_manifest')
  await addSubManifestRows(tx, manifest.organisation_id, manifest.id, added, place)
  const items = added.map(({ id }) => ({ item: id, before: null }))
  const drop = added.map(({ id }) => ({ manifest_id: manifest.id, sub_manifest_id: id }))
  const edits: ManifestEdit[] = [{ kind: 'addSubManifests', added: items }]
  return store(tx, manifest, { content, edits }, actor, { subManifests: { put: [], drop } })
}

export async function removeSubManifest(
  tx: Db,
  manifest: Locked,
  subManifestId: number,
  actor: Pick<Actor, 'userName'>,
): Promise<ContentChange> {
  const content = await manifestContent(tx, manifest)
  const put = await tx
    .deleteFrom('manifest_sub_manifest')
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .where('sub_manifest_id', '=', subManifestId)
    .returningAll()
    .execute()
  const edits: ManifestEdit[] = [{ kind: 'removeSubManifests', ids: [subManifestId] }]
  return store(tx, manifest, { content, edits }, actor, { subManifests: { put, drop: [] } })
}

/** Returns the custom manifests that list the entity: its owner and those that reference it. */
export async function manifestsWithEntity(db: Db, organisationId: number, entityId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('manifest_member')
    .select('manifest_id')
    .where('organisation_id', '=', organisationId)
    .where('entity_id', '=', entityId)
    .orderBy('manifest_id')
    .execute()
  return rows.map(row => row.manifest_id)
}

async function store(
  tx: Db,
  manifest: Locked,
  { content: before, edits }: { content: ManifestContent; edits: readonly ManifestEdit[] },
  actor: Pick<Actor, 'userName'>,
  restoration: Restoration,
): Promise<ContentChange> {
  const content = applyManifestEdits(before, edits)
  const after = await setManifestContent(tx, manifest.organisation_id, manifest.id, content, actor)
  return { before: manifest.content_hash, after, content, edits, restoration }
}

async function nextPosition(
  tx: Db,
  manifest: Locked,
  table: 'manifest_member' | 'manifest_sub_manifest',
): Promise<number> {
  const row = await tx
    .selectFrom(table)
    .select(query => query.fn.max<number | null>('position').as('last'))
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .executeTakeFirst()
  return (row?.last ?? -1) + 1
}

/** Returns the custom manifests that list each of these as a sub-manifest. */
export async function parentsByManifest(
  db: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  const parents = new Map<number, number[]>()
  for (const part of inBatches(ids, idBatch)) {
    const rows = await db
      .selectFrom('manifest_sub_manifest')
      .select(['manifest_id', 'sub_manifest_id'])
      .where('organisation_id', '=', organisationId)
      .where('sub_manifest_id', 'in', part)
      .execute()
    for (const row of rows)
      parents.set(row.sub_manifest_id, [...(parents.get(row.sub_manifest_id) ?? []), row.manifest_id])
  }
  return parents
}

/** Returns these custom manifests and all their custom ancestors, whose configurations may name objects in them. */
export async function manifestsAbove(db: Db, organisationId: number, ids: readonly number[]): Promise<ManifestRow[]> {
  const existing = new Set<number>()
  let level = [...new Set(ids)]
  while (level.length > 0) {
    for (const id of level) existing.add(id)
    const parents = new Set([...(await parentsByManifest(db, organisationId, level)).values()].flat())
    level = [...parents.difference(existing)]
  }
  const rows = await manifestsByIds(db, organisationId, [...existing])
  return rows.filter(row => row.organisation_id === organisationId).toSorted((a, b) => a.id - b.id)
}

/** Enumerations that are looked for one by one. */
const mostSought = 20

/**
 * The entities of the manifest whose attributes may have one of the enumerations, found without reading their contents; more than a few
 * enumerations are not distinguished.
 */
export async function entitiesWithEnumerations(
  db: Db,
  organisationId: number,
  manifestId: number,
  uids: readonly string[],
): Promise<number[]> {
  // Characters that JSON or a pattern escapes are any.
  const named = uids.map(uid => `%"uid":"${uid.replaceAll(/[^A-Za-z0-9-]+/g, '%')}"%`)
  const patterns = named.length > mostSought ? ['%"enumeration":{%'] : named
  const rows = await db
    .selectFrom('entity')
    .innerJoin('content', join =>
      join
        .onRef('content.organisation_id', '=', 'entity.organisation_id')
        .onRef('content.hash', '=', 'entity.content_hash'),
    )
    .select('entity.id')
    .where('entity.organisation_id', '=', organisationId)
    .where('entity.manifest_id', '=', manifestId)
    .where(({ eb, or }) => or(patterns.map(pattern => eb('content.body', 'like', pattern))))
    .orderBy('entity.id')
    .execute()
  return rows.map(({ id }) => id)
}
