import { changedInAnswers, contentFromRequest, withAutomaticKey } from '@cadmus/model/apply-request'
import type { EntityRequest } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { defaults } from '@cadmus/model/limits'
import { mayEditManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { keysAbove, withoutSecondKey } from '@cadmus/model/one-key'
import { customEntityPath, foldName } from '@cadmus/model/paths'
import type { Problem } from '@cadmus/model/problem'
import { entityProblems } from '@cadmus/model/rules/entity'
import { parseVersion } from '@cadmus/model/version'
import { forbidden, invalid, refuseFields } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import { updateResolved } from '../../store/entity-reference.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entityById, insertEntities, type NewEntity } from '../../store/entity.ts'
import { appendMembers, returnMember } from '../../store/manifest-members.ts'
import { lockManifestNames, manifestById, type ManifestRow } from '../../store/manifest.ts'
import { resolvedNames } from '../../store/resolved-rows.ts'
import { entityCreated, manifestChanged } from '../audit.ts'
import { type Change, following, transact, type Work } from '../change.ts'
import { creations } from '../manifest/copies.ts'
import { lockedManifest } from '../manifest/manifest-permission.ts'
import { createdBefore } from '../named-save.ts'
import { referenceProblems } from './check-references.ts'
import { byFoldedName, copyEntity } from './copy-entity.ts'
import { type ErrorPlaces, invalidEntity, placesInRequest } from './invalid-entity.ts'
import { withPinnedEntities, withPinnedTargets } from './pin-targets.ts'
import { resolveReferences } from './resolve-references.ts'
import { withSettledEnumerations } from './settle-enumerations.ts'
import { familyOf, newKeyProblems } from './settle-keys.ts'
import { nameProblems, uidProblems } from './store-content.ts'

/** Creates an entity from a create or wizard body. Returns its id. */
export async function createEntity(change: Change, request: EntityRequest): Promise<number> {
  const version = request.version ?? defaults.version
  if (!parseVersion(version))
    throw invalid(messages.invalidVersion, [{ path: 'version', message: messages.invalidVersion }])
  if (request.type !== 'EXCLUSIVE' && !change.isAdmin) throw forbidden(messages.adminOnlyType)
  return transact(change, 4, async (tx, work) => {
    // Locked before a source is read, so that referenced entities cannot be deleted in between.
    await lockManifestNames(tx, change.organisationId)
    const before = await createdBefore(tx, change, 'ENTITY')
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

type EntityToInsert = {
  /** Id for references of the entity to itself. */
  id: number
  content: EntityContent
  places: ErrorPlaces
  version: string
  /** The owning manifest; -1 = none. */
  manifestId: number
  /** Its former place in the manifest; default: the end. */
  position?: number | undefined
  /** Audit text; default: that it was created. */
  description?: string
  /** Accepts imported values that break rules, except repeated names. */
  isFromFile?: boolean
  /** Receives a message for each reference to it that remains unresolved. */
  onLeftOpen?: (message: string) => void
}

/** Inserts an entity into the organisation and optionally its manifest, with audit entries. Returns its id. */
export async function insertEntity(tx: Tx, change: Change, work: Work, insertion: EntityToInsert): Promise<number> {
  const { organisationId, actor } = change
  const { id } = insertion
  await lockManifestNames(tx, organisationId)
  const manifest =
    insertion.manifestId > 0
      ? await lockedManifest(tx, organisationId, insertion.manifestId, mayEditManifest)
      : undefined
  const problems = await problemsOf(tx, organisationId, id, insertion, manifest)
  if (problems.length > 0) throw invalidEntity(problems, insertion.places)

  const path = customEntityPath(manifest?.name ?? null, insertion.content.name)
  const self = { id, uid: insertion.content.uid, name: insertion.content.name, path }
  const lookup = await referenceLookup(tx, organisationId, [insertion.content])
  const entityOf = (reference: EntityReference) => (reference.id === id ? self : lookup.entity(reference))
  const today = refreshed(insertion.content, { ...lookup, entity: entityOf })
  const pinned = await withPinnedTargets(tx, organisationId, today, id)
  const place = { manifestId: insertion.manifestId, before: null }
  const content = await withSettledEnumerations(tx, organisationId, place, pinned)
  const entity = { id, path, content, manifestId: manifest?.id ?? 0, version: insertion.version }
  const [hash = ''] = await insertEntities(tx, organisationId, [entity], actor)
  await updateResolved(tx, organisationId, [id])
  const thing = { id, name: content.name, path, latest_version: insertion.version }
  work.audit(entityCreated(thing, hash, insertion.description ?? auditTexts.created(content.name)))
  for (const message of await resolveReferences(tx, change, following(work), [self])) insertion.onLeftOpen?.(message)
  if (manifest)
    await join(tx, change, following(work), manifest, { id, name: content.name, position: insertion.position })
  return id
}

async function join(
  tx: Db,
  { organisationId, actor }: Change,
  work: Work,
  manifest: ManifestRow,
  { id, name, position }: { id: number; name: string; position: number | undefined },
): Promise<void> {
  const member = { entityId: id, organisationId, type: 'EXCLUSIVE' as const }
  const changed =
    position === undefined
      ? await appendMembers(tx, manifest, [member], actor)
      : await returnMember(tx, manifest, member, position, actor)
  work.audit(manifestChanged(manifest, changed, auditTexts.joined(name, manifest.name)))
}

async function problemsOf(
  tx: Db,
  organisationId: number,
  id: number,
  { content, isFromFile }: EntityToInsert,
  manifest: ManifestRow | undefined,
): Promise<Problem[]> {
  const names = () => nameProblems(tx, organisationId, content.name, manifest?.id ?? 0, id)
  if (isFromFile) return names()
  const uids = await uidProblems(tx, organisationId, content, { id })
  const own = entityProblems(content, { id })
  const isNamed = !own.some(({ field, path }) => field === 'name' && path.length === 1)
  return [
    ...(isNamed ? await names() : []),
    ...own,
    ...uids,
    ...(await referenceProblems(tx, organisationId, content, { id })),
    ...(await newKeyProblems(tx, organisationId, { ...content, id, path: '' })),
  ]
}

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
  await resolveReferences(tx, change, following(work), arrived)
}
