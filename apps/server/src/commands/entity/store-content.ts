import { compareEntities, describeChanges } from '@cadmus/model/compare'
import { isPinned } from '@cadmus/model/configuration-names'
import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { sizeTexts } from '@cadmus/model/messages/documents'
import { touchesKeys } from '@cadmus/model/one-key'
import { foldName, renamedPath } from '@cadmus/model/paths'
import type { Problem, ProblemStep } from '@cadmus/model/problem'
import { mapReferences } from '@cadmus/model/references'
import { entityProblems } from '@cadmus/model/rules/entity'
import { yieldToEventLoop } from '../../event-loop.ts'
import type { Db, Tx } from '../../store/database.ts'
import { type Column, columnsByUids, columnsOf } from '../../store/entity-column.ts'
import { membershipsOf } from '../../store/entity-delete.ts'
import { referrersOf, renameTargets } from '../../store/entity-reference.ts'
import { referenceLookup, refreshed, withCurrentNames } from '../../store/entity-refresh.ts'
import {
  entitiesByIds,
  entityById,
  isEntityNameTaken,
  setEntityContent,
  type StoredEntity,
} from '../../store/entity.ts'
import { configurationOf, putConfiguration, resolveNamesIn } from '../../store/manifest-configuration.ts'
import { lockManifest, lockManifestNames, setManifestConfiguration } from '../../store/manifest.ts'
import { manifestsAbove } from '../../store/manifest-members.ts'
import { takenUids } from '../../store/ids.ts'
import { entityChanged } from '../audit.ts'
import { type Change, type Work, WriteConflict } from '../change.ts'
import { auditConfiguration } from '../manifest/save-configuration.ts'
import { referenceProblems, touchesReferences } from './check-references.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { allowedLoss, followLoss, settleSubtypes } from './follow-loss.ts'
import { type ErrorPlaces, invalidEntity, invalidField } from './invalid-entity.ts'
import { withPinnedTargets } from './pin-targets.ts'
import { resolveReferences } from './resolve-references.ts'
import { keyProblems, subtypeSteps } from './settle-keys.ts'

type ContentWrite = {
  /** The stored entity with current names in references. */
  current: StoredEntity
  next: EntityContent
  /** Maps problems to paths in the request. */
  places: ErrorPlaces
  /** Handling of references to removed columns; without it the removal is refused. */
  onReferences?: ReferenceHandling | undefined
  /** Accepts what a new entity of a file may have. */
  isFromFile?: boolean | undefined
}

/**
 * Stores `next` as the current content of an unlocked entity: applies all rules, requires the state that was read, updates relationships of
 * others after renames, and writes audit entries. Returns the new hash. Writes nothing if nothing changes.
 */
export async function storeContent(
  tx: Tx,
  change: Change,
  work: Work,
  { current, next, places, onReferences = () => undefined, isFromFile = false }: ContentWrite,
): Promise<string> {
  if (isEqual(next, current.content)) return current.content_hash
  const { organisationId, actor } = change
  const renames = renamesOf(current.content, next)
  const isRenamed = next.name !== current.content.name
  // Lock order everywhere: organisation, manifest, entity.
  if (renames.size > 0 || touchesReferences(next, current.content) || touchesKeys(next, current.content) || isRenamed)
    await lockManifestNames(tx, organisationId)
  if (isRenamed && current.manifest_id > 0) await lockManifest(tx, organisationId, current.manifest_id)
  const family = await subtypeSteps(tx, organisationId, current, next)
  const problems = [...(await contentProblems(tx, organisationId, current, { next, isFromFile })), ...family.problems]
  if (problems.length > 0) throw invalidEntity(problems, places)

  const affected: Affected = renames.size > 0 ? await affectedBy(tx, organisationId, current.id, renames) : new Map()
  if (isRenamed || renames.size > 0) await pinConfigurations(tx, change, work, [current.id, ...affected.keys()])
  const others = family.steps.map(step => ({ ...step, onReferences }))
  const loss = await allowedLoss(tx, organisationId, { current, next, onReferences }, others)
  const settled = loss?.content ?? next
  const lookup = await referenceLookup(tx, organisationId, [settled])
  const today = withCurrentTargets(refreshed(settled, lookup), affected)
  const content = await withPinnedTargets(tx, organisationId, today, current.id)
  await yieldToEventLoop()
  refuseGrowth(current.content, content, places)
  const path = isRenamed ? renamedPath(current.path, content.name) : current.path
  const write = { id: current.id, from: current, content, path }
  const hash = await setEntityContent(tx, organisationId, write, actor)
  if (hash === undefined) throw new WriteConflict()
  await yieldToEventLoop()
  const description = describeChanges(compareEntities(current.content, content))
  work.audit(entityChanged(current, { content, path, hash }, description))
  // References may wait for an entity at the new path.
  if (isRenamed) await resolveReferences(tx, change, work, [{ id: current.id, uid: current.uid, path }])
  if (renames.size > 0) await followRenames(tx, change, work, { entity: current, affected })
  if (!loss && family.steps.length === 0) return hash
  if (loss) await followLoss(tx, change, work, loss, { onReferences })
  await settleSubtypes(tx, change, work, family.steps, { onReferences })
  // The entity itself may have referred to a detached column.
  return (await entityById(tx, organisationId, current.id))?.content_hash ?? hash
}

