import type { OnReferences } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import type { Tx } from '../../store/database.ts'
import { deleteEntityRows, membershipsOf } from '../../store/entity-delete.ts'
import type { EntityRow } from '../../store/entity.ts'
import { removeMembers } from '../../store/manifest-members.ts'
import { lockManifest } from '../../store/manifest.ts'
import { manifestChanged, named, entityEntry } from '../audit.ts'
import type { Change, Work } from '../change.ts'
import { detachReferences } from './detach-references.ts'

type RemovedEntity = Pick<EntityRow, 'id' | 'uid' | 'name' | 'path' | 'content_hash' | 'latest_version' | 'manifest_id'>

type Removal = {
  entities: readonly RemovedEntity[]
  /** A manifest deleted together with the entities; its list of members need not be updated. */
  withManifest?: number
  /** Handling of relationships to the entities; undefined: none may exist. */
  onReferences: OnReferences | undefined
  describe: (entity: RemovedEntity) => string
}

/**
 * Deletes entities: detaches references to them, and removes them from all manifests with their versions and scopes. Requires the
 * organisation's name lock (`lockManifestNames`) against new references, and row locks (`lockEntities`), taken before the rows are read,
 * against saves.
 */
export async function removeEntities(tx: Tx, change: Change, work: Work, removal: Removal): Promise<void> {
  const { entities, describe } = removal
  const { organisationId } = change
  const ids = entities.map(({ id }) => id)
  const memberships = await membershipsOf(tx, organisationId, ids)
  await unlink(tx, change, work, removal)
  const removed = await deleteEntityRows(tx, organisationId, ids)
  for (const entity of entities) {
    const members = { put: memberships.get(entity.id) ?? [], drop: [] }
    work.audit(
      entityEntry(entity, {
        action: 'DELETE',
        description: describe(entity),
        before: entity.content_hash,
        after: null,
        restoration: { ...removed.get(entity.id), members },
      }),
    )
  }
}

/** Removes references to the entities and their places in manifests, except in the manifest deleted with them. */
export async function unlink(
  tx: Tx,
  change: Change,
  work: Work,
  { entities, withManifest, onReferences }: Removal,
): Promise<void> {
  const { organisationId } = change
  await detachReferences(tx, change, work, { targets: entities, withManifest, onReferences })
  const ids = entities.map(({ id }) => id)
  const listed = [...(await membershipsOf(tx, organisationId, ids, withManifest)).values()].flat()
  const names = new Map(entities.map(({ id, name }) => [id, name]))
  for (const [manifestId, rows] of Map.groupBy(listed, row => row.manifest_id)) {
    const manifest = await lockManifest(tx, organisationId, manifestId)
    if (!manifest) continue
    const leaving = rows.map(row => row.entity_id)
    const changed = await removeMembers(tx, manifest, leaving, change.actor)
    const removedNames = named(leaving.flatMap(id => names.get(id) ?? []))
    work.audit(manifestChanged(manifest, changed, messages.audit.left(removedNames, manifest.name)))
  }
}
