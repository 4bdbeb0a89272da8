import { entityDifferences } from '@cadmus/model/audit-differences'
import { limits } from '@cadmus/model/limits'
import { mayDeleteEntity } from '@cadmus/model/locks'
import { auditTexts } from '@cadmus/model/messages/audit'
import { restoreTexts } from '@cadmus/model/messages/history'
import { conflict } from '../../errors/api-error.ts'
import { creationsIn, type LoggedEntry } from '../../store/audit-of-target.ts'
import type { Tx } from '../../store/database.ts'
import { lockEntities } from '../../store/entity-delete.ts'
import { frozenVersionNumbers } from '../../store/entity-version.ts'
import { entityRowsByIds, type EntityRow } from '../../store/entity.ts'
import { removeEntities } from '../entity/delete-entity.ts'
import { entityState, requireAllowed, requireEntity } from '../entity/entity-state.ts'
import type { RestoredDocument, Restoring } from './restoring.ts'

/** Deletes the entity of a creation or import. 409 if it has been changed since. */
export async function undoCreation(restoring: Restoring): Promise<RestoredDocument> {
  const { tx, change, entry } = restoring
  const entity = await requireEntity(tx, change.organisationId, entry.target_id)
  requireAllowed(mayDeleteEntity(entityState(entity)))
  const removed = await removeCreated(restoring, [entry.target_id])
  if (removed.size === 0) throw conflict(restoreTexts.changedAndStays(entity.name))
  const { id, name, path, content } = entity
  return { document: { kind: 'entity', id, name, path }, differences: entityDifferences(content, null) }
}

/** Deletes entities that the change of the entry created, unless they have been changed since. Returns their ids. */
export async function removeCreated(
  { tx, change, work, entry, request }: Restoring,
  ids: readonly number[],
): Promise<Set<number>> {
  const { store, organisationId } = change
  if (ids.length > limits.undoneCreations) throw conflict(restoreTexts.tooManyAdded(limits.undoneCreations))
  await lockEntities(tx, store, organisationId, ids)
  const entities = await unchangedSince(tx, organisationId, entry, ids)
  const describe = ({ name }: { name: string }) => auditTexts.deleted(name)
  if (entities.length > 0)
    await removeEntities(tx, change, work, { entities, onReferences: request.onReferences, describe })
  return new Set(entities.map(({ id }) => id))
}

/** Those of the entities that the change of the entry created, without changes and versions since. */
export async function unchangedSince(
  tx: Tx,
  organisationId: number,
  { change_id: changeId }: LoggedEntry,
  ids: readonly number[],
): Promise<EntityRow[]> {
  const created = await creationsIn(tx, organisationId, changeId, ids)
  const entities: EntityRow[] = []
  for (const row of (await entityRowsByIds(tx, organisationId, [...created.keys()])).values()) {
    const isVersioned = (await frozenVersionNumbers(tx, organisationId, row.id)).length > 0
    if (row.content_hash === created.get(row.id) && !isVersioned) entities.push(row)
  }
  return entities
}
