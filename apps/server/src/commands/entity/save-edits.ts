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
import { ApiError, conflict, type Conflict, notFound, staleSave } from '../../errors/api-error.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { newestAudit } from '../../store/audit-of-target.ts'
import { contentByHash, putContent } from '../../store/content.ts'
import type { Db, Tx } from '../../store/database.ts'
import { contentSizeOf, entityContentOf, type StoredEntity, writeScopes } from '../../store/entity.ts'
import { lockEntities } from '../../store/entity-delete.ts'
import { referenceLookup, type ReferenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { setEntityScopes } from '../../store/entity-scopes.ts'
import { frozenVersion, setFrozenContent } from '../../store/entity-version.ts'
import { isOperationUsed } from '../../store/saves.ts'
import { entityEntry } from '../audit.ts'
import { type Change, inTurnBefore, type Work, WriteConflict } from '../change.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'
import { type ErrorPlaces, invalidField } from './invalid-entity.ts'
import { withCurrentIds, withFormerTargets } from './pin-targets.ts'
import { type PreparedWrite, prepareWrite } from './prepared-write.ts'
import { withSettledEnumerations } from './settle-enumerations.ts'
import { withSettledKey } from './settle-keys.ts'
import { foreignUids, storeContent } from './store-content.ts'

/** A request as edits, and the place of its problems in it. */
export type EntityRequest = {
  /** The uid in the request; a different one shows that the request is for another entity. */
  uid?: string | undefined
  /** Derives the edits from the base; validates read-only properties against it. */
  edits: (base: EntityContent, context: EditContext) => readonly EntityEdit[] | Promise<readonly EntityEdit[]>
  /** Permission of the edits; absent: the permission to save the whole entity. */
  allowed?: (state: EntityState) => Verdict
  /** Handling of references to columns removed by the edits. */
  onReferences?: ReferenceHandling | undefined
  /** Maps problems to paths in the request. */
  places: (next: EntityContent) => ErrorPlaces
}

/** `earlier`: states of the log entry from which the edits were derived. */
type EditContext = { entity: StoredEntity; earlier: readonly EntityContent[] }

export type EditSave = EntityRequest & {
  id: number
  /** Tag of the base state; `*`: the current one. */
  base: string
  /** The version to save; absent: the latest. */
  version: string | undefined
  earlier: readonly EntityContent[]
  movesBack?: MovesBack | undefined
  /** Accepts what a new entity of a file may have. */
  isFromFile?: boolean
}

/** What a save that takes back moves of columns does in other entities before and after its own write. */
export type MovesBack = Record<'before' | 'after', (current: EntityContent, next: EntityContent) => Promise<void>>

/** A state of a document: its tag and version. */
export type Saved = { tag: string; version: string }

/** Bytes of a content from which its saves are prepared. */
const largeContent = 256 * 1024
/** Attempts for which a save is prepared again after a write conflict; later ones do all their work in the transaction. */
const preparedAttempts = 5

type Preparation = { attempt: number; earlier: () => Promise<readonly EntityContent[]> }

/** The work of a save of a large entity that needs no transaction; undefined if there is none. */
export async function prepareSave(
  change: Change,
  request: Omit<EditSave, 'earlier'>,
  { attempt, earlier }: Preparation,
): Promise<PreparedWrite | undefined> {
  const { store, organisationId, operationId, dryRun = false } = change
  const db = store.of(organisationId)
  if (dryRun || attempt >= preparedAttempts) return undefined
  if ((await contentSizeOf(db, organisationId, request.id)) < largeContent) return undefined
  // A repeated request writes nothing.
  if (operationId !== undefined && (await isOperationUsed(db, organisationId, operationId))) return undefined
  return inTurnBefore(change, async () => {
    try {
      const { entity, version, current, next } = await outcomeOf(db, change, { ...request, earlier: await earlier() })
      if (version.number !== entity.latest_version || hiddenScopes(next, version) !== undefined) return undefined
      return await prepareWrite(change, { entity, current: current.content, next })
    } catch (error) {
      // The transaction reports it, unless the state has changed by then.
      if (error instanceof ApiError) return undefined
      throw error
    }
  })
}

/** Applies a request's edits to its base state, and merges by uid and field with concurrent saves. Returns the new state. */
export async function saveEntity(tx: Tx, change: Change, work: Work, save: EditSave): Promise<Saved> {
  const { entity, version, current, next } = await outcomeOf(tx, change, save)
  const places = save.places(next)
  const { onReferences, movesBack, isFromFile } = save
  await movesBack?.before(current.content, next)
  const tag = await write(tx, change, work, { entity, version, current, next, places, onReferences, isFromFile })
  await movesBack?.after(current.content, next)
  return { version: version.number, tag }
}

/** The content that a save leads to from the stored state. */
async function outcomeOf(tx: Db, change: Change, save: EditSave) {
  const { organisationId } = change
  const { id, earlier } = save
  const entity = await requireEntity(tx, organisationId, id)
  await refuseForeignUid(tx, organisationId, entity, save)
  const version = await savedVersion(tx, organisationId, entity, save.version)
  const { stored, base, current, lookup } = await states(tx, organisationId, version, save.base)
  const requested = await save.edits(base.content, { entity, earlier })
  const edits = withCurrentIds(requested, base.content, { stored, lookup })
  await yieldToEventLoop()
  const onlyScopes = edits.every(({ kind }) => kind === 'changeScopes')
  const state = entityState(entity, version.number)
  requireAllowed(save.allowed?.(state) ?? maySaveEntity(state, { onlyScopes }))
  const edited = edits.length === 0 ? base.content : inOrder(applyEntityEdits(base.content, edits))
  await yieldToEventLoop()
  const keyed = await withSettledKey(tx, organisationId, { ...entity, content: base.content }, edited)
  const mine = await withFormerTargets(tx, organisationId, id, { mine: keyed, stored, today: base.content })
  const merged = await mergedSave(tx, change, id, { base, mine, current })
  const place = { manifestId: entity.manifest_id, before: current.content }
  const next = await withSettledEnumerations(tx, organisationId, place, merged)
  await yieldToEventLoop()
  return { entity, version, current, next }
}

async function refuseForeignUid(
  tx: Db,
  organisationId: number,
  { id, uid, content }: StoredEntity,
  { uid: sentUid, places }: EntityRequest,
): Promise<void> {
  if (sentUid === undefined || sentUid === uid) return
  const foreign = isUid(sentUid) ? await foreignUids(tx, organisationId, [sentUid], id) : new Set()
  const message = foreign.has(sentUid) ? messages.uidTaken(sentUid) : messages.readOnly('uid')
  throw invalidField('uid', message, places(content))
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

/** Rule of complete contents, for states that are written only in part (their scopes). */
function hiddenScopes({ operationScopes }: EntityContent, { content }: Version): string | undefined {
  return newScopes(operationScopes, content.operationScopes)
}

function refuseHiddenScopes(next: EntityContent, version: Version, places: ErrorPlaces): void {
  const message = hiddenScopes(next, version)
  if (message !== undefined) throw invalidField('operationScopes', message, places)
}

type Write = {
  entity: StoredEntity
  version: Version
  current: State
  next: EntityContent
  places: ErrorPlaces
  onReferences: ReferenceHandling | undefined
  isFromFile: boolean | undefined
}

async function write(tx: Tx, change: Change, work: Work, writeInput: Write) {
  const { entity, version, current, next, places, onReferences, isFromFile } = writeInput
  const { operationScopes } = next
  refuseHiddenScopes(next, version, places)
  if (version.number !== entity.latest_version)
    return storeFrozenScopes(tx, change, work, { entity, version, operationScopes })
  if (entity.organisation_id !== change.organisationId)
    return storeOwnScopes(tx, change, work, { entity, operationScopes })
  return storeContent(tx, change, work, {
    current: { ...entity, content: current.content },
    next,
    places,
    onReferences,
    isFromFile,
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
