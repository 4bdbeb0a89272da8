import type { OnReferences } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import type { Tx } from '../../store/database.ts'
import { deleteEntityRows, membershipsOf } from '../../store/entity-delete.ts'
import type { EntityRow } from '../../store/entity.ts'
import { removeMembers } from '../../store/manifest-members.ts'
import { lockManifest } from '../../store/manifest.ts'
import { manifestChanged, named, tellOfEntity } from '../audit.ts'
import type { Change, Work } from '../change.ts'
import { detachReferences } from './detach-references.ts'

type Gone = Pick<EntityRow, 'id' | 'uid' | 'name' | 'path' | 'content_hash' | 'latest_version' | 'manifest_id'>

type Removal = {
  entities: readonly Gone[]
  /** A manifest that goes with them: its own list is not worth keeping in step. */
  withManifest?: number
  /** What becomes of relationships to them; without it nothing may refer to them. */
  onReferences: OnReferences | undefined
  describe: (entity: Gone) => string
}

/**
 * The one deletion of entities: what refers to them lets go, they leave every manifest that lists them, and go with their versions
 * and scopes. Hold the names of the organisation (`lockManifestNames`), so that nobody refers to them meanwhile, and their rows
 * (`lockEntities`) before they are read, so that nobody saves them or a version of them.
 */
export async function removeEntities(tx: Tx, change: Change, work: Work, removal: Removal): Promise<void> {
  const { entities, describe } = removal
  const { organisationId } = change
  const ids = entities.map(({ id }) => id)
  const memberships = await membershipsOf(tx, organisationId, ids)
  await letGo(tx, change, work, removal)
  const removed = await deleteEntityRows(tx, organisationId, ids)
  for (const entity of entities) {
    const members = { put: memberships.get(entity.id) ?? [], drop: [] }
    work.tell(
      tellOfEntity(entity, {
        action: 'DELETE',
        description: describe(entity),
        before: entity.content_hash,
        after: null,
        restoration: { ...removed.get(entity.id), members },
      }),
    )
  }
}

/** Whatever refers to the entities or lists them does so no longer, but for the manifest that goes with them. */
export async function letGo(
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
    const gone = named(leaving.flatMap(id => names.get(id) ?? []))
    work.tell(manifestChanged(manifest, changed, messages.audit.left(gone, manifest.name)))
  }
}
