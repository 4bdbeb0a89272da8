import { applyEntityEdits, type EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { type EntityState, maySaveEntity, type Verdict } from '@cadmus/model/locks'
import { compareVersions, parseVersion } from '@cadmus/model/version'
import { messages } from '@cadmus/model/messages'
import { newScopes } from '@cadmus/model/rules/scopes'
import { isUid } from '@cadmus/model/uid'
import { invalid, notFound } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import { referenceLookup, refreshed, type ReferenceLookup } from '../../store/entity-refresh.ts'
import { frozenVersion } from '../../store/entity-version.ts'
import type { StoredEntity } from '../../store/entity.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { type Change, transact, type Work } from '../change.ts'
import { storedBefore } from '../named-save.ts'
import { entityState, requireAllowed, requireEntity } from './entity-state.ts'
import { withCurrentIds, withFormerTargets } from './former-targets.ts'
import type { ErrorPlaces } from './invalid-entity.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { baseOf, mergedSave, type State } from './merge-save.ts'
import { withSettledKey } from './settle-keys.ts'
import { storeContent } from './store-content.ts'
import { storeFrozenScopes, storeOwnScopes } from './store-scopes.ts'
import { foreignUids } from './uid-problems.ts'

/** The stored entity, and the base content of a save. */
export type Checked = { latest: StoredEntity; content: EntityContent }

export type EditSave = {
  /** Tag of the base state; `*`: the current one. */
  ifMatch: string
  /** The version to save; absent: the latest. */
  version: string | undefined
  /** The uid in the request; a different one shows that another entity was meant. */
  uid?: string | undefined
  edits: (base: EntityContent, entity: StoredEntity) => readonly EntityEdit[]
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
  const edits = withCurrentIds(save.edits(base.content, entity), base.content, { stored, lookup })
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
