import { manifestDifferences } from '@cadmus/model/audit-differences'
import { defaults, limits } from '@cadmus/model/limits'
import type { ManifestContent } from '@cadmus/model/manifest'
import { auditTexts } from '@cadmus/model/messages/audit'
import { restoreTexts } from '@cadmus/model/messages/history'
import { customManifestPath } from '@cadmus/model/paths'
import { conflict, invalid } from '../../errors/api-error.ts'
import { deletionsOf, type LoggedEntry } from '../../store/audit-of-target.ts'
import { entityRowsByIds } from '../../store/entity.ts'
import { insertFrozenViews } from '../../store/frozen-views.ts'
import { appendSubManifests } from '../../store/manifest-members.ts'
import {
  insertManifests,
  insertManifestVersion,
  isManifestNameTaken,
  lockManifest,
  manifestById,
  manifestByUid,
  manifestContent,
  manifestsByIds,
  type SubManifest,
} from '../../store/manifest.ts'
import { isPendingDeletion } from '../../store/pending-deletion.ts'
import { manifestChanged, manifestCreated } from '../audit.ts'
import { manifestState } from '../logged-states.ts'
import { checkManifestLimit } from '../manifest/manifest-permission.ts'
import { freeName, insertDeletedMembers, restoreReferrers } from './recreate-entity.ts'
import { namesIn } from './restore-manifest.ts'
import type { RestoredDocument, Restoring } from './restoring.ts'

/** Creates a deleted manifest anew, with its id and uid, its entities, lists, versions, shared views and configuration. */
export async function recreateManifest(restoring: Restoring): Promise<RestoredDocument> {
  const { tx, change, work, entry, report } = restoring
  const { organisationId, actor } = change
  const { target_id: id, restoration } = entry
  const stored = await storedContent(restoring)
  await checkIdentity(restoring, stored)
  const parents = await parentsOf(restoring)
  const name = await freeName(stored.name, limits.manifestName, candidate =>
    isManifestNameTaken(tx, organisationId, candidate),
  )
  if (name !== stored.name) report.missing.push(restoreTexts.renamed(stored.name, name))
  const { own, members } = await membersOf(restoring)
  const subManifests = await subManifestsOf(restoring)
  const { configuration_hash: configurationHash = null, latest_version: version } = restoration.manifest ?? {}
  const path = customManifestPath(name)
  const content = { ...stored, name }
  const manifest = { id, path, content, members, subManifests, configurationHash, version }
  const [created = ''] = await insertManifests(tx, organisationId, [manifest], actor)
  const thing = { id, path, name, latest_version: version ?? defaults.version }
  work.audit(manifestCreated(thing, created, auditTexts.restored(name)))
  for (const row of restoration.versions?.put ?? [])
    await insertManifestVersion(tx, { ...row, organisation_id: organisationId, manifest_id: id })
  await insertFrozenViews(tx, { organisationId, manifestId: id, actor }, restoration.views ?? [])
  await insertDeletedMembers(restoring, { id, name }, own)
  await returnToParents(restoring, parents, name)
  await restoreReferrers(restoring)
  const row = await manifestById(tx, organisationId, id)
  const after = row ? await manifestContent(tx, row) : content
  const differences = manifestDifferences(null, after, await namesIn(tx, organisationId, [after]))
  return { document: { kind: 'manifest', id, name, path }, differences }
}

async function storedContent({ tx, change, entry }: Restoring): Promise<ManifestContent> {
  const hash = entry.restoration.manifest?.content_hash ?? ''
  const content = await manifestState(tx, change.organisationId, hash)
  if (!content) throw conflict(restoreTexts.noState)
  return content
}

/** 409 while its entities are being deleted, and if another manifest has its uid, such as an import. */
async function checkIdentity({ tx, change, entry }: Restoring, { uid }: ManifestContent): Promise<void> {
  const { organisationId } = change
  if (await isPendingDeletion(tx, organisationId, entry.target_id)) throw conflict(restoreTexts.stillDeleting)
  const same = await manifestByUid(tx, organisationId, uid)
  if (same) throw conflict(restoreTexts.otherIdentity(same.name))
}

/** The manifests that listed it and still exist. Without one, it counts towards the licence. */
async function parentsOf({ tx, change, entry, request }: Restoring): Promise<number[]> {
  const { organisationId } = change
  const rows = entry.restoration.subManifests?.put ?? []
  const ids = rows.filter(row => row.sub_manifest_id === entry.target_id).map(row => row.manifest_id)
  const parents = await manifestsByIds(tx, organisationId, ids)
  const { licence } = request.rules
  if (parents.length === 0) await checkManifestLimit(tx, organisationId, { licence, requested: 1 })
  return parents.map(({ id }) => id)
}

/** The deletions of its own entities, in their order, and its members in place that still exist. */
async function membersOf({ tx, change, entry, report }: Restoring) {
  const { organisationId } = change
  const rows = (entry.restoration.members?.put ?? []).toSorted((a, b) => a.position - b.position)
  const ids = rows.map(row => row.entity_id)
  const existing = await entityRowsByIds(tx, organisationId, ids)
  const deleted = ids.filter(id => !existing.has(id))
  const deletions = new Map((await deletionsOf(tx, organisationId, deleted)).map(one => [one.target_id, one]))
  const own = deleted.flatMap(id => deletions.get(id) ?? []).filter(isOwnedBy(entry.target_id))
  const { restoredMembers: most } = limits
  if (own.length > most) throw invalid(restoreTexts.tooMany(most, own.length), [])
  const restored = new Set(own.map(one => one.target_id))
  for (const id of deleted.filter(one => !restored.has(one)))
    report.missing.push(restoreTexts.gone(deletions.get(id)?.name ?? String(id)))
  const members = rows
    .filter(row => existing.has(row.entity_id) || restored.has(row.entity_id))
    .map(row => ({
      entityId: row.entity_id,
      organisationId: row.entity_organisation_id,
      type: restored.has(row.entity_id) ? ('EXCLUSIVE' as const) : ('TEMPLATE' as const),
    }))
  return { own, members }
}

function isOwnedBy(manifestId: number): (deletion: LoggedEntry) => boolean {
  return ({ restoration }) => restoration.entity?.manifest_id === manifestId
}

async function subManifestsOf({ tx, change, entry, report }: Restoring): Promise<SubManifest[]> {
  const rows = (entry.restoration.subManifests?.put ?? []).filter(row => row.manifest_id === entry.target_id)
  const ids = rows.toSorted((a, b) => a.position - b.position).map(row => row.sub_manifest_id)
  const existing = new Map((await manifestsByIds(tx, change.organisationId, ids)).map(row => [row.id, row]))
  if (existing.size < new Set(ids).size) report.missing.push(restoreTexts.gone('A sub-manifest'))
  return ids.flatMap(id => existing.get(id) ?? []).map(row => ({ id: row.id, organisationId: row.organisation_id }))
}

async function returnToParents(
  { tx, change, work, report, entry }: Restoring,
  parents: readonly number[],
  name: string,
): Promise<void> {
  const { organisationId, actor } = change
  const { target_id: id } = entry
  for (const parentId of parents) {
    const parent = await lockManifest(tx, organisationId, parentId)
    if (!parent) continue
    const changed = await appendSubManifests(tx, parent, [{ id, organisationId }], actor)
    const description = auditTexts.subManifestsAdded(name, parent.name)
    work.audit(manifestChanged(parent, changed, description))
    report.others.push(description)
  }
}
