import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NameConflictStepAnswer } from '@cadmus/model/contract/manifest'
import { mayEditEntity, mayEditManifest, mayRemoveMember } from '@cadmus/model/locks'
import { auditTexts } from '@cadmus/model/messages/audit'
import { nameConflictTexts } from '@cadmus/model/messages/validation'
import { conflict } from '../../errors/api-error.ts'
import { inBatches } from '../../store/statements.ts'
import type { Tx } from '../../store/database.ts'
import { lockEntities } from '../../store/entity-delete.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entityById, entityRowsByIds, type EntityRow } from '../../store/entity.ts'
import { removeMembers } from '../../store/manifest-members.ts'
import { lockManifestNames, manifestContent } from '../../store/manifest.ts'
import { manifestChanged, named } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { entityState, requireAllowed } from '../entity/entity-state.ts'
import { placesInContent } from '../entity/invalid-entity.ts'
import { removeEntities } from '../entity/delete-entity.ts'
import { storeContent } from '../entity/store-content.ts'
import { lockedManifest } from './manifest-permission.ts'

const slice = 25

/**
 * Applies the steps of a plan under one change id: few in one transaction, many in short ones that let other requests
 * pass. Each step is valid by itself: if a later one finds a different state, the previous steps are kept and the
 * remaining ones are refused.
 */
export async function resolveNameConflicts(
  change: Change,
  manifestId: number,
  steps: readonly NameConflictStepAnswer[],
): Promise<void> {
  const changeId = await change.store.ids.one()
  for (const part of inBatches(steps, slice)) {
    await transact(
      change,
      2 * part.length,
      async (tx, work) => {
        // Locked before anything is read, against concurrent renames, additions and deletions.
        await lockManifestNames(tx, change.organisationId)
        await lockedManifest(tx, change.organisationId, manifestId, mayEditManifest)
        for (const step of part) if (step.action === 'rename') await rename(tx, change, work, step)
        await leaveOut(tx, change, work, part)
      },
      changeId,
    )
    await nextTurn()
  }
}

async function rename(
  tx: Tx,
  change: Change,
  work: Work,
  { entity: { id, name }, name: newName }: NameConflictStepAnswer,
) {
  const { organisationId } = change
  const entity = await entityById(tx, organisationId, id)
  if (entity?.content.name !== name || newName === undefined) throw conflict(nameConflictTexts.changed)
  requireAllowed(mayEditEntity(entityState(entity)))
  const content = refreshed(entity.content, await referenceLookup(tx, organisationId, [entity.content]))
  const next = { ...content, name: newName }
  await storeContent(tx, change, work, { current: { ...entity, content }, next, places: placesInContent })
}

/** Removes the entities from the manifests of the plan, and deletes those owned by such a manifest. */
async function leaveOut(tx: Tx, change: Change, work: Work, steps: readonly NameConflictStepAnswer[]): Promise<void> {
  const leaving = steps.filter(({ action }) => action === 'leaveOut')
  const ids = leaving.map(({ entity }) => entity.id)
  // Waits for running saves of these entities and their versions.
  await lockEntities(tx, change.store, change.organisationId, ids)
  const rows = await entityRowsByIds(tx, change.organisationId, ids)
  const present = leaving.map(step => ({ ...step, row: presentRow(rows, step) }))
  await deleteOwned(
    tx,
    change,
    work,
    present.filter(({ deletes }) => deletes).map(({ row }) => row),
  )
  const inPlace = present
    .filter(({ deletes }) => !deletes)
    .flatMap(({ row, from = [] }) => from.map(({ id }) => ({ manifestId: id, row })))
  for (const [manifestId, members] of Map.groupBy(inPlace, item => item.manifestId))
    await takeOut(
      tx,
      change,
      work,
      manifestId,
      members.map(({ row }) => row),
    )
}

async function deleteOwned(tx: Tx, change: Change, work: Work, rows: readonly EntityRow[]): Promise<void> {
  for (const [manifestId, entities] of Map.groupBy(rows, row => row.manifest_id)) {
    const manifest = await lockedManifest(tx, change.organisationId, manifestId, mayRemoveMember)
    const describe = ({ name }: { name: string }) => auditTexts.deletedForNameConflict(name, manifest.name)
    await removeEntities(tx, change, work, { entities, onReferences: 'keep', describe })
  }
}

async function takeOut(
  tx: Tx,
  change: Change,
  work: Work,
  manifestId: number,
  rows: readonly EntityRow[],
): Promise<void> {
  const manifest = await lockedManifest(tx, change.organisationId, manifestId, mayRemoveMember)
  const listed = new Set((await manifestContent(tx, manifest)).entities.map(({ id }) => id))
  if (rows.some(({ id }) => !listed.has(id))) throw conflict(nameConflictTexts.changed)
  const ids = rows.map(({ id }) => id)
  const changed = await removeMembers(tx, manifest, ids, change.actor)
  const names = named(rows.map(({ name }) => name))
  work.audit(manifestChanged(manifest, changed, auditTexts.left(names, manifest.name)))
}

function presentRow(rows: ReadonlyMap<number, EntityRow>, { entity }: NameConflictStepAnswer): EntityRow {
  const row = rows.get(entity.id)
  if (row?.name !== entity.name) throw conflict(nameConflictTexts.changed)
  return row
}