/** Limits growth by single additions, because an entity is read, validated and answered as a whole. */
function refuseGrowth(before: EntityContent, after: EntityContent, places: ErrorPlaces): void {
  const size = JSON.stringify(after).length
  if (size <= limits.entityContent || size <= JSON.stringify(before).length) return
  throw invalidField('', sizeTexts.entity, places)
}

/** All problems of a future content of an entity. */
export async function contentProblems(
  tx: Db,
  organisationId: number,
  current: StoredEntity,
  { next, isFromFile = false }: { next: EntityContent; isFromFile?: boolean },
): Promise<Problem[]> {
  const { id, content: previous } = current
  const own = isFromFile ? [] : entityProblems(next, { previous, id })
  await yieldToEventLoop()
  const problems = [
    ...own,
    ...(await uidProblems(tx, organisationId, next, { previous, id })),
    ...(await referenceProblems(tx, organisationId, next, { previous, id })),
    ...(await keyProblems(tx, organisationId, current, next)),
  ]
  if (problems.some(({ field, path }) => field === 'name' && path.length === 1)) return problems
  if (foldName(next.name) === foldName(previous.name)) return problems
  return [...(await nameProblemsEverywhere(tx, organisationId, next.name, current)), ...problems]
}

/** The name must also be unique in other manifests that list the entity in place. */
async function nameProblemsEverywhere(
  tx: Db,
  organisationId: number,
  name: string,
  { id, manifest_id: owner }: StoredEntity,
): Promise<Problem[]> {
  const listed = (await membershipsOf(tx, organisationId, [id])).get(id) ?? []
  for (const manifestId of new Set([owner, ...listed.map(row => row.manifest_id)])) {
    const problems = await nameProblems(tx, organisationId, name, manifestId, id)
    if (problems.length > 0) return problems
  }
  return []
}

/** Problem of a name used by another entity of the manifest. */
export async function nameProblems(
  tx: Db,
  organisationId: number,
  name: string,
  manifestId: number,
  id: number,
): Promise<Problem[]> {
  if (!(await isEntityNameTaken(tx, organisationId, manifestId, name, id))) return []
  const path = [{ kind: 'entity' as const, id, name }]
  return [{ severity: 'error', code: 'invalid.name', message: messages.entityExists(name), path, field: 'name' }]
}

/** Uids in use by another entity or manifest, or by a column of another entity. */
export async function foreignUids(
  db: Db,
  organisationId: number,
  uids: readonly string[],
  entityId: number,
): Promise<ReadonlySet<string>> {
  if (uids.length === 0) return new Set()
  const columns = await columnsByUids(db, organisationId, uids)
  const others = columns.filter(column => column.entityId !== entityId).map(({ uid }) => uid)
  return new Set([...others, ...(await takenUids(db, organisationId, uids, entityId))])
}

/** New uids must not be in use, because items are identified by them. */
export async function uidProblems(
  db: Db,
  organisationId: number,
  content: EntityContent,
  { previous, id }: { previous?: EntityContent | undefined; id: number },
): Promise<Problem[]> {
  const before = new Set(previous ? columnsOf(previous).map(({ uid }) => uid) : [])
  const added = columnsOf(content).filter(({ uid }) => !before.has(uid))
  const own = previous ? [] : [content.uid]
  const foreign = await foreignUids(db, organisationId, [...own, ...added.map(({ uid }) => uid)], id)
  if (foreign.size === 0) return []
  const place: ProblemStep = { kind: 'entity', id, name: content.name }
  const attributes = content.typeAttributes.map((item): ColumnStep => ({ ...item, kind: 'typeAttribute' }))
  const relationships = content.entityAttributes.map(({ uid, foreignKeyTypeAttribute: name }): ColumnStep => ({
    kind: 'entityAttribute',
    uid,
    name,
  }))
  const columns = [...attributes, ...relationships].filter(({ uid }) => !before.has(uid) && foreign.has(uid))
  return [
    ...(own.some(uid => foreign.has(uid)) ? [problem(content.uid, [place])] : []),
    ...columns.map(step => problem(step.uid, [place, step])),
  ]
}

type ColumnStep = Extract<ProblemStep, { kind: 'typeAttribute' | 'entityAttribute' }>

