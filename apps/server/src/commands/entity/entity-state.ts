import type { EntityState, Verdict } from '@cadmus/model/locks'
import { isDefaultPath } from '@cadmus/model/paths'
import { forbidden, notFound } from '../../errors/api-error.ts'
import type { Db } from '../../store/database.ts'
import { entityById, type StoredEntity } from '../../store/entity.ts'

/** The entity; 404 if it is missing or belongs to another organisation. */
export async function requireEntity(db: Db, organisationId: number, id: number): Promise<StoredEntity> {
  const entity = await entityById(db, organisationId, id)
  if (!entity) throw notFound('The entity')
  return entity
}

/** Lock state of an entity in the given version. */
export function entityState(entity: StoredEntity, version = entity.latest_version): EntityState {
  return {
    isDefault: entity.organisation_id === 0 || isDefaultPath(entity.path),
    type: entity.content.type,
    currentVersion: version,
    latestVersion: entity.latest_version,
  }
}

/** 403 with the lock's reason. */
export function requireAllowed(verdict: Verdict): void {
  if (!verdict.allowed) throw forbidden(verdict.reason, 'locked')
}
