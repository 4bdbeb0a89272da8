import type { Tx } from '../../store/database.ts'
import { updateResolved } from '../../store/entity-reference.ts'
import { insertEntities, type NewEntity } from '../../store/entity.ts'
import type { Change, Work } from '../change.ts'
import { creations } from '../manifest/copies.ts'
import { resolveReferences } from './resolve-references.ts'
import { withPinnedEntities } from './pin-targets.ts'

/**
 * Inserts new entities in one transaction: resolves their target uids, writes audit entries, and resolves references waiting for them.
 * Requires the organisation's name lock.
 */
export async function insertMany(
  tx: Tx,
  change: Change,
  work: Work,
  entities: readonly NewEntity[],
  describe: (entity: NewEntity) => string,
): Promise<void> {
  const { organisationId, actor } = change
  const resolveNames = await withPinnedEntities(tx, organisationId, entities)
  const hashes = await insertEntities(tx, organisationId, resolveNames, actor)
  const ids = resolveNames.map(({ id }) => id)
  await updateResolved(tx, organisationId, ids)
  work.audit(...creations(resolveNames, hashes, describe))
  const arrived = resolveNames.map(({ id, path, content: { uid, name } }) => ({ id, uid, name, path }))
  await resolveReferences(tx, change, work, arrived)
}
