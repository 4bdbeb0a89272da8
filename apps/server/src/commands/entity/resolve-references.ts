import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { isEqual } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { columnsWithKey, keysAbove } from '@cadmus/model/one-key'
import { mapReferences } from '@cadmus/model/references'
import { ancestry, entitiesByPaths, referenceLookup, refreshed, withCurrentNames } from '../../store/entity-refresh.ts'
import type { Db, Tx } from '../../store/database.ts'
import { entitiesByIds, entityNode, setEntityContent, type StoredEntity } from '../../store/entity.ts'
import { referencesIn, referrersWaitingBelow, referrersWaitingFor } from '../../store/open-reference.ts'
import { entityChanged, named } from '../audit.ts'
import { type Change, WriteConflict, type Work } from '../change.ts'
import { rewriteEntity } from './follow-loss.ts'
import { subtypesOf } from './column-loss.ts'
import { withPinnedTargets } from './pin-targets.ts'
import { familyOf, withImportedKey } from './settle-keys.ts'

/**
 * Resolves waiting references to these entities by uid, or by path without one. Returns a sentence for each reference
 * that remains unresolved.
 */
export async function resolveReferences(
  tx: Tx,
  change: Change,
  work: Work,
  arrived: readonly { id: number; uid: string; path: string }[],
): Promise<string[]> {
  const here = new Set(arrived.map(({ id }) => id))
  const waiting = await referrersWaitingFor(tx, change.organisationId, arrived)
  return resolveWaiting(
    tx,
    change,
    work,
    waiting.filter(id => !here.has(id)),
  )
}

/** Updates the paths of references waiting for entities below a moved folder, and resolves them. */
export async function resolveMoved(tx: Tx, change: Change, work: Work, moved: Moved): Promise<void> {
  const waiting = await referrersWaitingBelow(tx, change.organisationId, [moved.before, moved.path])
  await resolveWaiting(tx, change, work, waiting, moved)
}

type Moved = { before: string; path: string }

/**
 * Resolves the unresolved references of these entities. References that would close an extends cycle remain unresolved
 * and are reported.
 */
export async function resolveWaiting(
  tx: Tx,
  change: Change,
  work: Work,
  waiting: readonly number[],
  moved?: Moved,
): Promise<string[]> {
  const refused: string[] = []
  const { organisationId, actor } = change
  const entities = [...(await entitiesByIds(tx, organisationId, waiting)).values()]
  for (const entity of entities.toSorted((a, b) => a.id - b.id)) {
    const { found: connected, left } = await withResolvedReferences(tx, organisationId, entity, moved)
    if (isEqual(connected, entity.content)) continue
    const hasNewParent = connected.extendsEntity?.id !== entity.content.extendsEntity?.id
    const keyed = hasNewParent
      ? await withImportedKey(tx, organisationId, { ...entity, content: connected })
      : undefined
    const written = keyed?.content ?? connected
    const write = { id: entity.id, from: entity, content: written, path: entity.path }
    const hash = await setEntityContent(tx, organisationId, write, actor)
    if (hash === undefined) throw new WriteConflict()
    const targets = newTargets(entity.content, written)
    const isPlain = left === undefined && moved === undefined
    const resolution = targets.length > 0 || isPlain ? [messages.referencesResolved(entity.name, named(targets))] : []
    const waits = moved && targets.length === 0 ? [messages.waitsBelow(entity.name, moved.path)] : []
    if (left !== undefined) refused.push(left)
    const others = [left, keyed?.message].flatMap(sentence => sentence ?? [])
    work.audit(entityChanged(entity, { content: written, hash }, [...resolution, ...waits, ...others].join(' ')))
    if (hasNewParent) await settleBelow(tx, change, work, [entity])
  }
  return refused
}

type Above = Pick<StoredEntity, 'id' | 'organisation_id' | 'path' | 'content'>

