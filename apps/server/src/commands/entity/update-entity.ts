import { contentFromRequest } from '@cadmus/model/apply-request'
import type { EntityRequest } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { maySaveEntity } from '@cadmus/model/locks'
import { compareVersions, parseVersion } from '@cadmus/model/version'
import { notFound } from '../../errors/api-error.ts'
import type { Db } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { frozenVersion } from '../../store/entity-version.ts'
import type { StoredEntity } from '../../store/entity.ts'
import { type Change, transact, type Work } from '../change.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'
import { placesInRequest } from './invalid-entity.ts'
import { baseOf, mergedSave, type State } from './merge-save.ts'
import { storeFrozenScopes, storeOwnScopes } from './store-scopes.ts'
import { storeContent } from './store-content.ts'

export type Saved = { hash: string; version: string }

/** Saves an entity against the state that `ifMatch` names. Answers the new hash and which version it is of. */
export async function updateEntity(
  change: Change,
  id: number,
  request: EntityRequest,
  ifMatch: string,
): Promise<Saved> {
  return transact(change, 2, async (tx, work) => {
    const entity = await requireEntity(tx, change.organisationId, id)
    const version = await savedVersion(tx, change.organisationId, entity, request.version)
    const save = await prepare(tx, change, entity, version, request, ifMatch)
    const onlyScopes = isEqual({ ...save.mine, operationScopes: save.base.content.operationScopes }, save.base.content)
    requireAllowed(maySaveEntity(entityState(entity, version.number), { onlyScopes }))
    const next = await mergedSave(tx, change.organisationId, id, save)
    return { version: version.number, hash: await write(tx, change, work, { entity, version, request, next }) }
  })
}

/** A version of the entity: its content as stored under that number. */
type Version = State & { number: string }
type Save = { base: State; mine: EntityContent; current: State }

async function savedVersion(
  tx: Db,
  organisationId: number,
  entity: StoredEntity,
  wanted: string | undefined,
): Promise<Version> {
  const { latest_version: latest, content_hash: hash, content } = entity
  if (wanted === undefined || compareVersions(wanted, latest) === 0) return { number: latest, hash, content }
  const frozen = parseVersion(wanted) && (await frozenVersion(tx, organisationId, entity.id, wanted))
  if (!frozen) throw notFound('The version')
  return { number: frozen.version, hash: frozen.content_hash, content: frozen.content }
}

/** Base, present state and what the request makes of the base, all with references under the names of today. */
async function prepare(
  tx: Db,
  { organisationId }: Change,
  entity: StoredEntity,
  version: Version,
  request: EntityRequest,
  ifMatch: string,
): Promise<Save> {
  const base = await baseOf(tx, organisationId, ifMatch, version)
  const lookup = await referenceLookup(tx, organisationId, [base.content, version.content])
  const today = ({ hash, content }: State) => ({ hash, content: refreshed(content, lookup) })
  const [from, current] = [today(base), today(version)]
  return { base: from, current, mine: contentFromRequest(request, from.content) }
}

async function write(
  tx: Db,
  change: Change,
  work: Work,
  {
    entity,
    version,
    request,
    next,
  }: { entity: StoredEntity; version: Version; request: EntityRequest; next: EntityContent },
): Promise<string> {
  const { operationScopes } = next
  if (version.number !== entity.latest_version)
    return storeFrozenScopes(tx, change, work, { entity, version, operationScopes })
  if (entity.organisation_id !== change.organisationId)
    return storeOwnScopes(tx, change, work, { entity, operationScopes })
  const lookup = await referenceLookup(tx, change.organisationId, [entity.content])
  const current = { ...entity, content: refreshed(entity.content, lookup) }
  return storeContent(tx, change, work, { current, next, places: placesInRequest(request, next) })
}
