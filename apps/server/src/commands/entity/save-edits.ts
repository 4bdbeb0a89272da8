import { compareEntities, describeChanges } from '@cadmus/model/compare'
import { canonicalJson } from '@cadmus/model/content'
import { applyEntityEdits, type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { type EntityState, maySaveEntity, type Verdict } from '@cadmus/model/locks'
import { conflictSubjects, indexedState, type IndexedState } from '@cadmus/model/merge/conflict-subjects'
import { mergeEntity } from '@cadmus/model/merge/entity'
import type { Conflict as MergeConflict } from '@cadmus/model/merge/items'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import type { OperationScopes } from '@cadmus/model/operations'
import { newScopes } from '@cadmus/model/rules/scopes'
import { isUid } from '@cadmus/model/uid'
import { compareVersions, parseVersion } from '@cadmus/model/version'
import { conflict, type Conflict, invalid, notFound, staleSave } from '../../errors/api-error.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { newestAudit } from '../../store/audit-of-target.ts'
import { contentByHash, putContent } from '../../store/content.ts'
import type { Db, Tx } from '../../store/database.ts'
import { entityContentOf, type StoredEntity, writeScopes } from '../../store/entity.ts'
import { lockEntities } from '../../store/entity-delete.ts'
import { referenceLookup, type ReferenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { setEntityScopes } from '../../store/entity-scopes.ts'
import { frozenVersion, setFrozenContent } from '../../store/entity-version.ts'
import { entityEntry } from '../audit.ts'
import { type Change, transact, type Work, WriteConflict } from '../change.ts'
import { storedBefore } from '../named-save.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'
import type { ErrorPlaces } from './invalid-entity.ts'
import { withCurrentIds, withFormerTargets } from './pin-targets.ts'
import { withSettledKey } from './settle-keys.ts'
import { foreignUids, storeContent } from './store-content.ts'

/** The stored entity, and the base content of a save. */
export type Checked = { latest: StoredEntity; content: EntityContent }

type EditSave = {
  /** Tag of the base state; `*`: the current one. */
  ifMatch: string
  /** The version to save; absent: the latest. */
  version: string | undefined
  /** The uid in the request; a different one shows that another entity was meant. */
  uid?: string | undefined
  edits: (base: EntityContent, entity: StoredEntity) => readonly EntityEdit[] | Promise<readonly EntityEdit[]>
  /** Validates read-only properties of the request against that state. */
  check?: (checked: Checked) => void
  /** Permission of the edits; absent: the permission to save the whole entity. */
  allowed?: (state: EntityState) => Verdict
  /** Handling of references to columns removed by the edits. */
  onReferences?: ReferenceHandling | undefined
  /** Maps problems to paths in the request. */
  places: (next: EntityContent) => ErrorPlaces
}

export type Saved = { hash: string; version: string }

/** Applies a request's edits to its base state, and merges by uid and field with concurrent saves. Returns the new hash and its version. */
export async function saveEdits(change: Change, id: number, save: EditSave): Promise<Saved> {
  return transact(change, 2, async (tx, work) => {
    const before = await storedBefore(tx, change, id)
    if (before?.updated_hash) return { version: before.version, hash: before.updated_hash }
    return saveEntity(tx, change, work, id, save)
  })
}

/** Saves within a transaction. */
export async function saveEntity(tx: Tx, change: Change, work: Work, id: number, save: EditSave): Promise<Saved> {
  const { organisationId } = change
  const entity = await requireEntity(tx, organisationId, id)
  await refuseForeignUid(tx, organisationId, entity, save.uid)
  const version = await savedVersion(tx, organisationId, entity, save.version)
  const { stored, base, current, lookup } = await states(tx, organisationId, version, save.ifMatch)
  save.check?.({ latest: entity, content: base.content })
  const edits = withCurrentIds(await save.edits(base.content, entity), base.content, { stored, lookup })
  await yieldToEventLoop()
  const onlyScopes = edits.every(({ kind }) => kind === 'changeScopes')
  const state = entityState(entity, version.number)
  requireAllowed(save.allowed?.(state) ?? maySaveEntity(state, { onlyScopes }))
  const edited = edits.length === 0 ? base.content : inOrder(applyEntityEdits(base.content, edits))
  await yieldToEventLoop()
  const keyed = await withSettledKey(tx, organisationId, { ...entity, content: base.content }, edited)
  const mine = await withFormerTargets(tx, organisationId, id, { mine: keyed, stored, today: base.content })
  const next = await mergedSave(tx, change, id, { base, mine, current })
  await yieldToEventLoop()
  const { onReferences } = save
  const places = save.places(next)
  const hash = await write(tx, change, work, { entity, version, current, next, places, onReferences })
  return { version: version.number, hash }
}

async function refuseForeignUid(
  tx: Db,
  organisationId: number,
  { id, uid }: StoredEntity,
  sentUid: string | undefined,
): Promise<void> {
  if (sentUid === undefined || sentUid === uid) return
  const foreign = isUid(sentUid) ? await foreignUids(tx, organisationId, [sentUid], id) : new Set()
  const message = foreign.has(sentUid) ? messages.uidTaken(sentUid) : messages.readOnly('uid')
  throw invalid(message, [{ path: 'entity.uid', message }])
}

/** A stored version of the entity. */
type Version = State & { number: string }

async function savedVersion(
  tx: Db,
  organisationId: number,
  entity: StoredEntity,
  requestedVersion: string | undefined,
): Promise<Version> {
  const { latest_version: latest, content_hash: hash, content } = entity
  if (requestedVersion === undefined || compareVersions(requestedVersion, latest) === 0)
    return { number: latest, hash, content }
  const frozen =
    parseVersion(requestedVersion) && (await frozenVersion(tx, organisationId, entity.id, requestedVersion))
  if (!frozen) throw notFound('The version')
  return { number: frozen.version, hash: frozen.content_hash, content: frozen.content }
}

/** Base and current state with current names in references; `stored`: the base with its stored names. */
async function states(
  tx: Db,
  organisationId: number,
  version: Version,
  ifMatch: string,
): Promise<{ stored: EntityContent; base: State; current: State; lookup: ReferenceLookup }> {
  const base = await baseOf(tx, organisationId, ifMatch, version)
  const lookup = await referenceLookup(tx, organisationId, [base.content, version.content])
  const today = ({ hash, content }: State) => ({ hash, content: refreshed(content, lookup) })
  return { stored: base.content, base: today(base), current: today(version), lookup }
}

/** Rule of complete contents, for states of which only scopes are written. */
function refuseHiddenScopes({ operationScopes }: EntityContent, { content }: Version): void {
  const message = newScopes(operationScopes, content.operationScopes)
  if (message !== undefined) throw invalid(message, [{ path: 'entity.operationScopes', message }])
}

type Write = {
  entity: StoredEntity
  version: Version
  current: State
  next: EntityContent
  places: ErrorPlaces
  onReferences: ReferenceHandling | undefined
}

async function write(tx: Tx, change: Change, work: Work, writeInput: Write) {
  const { entity, version, current, next, places, onReferences } = writeInput
  const { operationScopes } = next
  refuseHiddenScopes(next, version)
  if (version.number !== entity.latest_version)
    return storeFrozenScopes(tx, change, work, { entity, version, operationScopes })
  if (entity.organisation_id !== change.organisationId)
    return storeOwnScopes(tx, change, work, { entity, operationScopes })
  return storeContent(tx, change, work, {
    current: { ...entity, content: current.content },
    next,
    places,
    onReferences,
  })
}

/** Lists in stored order, by position. */
function inOrder(content: EntityContent): EntityContent {
  const sorted = <T extends { position: number }>(items: readonly T[]) =>
    items.toSorted((a, b) => a.position - b.position)
  return {
    ...content,
    typeAttributes: sorted(content.typeAttributes),
    entityAttributes: sorted(content.entityAttributes),
  }
}

type State = { hash: string; content: EntityContent }

/**
 * The base state of a save: the current one for `*`, otherwise the state of the tag. 409 for a tag that does not belong
 * to a state of this entity.
 */
async function baseOf(db: Db, organisationId: number, ifMatch: string, current: State): Promise<State> {
  if (ifMatch === '*' || ifMatch === current.hash) return current
  const body = await contentByHash(db, organisationId, ifMatch)
  const content = body === undefined ? undefined : readEntity(ifMatch, body)
  if (content?.uid !== current.content.uid) throw conflict(messages.unknownBase)
  return { hash: ifMatch, content }
}

/** Merges a save into the current state. 409 with both values, author and time for fields changed by both. */
async function mergedSave(
  db: Db,
  { organisationId, actor }: Pick<Change, 'organisationId' | 'actor'>,
  entityId: number,
  { base, mine, current }: { base: State; mine: EntityContent; current: State },
): Promise<EntityContent> {
  if (base.hash === current.hash) return mine
  const { merged, conflicts } = mergeEntity(base.content, mine, current.content)
  if (merged) return merged
  const place = { organisationId, entityId, userId: actor.userId }
  throw staleSave(messages.staleSave, current.hash, await withAuthors(db, place, conflicts, { base, mine, current }))
}

/** A tag may refer to any content of the organisation, also a manifest's, which is not a state of an entity. */
function readEntity(hash: string, body: string): EntityContent | undefined {
  try {
    return entityContentOf(hash, body)
  } catch {
    return undefined
  }
}

/** Limit of log entries to search, and page size. */
const searched = { entries: 200, page: 25 }

type Author = { who: string; when: string; own?: true }
type Sides = { base: State; mine: State['content']; current: State }

/**
 * Adds author and time of the current value to each conflicting field, ignoring later changes of other fields. Empty if the log does not
 * reach back.
 */
async function withAuthors(
  db: Db,
  { organisationId, entityId, userId }: { organisationId: number; entityId: number; userId: string },
  conflicts: readonly MergeConflict[],
  { base, mine, current }: Sides,
): Promise<Conflict[]> {
  const theirs = indexedState(current.content)
  const fields = conflictSubjects(conflicts, { base: indexedState(base.content), mine: indexedState(mine), theirs })
  const open = new Map(fields.entries())
  const authors = new Map<number, Author>()
  for await (const { before, after, byId, ...author } of changesSince(db, organisationId, entityId, base.hash)) {
    for (const [index, isSame] of open) {
      if (isSame(before, after) || !isSame(after, theirs)) continue
      authors.set(index, byId === userId ? { ...author, own: true } : author)
      open.delete(index)
    }
    if (open.size === 0) break
    await yieldToEventLoop()
  }
  return conflicts.map((conflict, index) => ({ ...conflict, ...(authors.get(index) ?? { who: '', when: '' }) }))
}

type Step = Author & { byId: string; before: IndexedState | undefined; after: IndexedState | undefined }

/** Changes of the entity since that state, newest first. */
async function* changesSince(
  db: Db,
  organisationId: number,
  entityId: number,
  baseHash: string,
): AsyncGenerator<Step, void> {
  let newer: { hash: string | null; state: IndexedState | undefined } = { hash: null, state: undefined }
  const stateAt = async (hash: string | null) => {
    if (hash !== newer.hash) newer = { hash, state: await stateOf(db, organisationId, hash) }
    return newer.state
  }
  let last: number | undefined
  for (let read = 0; read < searched.entries; read += searched.page) {
    const entries = await newestAudit(db, organisationId, entityId, { limit: searched.page, before: last })
    for (const { updated_hash: now, original_hash: then, user_id: byId, user_name: who, at: when } of entries) {
      if (now === baseHash) return
      yield { byId, who, when, after: await stateAt(now), before: await stateAt(then) }
    }
    last = entries.at(-1)?.sequence
    if (entries.length < searched.page) return
  }
}

async function stateOf(db: Db, organisationId: number, hash: string | null): Promise<IndexedState | undefined> {
  const body = hash === null ? undefined : await contentByHash(db, organisationId, hash)
  return hash === null || body === undefined ? undefined : indexedState(entityContentOf(hash, body))
}

/** Stores the organisation's own scopes of a predefined entity, separately from it. */
async function storeOwnScopes(
  tx: Db,
  { organisationId }: Change,
  work: Work,
  { entity, operationScopes }: { entity: StoredEntity; operationScopes: OperationScopes },
): Promise<string> {
  if (isEqual(operationScopes, entity.content.operationScopes)) return entity.content_hash
  const content: EntityContent = { ...entity.content, operationScopes }
  // Both states belong to the organisation: later saves are merged against them, and the log shows them.
  await putContent(tx, organisationId, canonicalJson(entity.content))
  const hash = await putContent(tx, organisationId, canonicalJson(content))
  const text = writeScopes(operationScopes)
  const isSet = await setEntityScopes(tx, organisationId, entity.id, { from: entity.own_scopes, to: text })
  if (!isSet) throw new WriteConflict()
  work.audit(
    entityEntry(entity, {
      action: 'UPDATE',
      contentKind: 'scopes',
      description: describeChanges(compareEntities(entity.content, content)),
      before: entity.content_hash,
      after: hash,
      restoration: { ownScopes: entity.own_scopes },
      edits: entityEditsBetween(entity.content, content),
    }),
  )
  return hash
}

/** Stores the scopes of a frozen version, the only part that can be changed. */
async function storeFrozenScopes(
  tx: Db,
  { store, organisationId }: Change,
  work: Work,
  change: {
    entity: StoredEntity
    version: { number: string; hash: string; content: EntityContent }
    operationScopes: OperationScopes
  },
): Promise<string> {
  const { entity, version, operationScopes } = change
  if (isEqual(operationScopes, version.content.operationScopes)) return version.hash
  const content: EntityContent = { ...version.content, operationScopes }
  const hash = await putContent(tx, organisationId, canonicalJson(content))
  await lockEntities(tx, store, organisationId, [entity.id])
  const step = { version: version.number, from: version.hash, to: hash }
  const frozen = await setFrozenContent(tx, organisationId, entity.id, step)
  if (!frozen) throw new WriteConflict()
  const description = describeChanges(compareEntities(version.content, content))
  work.audit(
    entityEntry(entity, {
      action: 'UPDATE',
      description: auditTexts.ofVersion(version.number, description),
      version: version.number,
      before: version.hash,
      after: hash,
      restoration: { versions: { put: [frozen], drop: [] } },
      edits: entityEditsBetween(version.content, content),
    }),
  )
  return hash
}