function problem(uid: string, path: readonly ProblemStep[]): Problem {
  return { severity: 'error', code: 'invalid.uid', message: messages.uidTaken(uid), path, field: 'uid' }
}

/** Current column by old folded name, for columns with the same uid and a new name. */
type Renames = ReadonlyMap<string, Column>

function renamesOf(before: EntityContent, after: EntityContent): Renames {
  const names = new Map(columnsOf(before).map(({ uid, name }) => [uid, name]))
  const renamed = columnsOf(after).flatMap(column => {
    const old = names.get(column.uid)
    return old === undefined || old === column.name ? [] : [[foldName(old), column] as const]
  })
  return new Map(renamed)
}

/** Entities affected by renames: the entity itself and its subtypes, each with the columns it does not override. */
type Affected = ReadonlyMap<number, Renames>

/**
 * References by uid need no change when their target is renamed. References by name only, from imports and format 1, get the uid before the
 * name changes; this includes references through a subtype.
 */
async function followRenames(
  tx: Db,
  { organisationId, actor }: Change,
  work: Work,
  { entity: renamed, affected }: { entity: StoredEntity; affected: Affected },
): Promise<void> {
  const names = [...(affected.get(renamed.id)?.values() ?? [])].map(({ name }) => name)
  const referrers = (await referrersOf(tx, organisationId, [...affected.keys()])).filter(
    ({ attributeUid, fromId }) => attributeUid !== '' && fromId !== renamed.id,
  )
  for (const [id, renames] of affected) {
    const names = [...renames].map(([old, { name }]) => [old, name] as const)
    await renameTargets(tx, organisationId, id, new Map(names))
  }
  const entities = await entitiesByIds(
    tx,
    organisationId,
    referrers.map(({ fromId }) => fromId),
  )
  const inOrder = [...entities.values()].toSorted((a, b) => a.id - b.id)
  for (const entity of await withCurrentNames(tx, organisationId, inOrder)) {
    const content = withCurrentTargets(entity.content, affected)
    if (content === entity.content) continue
    const change = { id: entity.id, from: entity, content, path: entity.path }
    const hash = await setEntityContent(tx, organisationId, change, actor)
    if (hash === undefined) throw new WriteConflict()
    work.audit(entityChanged(entity, { content, hash }, messages.followedRename(renamed.name, names)))
  }
}

async function affectedBy(tx: Db, organisationId: number, id: number, renames: Renames): Promise<Affected> {
  const affected = new Map([[id, renames]])
  let open = [id]
  while (open.length > 0) {
    const links = (await referrersOf(tx, organisationId, open)).filter(link => link.attributeUid === '')
    const children = await entitiesByIds(
      tx,
      organisationId,
      links.map(link => link.fromId),
    )
    open = []
    for (const { fromId, toId } of links) {
      const child = children.get(fromId)
      if (!child || affected.has(fromId)) continue
      const own = new Set(columnsOf(child.content).map(({ name }) => foldName(name)))
      affected.set(fromId, new Map([...(affected.get(toId) ?? [])].filter(([name]) => !own.has(name))))
      open.push(fromId)
    }
  }
  return affected
}

/**
 * The content with uids and new names for target attributes known by name only; the same object without such
 * attributes.
 */
function withCurrentTargets(content: EntityContent, affected: Affected): EntityContent {
  let isChanged = false
  const changed = mapReferences(content, {
    entity: reference => reference,
    column(column, { id }) {
      const renamed = column.uid === undefined ? affected.get(id)?.get(foldName(column.name)) : undefined
      if (renamed) isChanged = true
      return renamed ?? column
    },
  })
  return isChanged ? changed : content
}

/**
 * Configurations with identities need no change when an item is renamed. Others (format 1, or saved before the item existed) get them
 * before the rename, while their names still resolve.
 */
async function pinConfigurations(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  entityIds: readonly number[],
): Promise<void> {
  const memberships = [...(await membershipsOf(tx, organisationId, entityIds)).values()].flat()
  const manifestIds = memberships.map(row => row.manifest_id)
  for (const manifest of await manifestsAbove(tx, organisationId, manifestIds)) {
    if (manifest.configuration_hash === null) continue
    const before = await configurationOf(tx, manifest)
    if (isPinned(before)) continue
    const after = await resolveNamesIn(tx, manifest, before.configuration, before.named)
    if (isEqual(after.named.map(meaning), before.named.map(meaning))) continue
    const locked = await lockManifest(tx, organisationId, manifest.id)
    if (locked?.configuration_hash !== manifest.configuration_hash) throw new WriteConflict()
    const hash = await putConfiguration(tx, organisationId, after)
    await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
    await auditConfiguration(tx, work, manifest, { before, after, description: auditTexts.pinned(manifest.name) })
  }
}

function meaning({ uid, columns }: { uid: string; columns: readonly { uid: string }[] }) {
  return { uid, columns: columns.map(column => column.uid) }
}