/**
 * Restores the rule of one key for all subtypes of changed entities; `above`: their previous states. An automatic key is removed or
 * restored, another own key becomes an ordinary column beside an inherited one.
 */
export async function settleBelow(tx: Tx, change: Change, work: Work, above: readonly Above[]): Promise<void> {
  const { organisationId } = change
  const subtypes = new Map<number, StoredEntity>()
  for (const entity of above)
    for (const subtype of await subtypesOf(tx, organisationId, entity))
      if (subtype.organisation_id === organisationId) subtypes.set(subtype.id, subtype)
  const former = new Map([...above, ...subtypes.values()].map(entity => [entity.id, entityNode(entity)]))
  for (const was of subtypes.values()) {
    // Read again: a change of its ancestor may have updated it.
    const stored = await entitiesByIds(tx, organisationId, [was.id])
    const [subtype] = await withCurrentNames(tx, organisationId, stored.values())
    if (!subtype) continue
    const family = await familyOf(tx, organisationId, [subtype.content])
    const { content, message } = await withImportedKey(tx, organisationId, subtype)
    const before = { entity: entityNode(was), lookup: (id: number) => former.get(id) ?? family(id) }
    const columns = message === undefined ? columnsWithKey(before, { entity: entityNode(subtype), lookup: family }) : {}
    if (!columns) continue
    const next = { ...content, ...columns }
    const [key] = keysAbove(next, family)
    const { keyInherited, keyReplaced } = auditTexts
    const settled = key ? keyInherited(subtype.name, key.declaredBy.name) : keyReplaced(subtype.name)
    const rewrite = { entity: subtype, next, description: message ?? settled, onReferences: () => 'keep' as const }
    await rewriteEntity(tx, change, work, rewrite)
  }
}

/** Newly resolved references. */
function newTargets(before: EntityContent, after: EntityContent): string[] {
  const knownIds = new Set(referencesIn(before).map(({ id }) => id))
  const resolved = referencesIn(after).filter(({ id }) => id > 0 && !knownIds.has(id))
  return [...new Set(resolved.map(({ name }) => name))]
}

async function withResolvedReferences(
  tx: Db,
  organisationId: number,
  { id, content }: StoredEntity,
  moved: Moved | undefined,
) {
  const lookup = await referenceLookup(tx, organisationId, [content])
  const today = mapReferences(refreshed(content, lookup), {
    entity: reference => followed(reference, moved),
    column: column => column,
  })
  const lost = referencesIn(today).filter(reference => reference.id < 1 && reference.uid === undefined)
  const paths = await entitiesByPaths(
    tx,
    organisationId,
    lost.map(({ path }) => path),
  )
  const resolved = mapReferences(today, {
    entity: reference =>
      (reference.id < 1 && reference.uid === undefined ? paths.get(reference.path) : undefined) ?? reference,
    column: column => column,
  })
  const parent = resolved.extendsEntity
  const isNew = parent !== null && parent.id > 0 && parent.id !== content.extendsEntity?.id
  const closes = isNew && (await ancestry(tx, organisationId, [parent.id])).has(id)
  const open = closes ? { ...resolved, extendsEntity: unresolvedReference(content.extendsEntity ?? parent) } : resolved
  return {
    found: await withPinnedTargets(tx, organisationId, open, id),
    left: closes ? messages.extendsLeftOpen(content.name, parent.name) : undefined,
  }
}

/** Updates the path of a waiting reference below the folder. */
function followed(reference: EntityReference, moved: Moved | undefined): EntityReference {
  if (!moved || reference.id > 0 || reference.uid !== undefined) return reference
  if (!reference.path.startsWith(`${moved.before}/`)) return reference
  return { ...reference, path: `${moved.path}${reference.path.slice(moved.before.length)}` }
}

/** Keeps name and path; without uid and id it does not resolve to the entity that would close a cycle. */
export function unresolvedReference({ name, path }: EntityReference): EntityReference {
  return { id: -1, name, path }
}
