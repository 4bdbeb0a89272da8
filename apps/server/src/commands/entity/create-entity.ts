import { changedInAnswers, contentFromRequest, withAutomaticKey } from '@cadmus/model/apply-request'
import type { EntityRequest } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { keysAbove, withoutSecondKey } from '@cadmus/model/one-key'
import { foldName } from '@cadmus/model/paths'
import { parseVersion } from '@cadmus/model/version'
import { forbidden, invalid, refuseFields } from '../../errors/api-error.ts'
import { resolvedNames } from '../../store/resolved-rows.ts'
import type { Db } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entityById } from '../../store/entity.ts'
import { lockManifestNames, manifestById } from '../../store/manifest.ts'
import { type Change, transact } from '../change.ts'
import { byFoldedName, copyEntity } from './copy-entity.ts'
import { madeBefore } from '../named-save.ts'
import { insertEntity } from './insert-entity.ts'
import { placesInRequest } from './invalid-entity.ts'
import { familyOf } from './settle-keys.ts'

/** Creates an entity from a create or wizard body. Returns its id. */
export async function createEntity(change: Change, request: EntityRequest): Promise<number> {
  const version = request.version ?? defaults.version
  if (!parseVersion(version))
    throw invalid(messages.invalidVersion, [{ path: 'version', message: messages.invalidVersion }])
  if (request.type !== 'EXCLUSIVE' && !change.isAdmin) throw forbidden(messages.adminOnlyType)
  return transact(change, 4, async (tx, work) => {
    // Locked before a source is read, so that referenced entities cannot be deleted in between.
    await lockManifestNames(tx, change.organisationId)
    const before = await madeBefore(tx, change, 'ENTITY')
    if (before !== undefined) return before
    const id = work.next()
    refuseFields(changedInAnswers(request, undefined, false))
    const content = await contentOf(tx, change.organisationId, id, request)
    const places = placesInRequest(request.entity, content)
    return insertEntity(tx, change, work, { id, content, places, version, manifestId: request.targetManifestId })
  })
}

async function contentOf(tx: Db, organisationId: number, id: number, request: EntityRequest): Promise<EntityContent> {
  const made = contentFromRequest(request)
  const isCopy = request.duplicateEntityId > 0
  const requested = isCopy ? await duplicate(tx, organisationId, id, request, made) : made
  const lookup = await familyOf(tx, organisationId, [requested])
  const content = withoutSecondKey(requested, keysAbove(requested, lookup))
  if (isCopy || content.type !== 'EXCLUSIVE') return content
  const resolved = resolvedAttributes({ ...content, id: -1, path: '' }, lookup)
  return resolved.some(({ isPrimaryKey }) => isPrimaryKey) ? content : withAutomaticKey(content)
}

/** A copy of the source under the requested name, followed by the request's additional columns. */
async function duplicate(
  tx: Db,
  organisationId: number,
  id: number,
  request: EntityRequest,
  made: EntityContent,
): Promise<EntityContent> {
  const source = await entityById(tx, organisationId, request.duplicateEntityId)
  if (!source) throw invalid(messages.sourceMissing, [{ path: 'duplicateEntityId', message: messages.sourceMissing }])
  const lookup = await referenceLookup(tx, organisationId, [source.content])
  const self = { id, uid: made.uid, name: made.name, path: '' }
  const copy = copyEntity(refreshed(source.content, lookup), {
    name: made.name,
    self,
    copies: new Map([[source.id, self]]),
    entitiesByName: await entitiesNearby(tx, organisationId, request),
  })
  const all = [...copy.typeAttributes, ...copy.entityAttributes]
  const names = new Set(all.map(item => foldName('name' in item ? item.name : item.foreignKeyTypeAttribute)))
  const last = all.reduce((next, item) => Math.max(next, item.position + 1), 0)
  const moved = <T extends { position: number }>(item: T) => ({ ...item, position: last + item.position })
  const added = made.typeAttributes.filter(item => !names.has(foldName(item.name)))
  const related = made.entityAttributes.filter(item => !names.has(foldName(item.foreignKeyTypeAttribute)))
  return {
    ...copy,
    type: made.type,
    description: made.description === '' ? copy.description : made.description,
    extendsEntity: made.extendsEntity ?? copy.extendsEntity,
    referenceImportPaths: request.referenceImportPaths ?? copy.referenceImportPaths,
    operationScopes: { ...copy.operationScopes, ...request.entity.operationScopes },
    typeAttributes: [...copy.typeAttributes, ...added.map(moved)],
    entityAttributes: [...copy.entityAttributes, ...related.map(moved)],
  }
}

/** Entities at the destination: relationships to the same names are redirected to them. */
async function entitiesNearby(
  tx: Db,
  organisationId: number,
  { targetManifestId }: EntityRequest,
): Promise<ReadonlyMap<string, EntityReference[]>> {
  const manifest = targetManifestId > 0 ? await manifestById(tx, organisationId, targetManifestId) : undefined
  const near = manifest ? await resolvedNames(tx, organisationId, [manifest]) : []
  return byFoldedName(near)
}
