import { compareEntities } from '@cadmus/model/compare'
import { describeChanges } from '@cadmus/model/describe-changes'
import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { foldName, renamedPath } from '@cadmus/model/paths'
import { touchesKeys } from '@cadmus/model/one-key'
import type { Problem } from '@cadmus/model/problem'
import { entityProblems } from '@cadmus/model/rules/entity'
import { sizeTexts } from '@cadmus/model/messages/documents'
import { invalid } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import { membershipsOf } from '../../store/entity-delete.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entityById, isEntityNameTaken, setEntityContent, type StoredEntity } from '../../store/entity.ts'
import { lockManifest, lockManifestNames } from '../../store/manifest.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { entityChanged } from '../audit.ts'
import { type Change, WriteConflict, type Work } from '../change.ts'
import { referenceProblems, touchesReferences } from './check-references.ts'
import { followRenames, type Affected, affectedBy, withCurrentTargets, renamesOf } from './follow-renames.ts'
import { resolveReferences } from './resolve-references.ts'
import { invalidEntity, type ErrorPlaces } from './invalid-entity.ts'
import { allowedLoss, followLoss, settleSubtypes } from './follow-loss.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { pinConfigurations } from './pin-configurations.ts'
import { withPinnedTargets } from './pin-targets.ts'
import { subtypeSteps, keyProblems } from './settle-keys.ts'
import { uidProblems } from './uid-problems.ts'

export type ContentWrite = {
  /** The stored entity with current names in references. */
  current: StoredEntity
  next: EntityContent
  /** Maps problems to paths in the request. */
  places: ErrorPlaces
  /** Handling of references to removed columns; without it the removal is refused. */
  onReferences?: ReferenceHandling | undefined
}

/**
 * Stores `next` as the current content of an unlocked entity: applies all rules, requires the state that was read, updates relationships of
 * others after renames, and writes audit entries. Returns the new hash. Writes nothing if nothing changes.
 */
export async function storeContent(
  tx: Tx,
  change: Change,
  work: Work,
  { current, next, places, onReferences = () => undefined }: ContentWrite,
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
  const problems = [...(await contentProblems(tx, organisationId, current, next)), ...family.problems]
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
  refuseGrowth(current.content, content)
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
function refuseGrowth(before: EntityContent, after: EntityContent): void {
  const size = JSON.stringify(after).length
  if (size <= limits.entityContent || size <= JSON.stringify(before).length) return
  throw invalid(sizeTexts.entity, [{ path: 'entity', message: sizeTexts.entity }])
}

/** All problems of a future content of an entity. */
export async function contentProblems(
  tx: Db,
  organisationId: number,
  current: StoredEntity,
  next: EntityContent,
): Promise<Problem[]> {
  const { id, content: previous } = current
  const own = entityProblems(next, { previous, id })
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
