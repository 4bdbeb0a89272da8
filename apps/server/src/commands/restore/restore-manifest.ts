import { manifestDifferences } from '@cadmus/model/audit-differences'
import { mayEditManifest } from '@cadmus/model/locks'
import type { ManifestContent } from '@cadmus/model/manifest'
import { three } from '@cadmus/model/merge/items'
import { mergeDataSteps, mergeEnumerations } from '@cadmus/model/merge/manifest-lists'
import { restoreTexts } from '@cadmus/model/messages/history'
import { ApiError, conflict } from '../../errors/api-error.ts'
import { deletionsOf } from '../../store/audit-of-target.ts'
import { pathsOfDeleted } from '../../store/audit-read.ts'
import type { Db } from '../../store/database.ts'
import { entityRowsByIds } from '../../store/entity.ts'
import { removeMembers } from '../../store/manifest-members.ts'
import { lockManifest, manifestContent, manifestsByIds } from '../../store/manifest.ts'
import { auditTexts } from '@cadmus/model/messages/audit'
import { manifestChanged } from '../audit.ts'
import { manifestState } from '../logged-states.ts'
import { lockedManifest } from '../manifest/manifest-permission.ts'
import { addInPlace, addSubManifestsWithin, removeSubManifestWithin } from '../manifest/members.ts'
import { renameManifest } from '../manifest/rename-manifest.ts'
import { saveLists } from '../manifest/save-lists.ts'
import { insertDeleted } from './recreate-entity.ts'
import type { RestoredDocument, Restoring } from './restoring.ts'
import { removeCreated } from './undo-creation.ts'

/** Gives a manifest the name, members and sub-manifests after the entry, or takes back what the entry changed. */
export async function restoreManifest(restoring: Restoring): Promise<RestoredDocument> {
  const { tx, change, work, entry } = restoring
  const { organisationId } = change
  const { target_id: manifestId } = entry
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
  const now = await manifestContent(tx, manifest)
  const target = await targetOf(restoring, now)
  if (target.name !== now.name)
    await renameManifest(tx, change, work, manifest, { name: target.name, base: now, content: now })
  await saveLists(tx, change, work, manifest, { base: now, mine: target })
  await restoreMembers(restoring, now, target)
  await restoreSubManifests(restoring, now, target)
  const row = await lockManifest(tx, organisationId, manifestId)
  const after = row ? await manifestContent(tx, row) : target
  const document = { kind: 'manifest' as const, id: manifestId, name: after.name, path: row?.path ?? manifest.path }
  return { document, differences: manifestDifferences(now, after, await namesIn(tx, organisationId, [now, after])) }
}

/** The requested name and lists. Undo changes only what the entry changed. */
async function targetOf(
  { tx, change, entry, request, report }: Restoring,
  now: ManifestContent,
): Promise<ManifestContent> {
  const after = await manifestState(tx, change.organisationId, entry.updated_hash)
  if (!after) throw conflict(restoreTexts.noState)
  if (request.kind === 'restore') return after
  const before = await manifestState(tx, change.organisationId, entry.original_hash)
  if (!before) throw conflict(restoreTexts.noState)
  const reverted = <T>(was: readonly T[], is: readonly T[], current: readonly T[], key: (item: T) => number) => {
    const [old, made] = [new Set(was.map(key)), new Set(is.map(key))]
    const present = new Set(current.map(key))
    const staying = current.filter(item => old.has(key(item)) || !made.has(key(item)))
    return [...staying, ...was.filter(item => !made.has(key(item)) && !present.has(key(item)))]
  }
  if (before.name !== after.name && now.name !== after.name)
    report.missing.push(restoreTexts.manifestNameSince(now.name))
  const lists = { base: after, mine: before, theirs: now }
  return {
    ...now,
    name: now.name === after.name ? before.name : now.name,
    entities: reverted(before.entities, after.entities, now.entities, ({ id }) => id),
    // What was changed since stays.
    enumerations: mergeEnumerations(three(lists, one => one.enumerations)).merged ?? now.enumerations,
    dataSteps: mergeDataSteps(three(lists, one => one.dataSteps)).merged ?? now.dataSteps,
    subManifests: reverted(before.subManifests, after.subManifests, now.subManifests, id => id),
  }
}

