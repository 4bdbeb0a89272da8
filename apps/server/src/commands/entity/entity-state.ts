import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import { entityAnswerOf, keyOf, resolvedAnswerOf } from '@cadmus/model/entity-answer'
import { resolvedAttributes } from '@cadmus/model/inherit'
import type { EntityState, Verdict } from '@cadmus/model/locks'
import { isDefaultPath } from '@cadmus/model/paths'
import { highestFirst } from '@cadmus/model/version'
import { forbidden, notFound } from '../../errors/api-error.ts'
import type { Db } from '../../store/database.ts'
import { frozenVersionNumbers } from '../../store/entity-version.ts'
import { entityById, entityNode, type StoredEntity, withAncestors } from '../../store/entity.ts'
import { manifestById } from '../../store/manifest.ts'

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

/** A state of an entity: its stored row, and the content of one of its versions. */
type ShownState = { latest: StoredEntity; content: EntityContent; version: string }

export async function answerOfState(
  db: Db,
  organisationId: number,
  { latest, content, version: shown }: ShownState,
  { withResolved, withKey }: { withResolved: boolean; withKey: boolean },
): Promise<EntityAnswer> {
  const frozen = await frozenVersionNumbers(db, latest.organisation_id, latest.id)
  const manifest = latest.manifest_id > 0 ? await manifestById(db, organisationId, latest.manifest_id) : undefined
  const place = {
    id: latest.id,
    path: latest.path,
    isDefault: isDefaultEntity(latest),
    targetManifest: manifest ? { id: manifest.id, name: manifest.name } : null,
    versions: highestFirst([...frozen, latest.latest_version], version => version),
    latestVersion: latest.latest_version,
    currentVersion: shown,
  }
  const entity = entityAnswerOf(content, place)
  // A subtype without a key of its own has the inherited one.
  const isOpen = withKey && entity.primaryKey === null && content.extendsEntity !== null
  if (!withResolved && !isOpen) return entity
  const resolved = await resolvedList(db, organisationId, { ...latest, content })
  const primaryKey = entity.primaryKey ?? keyOf(resolved)
  return { ...entity, primaryKey, ...(withResolved ? { resolvedAttributes: resolved } : {}) }
}

async function resolvedList(db: Db, organisationId: number, shown: StoredEntity) {
  const family = await withAncestors(db, organisationId, [shown])
  return resolvedAnswerOf(resolvedAttributes(entityNode(shown), id => family.get(id)))
}

/** Whether the entity is predefined. */
export function isDefaultEntity(entity: Pick<StoredEntity, 'organisation_id' | 'path'>): boolean {
  return entity.organisation_id === 0 || isDefaultPath(entity.path)
}
