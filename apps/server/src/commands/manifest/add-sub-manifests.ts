import { mayEditManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { subManifest } from '@cadmus/model/rules/sub-manifest'
import { invalid, notFound } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import { lockManifestNames, manifestContent, manifestsByIds, type ManifestRow } from '../../store/manifest.ts'
import { appendSubManifests } from '../../store/manifest-members.ts'
import { manifestsAbove } from '../../store/referring-manifests.ts'
import { manifestChanged, named } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { lockedManifest } from './manifest-permission.ts'

/** Adds sub-manifests, all or none. */
export async function addSubManifests(change: Change, manifestId: number, subIds: readonly number[]): Promise<void> {
  await transact(change, 1, (tx, work) => addSubManifestsWithin(tx, change, work, { manifestId, subIds }))
}

export async function addSubManifestsWithin(
  tx: Tx,
  change: Change,
  work: Work,
  { manifestId, subIds }: { manifestId: number; subIds: readonly number[] },
): Promise<void> {
  const { organisationId } = change
  // Serialised per organisation: two valid additions could close a cycle together.
  await lockManifestNames(tx, organisationId)
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
  const subs = await requireManifests(tx, organisationId, subIds)
  await refuseCycles(tx, organisationId, manifest, subs)
  const added = subs.map(sub => ({ id: sub.id, organisationId: sub.organisation_id }))
  const changed = await appendSubManifests(tx, manifest, added, change.actor)
  const names = named(subs.map(sub => sub.name))
  work.audit(manifestChanged(manifest, changed, messages.audit.subManifestsAdded(names, manifest.name)))
}

/** Manifests by id in order; 404 for the first missing one. */
export async function requireManifests(
  db: Db,
  organisationId: number,
  manifestIds: readonly number[],
): Promise<ManifestRow[]> {
  const rows = new Map((await manifestsByIds(db, organisationId, [...new Set(manifestIds)])).map(row => [row.id, row]))
  return manifestIds.map(id => {
    const row = rows.get(id)
    if (row === undefined || row.hidden === 1) throw notFound(`The manifest ${id}`)
    return row
  })
}

async function refuseCycles(
  tx: Tx,
  organisationId: number,
  manifest: ManifestRow,
  subs: readonly ManifestRow[],
): Promise<void> {
  // One walk upwards, because walking down from each of them may visit far more.
  const above = new Set((await manifestsAbove(tx, organisationId, [manifest.id])).map(({ id }) => id))
  const listed = new Set((await manifestContent(tx, manifest)).subManifests)
  for (const sub of subs) {
    const problem = subManifest(sub, { parent: manifest, listed, above })
    if (problem !== undefined) throw invalid(problem, [{ path: 'submanifests', message: problem }])
    listed.add(sub.id)
  }
}