async function restoreMembers(restoring: Restoring, now: ManifestContent, target: ManifestContent): Promise<void> {
  const { tx, change, work, entry, report } = restoring
  const { organisationId, actor } = change
  const { target_id: manifestId } = entry
  const [present, requested] = [new Set(now.entities.map(({ id }) => id)), new Set(target.entities.map(({ id }) => id))]
  const missing = target.entities.filter(({ id }) => !present.has(id))
  const existing = await entityRowsByIds(tx, organisationId, [...present, ...requested])
  const extra = now.entities.filter(({ id }) => !requested.has(id))
  const own = (id: number) => existing.get(id)?.manifest_id === manifestId
  await leaveOwned(restoring, extra.map(({ id }) => id).filter(own), existing)
  const leaving = extra.filter(({ id }) => !own(id)).map(({ id }) => id)
  if (leaving.length > 0) {
    const manifest = await lockManifest(tx, organisationId, manifestId)
    const names = leaving.map(id => existing.get(id)?.name ?? String(id)).join(', ')
    if (manifest)
      work.audit(
        manifestChanged(
          manifest,
          await removeMembers(tx, manifest, leaving, actor),
          auditTexts.left(names, manifest.name),
        ),
      )
  }
  const deleted = missing.filter(({ id }) => !existing.has(id)).map(({ id }) => id)
  await restoreOwnEntities(restoring, deleted)
  for (const { id } of missing.filter(member => existing.has(member.id))) {
    const name = existing.get(id)?.name ?? String(id)
    try {
      if (change.isAdmin) await addInPlace(tx, change, work, { manifestId, entityIds: [id] })
      else report.missing.push(restoreTexts.adminOnly(name))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report.missing.push(restoreTexts.refused(name, error.message))
    }
  }
}

/** Deleted entities of other manifests return to those. */
async function restoreOwnEntities(restoring: Restoring, deleted: readonly number[]): Promise<void> {
  const { tx, change, entry, report } = restoring
  for (const deletion of await deletionsOf(tx, change.organisationId, deleted)) {
    if (deletion.restoration.entity?.manifest_id === entry.target_id) {
      const { content } = await insertDeleted(restoring, deletion)
      report.others.push(auditTexts.restored(content.name))
    } else report.missing.push(restoreTexts.gone(deletion.name))
  }
}

/** Own entities stay, except those that the undone change created. */
async function leaveOwned(
  restoring: Restoring,
  owned: readonly number[],
  existing: ReadonlyMap<number, { name: string }>,
): Promise<void> {
  const isUndo = restoring.request.kind === 'undo'
  const removed = isUndo ? await removeCreated(restoring, owned) : new Set<number>()
  const { stays, changedAndStays } = restoreTexts
  for (const id of owned.filter(one => !removed.has(one)))
    restoring.report.missing.push((isUndo ? changedAndStays : stays)(existing.get(id)?.name ?? String(id)))
}

async function restoreSubManifests(restoring: Restoring, now: ManifestContent, target: ManifestContent): Promise<void> {
  const { tx, change, work, entry, report, request } = restoring
  const { target_id: manifestId } = entry
  const { licence } = request.rules
  const [present, requested] = [new Set(now.subManifests), new Set(target.subManifests)]
  for (const subId of now.subManifests)
    if (!requested.has(subId)) await removeSubManifestWithin(tx, change, work, { manifestId, subId, licence })
  for (const subId of target.subManifests) {
    if (present.has(subId)) continue
    try {
      await addSubManifestsWithin(tx, change, work, { manifestId, subIds: [subId] })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report.missing.push(restoreTexts.subManifest(String(subId), error.message))
    }
  }
}

/** Paths of members by id, for comparisons; deleted ones have their last one. */
export async function namesIn(db: Db, organisationId: number, contents: readonly ManifestContent[]) {
  const ids = [...new Set(contents.flatMap(({ entities }) => entities.map(({ id }) => id)))]
  const subs = [...new Set(contents.flatMap(({ subManifests }) => subManifests))]
  const entities = await entityRowsByIds(db, organisationId, ids)
  const manifests = await manifestsByIds(db, organisationId, subs)
  const pathsOf = async (
    kind: 'ENTITY' | 'MANIFEST',
    all: readonly number[],
    rows: readonly { id: number; path: string }[],
  ) => {
    const existing = new Map(rows.map(({ id, path }) => [id, path]))
    const deleted = all.filter(id => !existing.has(id))
    return new Map([...existing, ...(await pathsOfDeleted(db, organisationId, kind, deleted))])
  }
  return {
    entities: await pathsOf('ENTITY', ids, [...entities.values()]),
    manifests: await pathsOf('MANIFEST', subs, manifests),
  }
}
