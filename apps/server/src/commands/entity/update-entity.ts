import { changedInAnswers, contentFromRequest } from '@cadmus/model/apply-request'
import { entityForm } from '@cadmus/model/content'
import {
  entityAsAnswered,
  type EntityUpdate,
  type RelationshipRequest,
  relationshipRequestFields,
} from '@cadmus/model/contract/entity-shapes'
import { asAnswered, changedAnswers } from '@cadmus/model/contract/request-fields'
import type { OnReferences } from '@cadmus/model/detach'
import {
  addRelationshipEdits,
  changeRelationshipEdits,
  findRelationship,
  removeRelationshipEdits,
} from '@cadmus/model/edits/entity-actions'
import { type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import { entityFromEdits } from '@cadmus/model/edits/requested-content'
import { type EntityContent, primaryKeyOf } from '@cadmus/model/entity'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { isRecord } from '@cadmus/model/equal'
import { hasMoreFormsThan, holdsMoreThan, isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import { mayEditAttributes } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { contentTexts } from '@cadmus/model/messages/values'
import { foldName } from '@cadmus/model/paths'
import { lossProblem, problemOf, retargeted, uidProblems, unknownProblems } from '@cadmus/model/read-content'
import { readStored, StoredFormError } from '@cadmus/model/stored/stored-form'
import { syntaxFault } from '@cadmus/model/values/json-syntax'
import { accepted, type ApiError, type FieldError, invalid, notFound, refuseFields } from '../../errors/api-error.ts'
import { inPieces } from '../../event-loop.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { entityContentOf, type StoredEntity } from '../../store/entity.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import type { Change } from '../change.ts'
import { saveDocument } from '../save-documents.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { isDefaultEntity, requireEntity } from './entity-state.ts'
import { allowedLoss } from './follow-loss.ts'
import {
  invalidEntity,
  placesByIndex,
  placesInContent,
  placesInRelationship,
  placesInRequest,
} from './invalid-entity.ts'
import type { EntityRequest } from './save-edits.ts'
import { subtypeSteps, withSettledKey } from './settle-keys.ts'
import { contentProblems } from './store-content.ts'

// Requests that save an entity, as edits of their base.

/** An update body. */
export function requestFromBody(request: EntityUpdate, onReferences: OnReferences | undefined): EntityRequest {
  return {
    uid: request.entity.uid,
    edits(base, { entity }) {
      checkAnswered(request, entity, base)
      return entityEditsBetween(base, contentFromRequest(request, base))
    },
    onReferences: removed => request.onReferencesTo?.[removed] ?? onReferences,
    places: next => placesInRequest(request.entity, next),
  }
}

/** The JSON content. */
export function requestFromContent(text: string, onReferences: ReferenceHandling): EntityRequest {
  return {
    edits: base => entityEditsBetween(base, parseContent(text, base)),
    onReferences,
    places: () => placesInContent,
  }
}

type RequestedEdits = {
  edits: readonly EntityEdit[]
  onReferences?: Readonly<Record<string, OnReferences>> | undefined
}

/** Edits, under the rules of the update body. `onReferences`: by uid of the removed column; `*`: all others. */
export function requestFromEdits({ edits, onReferences = {} }: RequestedEdits): EntityRequest {
  let edited: EntityContent | undefined
  return {
    async edits(base, { earlier }) {
      const requested = await inPieces(entityFromEdits(base, edits, earlier))
      edited = requested.edited
      return entityEditsBetween(base, accepted(requested))
    },
    onReferences: handlingIn(edits, onReferences),
    places: next => placesByIndex(edited ?? next),
  }
}

/** Handling of references by column: as decided for the whole request, else in the edit that removes the column. */
function handlingIn(edits: readonly EntityEdit[], all: Readonly<Record<string, OnReferences>>): ReferenceHandling {
  const decided = new Map<string, OnReferences>()
  for (const edit of edits) {
    if (edit.kind === 'changeEntity')
      for (const [uid, way] of Object.entries(edit.onReferences ?? {})) decided.set(uid, way)
    if (edit.kind === 'removeAttributes' && edit.onReferences !== undefined)
      for (const uid of edit.uids) decided.set(uid, edit.onReferences)
  }
  for (const [uid, way] of Object.entries(all)) decided.set(uid, way)
  return uid => decided.get(uid) ?? all['*']
}

/** 400 for read-only properties with changed values. */
function checkAnswered(request: EntityUpdate, latest: StoredEntity, content: EntityContent): void {
  const { entity, targetManifestId = -1, type } = request
  const isDefault = isDefaultEntity(latest)
  const answered = { ...content, id: latest.id, isDefault }
  const isMoved = targetManifestId > 0 && targetManifestId !== latest.manifest_id
  refuseFields([
    ...changedAnswers(entityAsAnswered, entity, answered, 'entity'),
    ...changedInAnswers({ entity }, content, isDefault),
    ...(isOtherKey(request, latest, content)
      ? [{ path: 'entity.primaryKey', message: messages.readOnly('primaryKey') }]
      : []),
    ...changedAnswers({ type: entityAsAnswered.type }, { type }, answered),
    ...(isMoved ? [{ path: 'targetManifestId', message: messages.readOnly('targetManifestId') }] : []),
  ])
}

/** Inherited keys are not compared: they may have changed without a change of the entity. */
function isOtherKey(request: EntityUpdate, latest: StoredEntity, content: EntityContent): boolean {
  const { primaryKey } = request.entity
  if (primaryKey === undefined || primaryKey === primaryKeyOf(content)) return false
  const keys = [content, latest.content, contentFromRequest(request, content)].map(primaryKeyOf)
  return keys.every(key => key !== null && key !== primaryKey)
}

/** Validates the JSON content of an entity like a save, without storing it. */
export async function validateContent(change: Change, id: number, text: string): Promise<void> {
  const { store, organisationId } = change
  const db = store.of(organisationId)
  const current = await today(db, organisationId, await requireEntity(db, organisationId, id))
  const next = await withSettledKey(db, organisationId, current, parseContent(text, current.content))
  const { steps, problems: subtypeProblems } = await subtypeSteps(db, organisationId, current, next)
  const problems = [...(await contentProblems(db, organisationId, current, { next })), ...subtypeProblems]
  if (problems.length > 0) throw invalidEntity(problems, placesInContent)
  const onReferences = () => undefined
  const others = steps.map(step => ({ ...step, onReferences }))
  await allowedLoss(db, organisationId, { current, next, onReferences }, others)
}

async function today(db: Db, organisationId: number, entity: StoredEntity): Promise<StoredEntity> {
  return { ...entity, content: await refreshedNow(db, organisationId, entity.content) }
}

async function refreshedNow(db: Db, organisationId: number, content: EntityContent): Promise<EntityContent> {
  return refreshed(content, await referenceLookup(db, organisationId, [content]))
}

/** Parses the text as a content of the same entity; identity and origin cannot be changed. */
function parseContent(text: string, previous: EntityContent): EntityContent {
  const content = readContent(text)
  const { uid, type, copiedFrom, format } = previous
  const own = { ...content, uid, type, copiedFrom, format, entityAttributes: retargeted(content, previous) }
  const problems = uidProblems(own)
  if (problems.length > 0) throw noContent(problems)
  return own
}

/** Limit of reported problems. */
const maxReported = 100

/** Parses a content. 400 with line and column for invalid JSON, and with the path of each invalid value. */
function readContent(text: string): EntityContent {
  // Checked on the text, because deep nesting or extremely many values are slow to parse.
  if (isDeeperThan(text, limits.jsonDepth)) throw noContent([{ path: 'content', message: contentTexts.tooDeep }])
  if (holdsMoreThan(text, limits.jsonValues)) throw noContent([{ path: 'content', message: contentTexts.tooMuch }])
  if (hasMoreFormsThan(text, limits.jsonForms)) throw noContent([{ path: 'content', message: contentTexts.tooMuch }])
  const json = jsonOf(text)
  const loss = lossProblem(text)
  if (loss !== undefined) throw noContent([{ path: 'content', message: loss }])
  if (!isRecord(json)) throw noContent([{ path: 'content', message: contentTexts.noObject }])
  refuseLongLists(json)
  const content = readValid(json)
  // Earlier formats had further properties, which upgrades drop.
  const unknown = json.format === entityForm.format ? unknownProblems(json, content) : []
  if (unknown.length > 0) throw noContent(unknown)
  return content
}

function readValid(json: Record<string, unknown>): EntityContent {
  try {
    return readStored(entityForm, json)
  } catch (error) {
    if (!(error instanceof StoredFormError)) throw error
    throw noContent(error.issues.slice(0, maxReported).map(issue => problemOf(issue, json)))
  }
}

/** 400 for valid JSON that is not the content of an entity. */
function noContent(errors: readonly FieldError[]): ApiError {
  return invalid(messages.failed.entityContent, [...errors])
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const fault = syntaxFault(text)
    if (fault === undefined) throw error
    const message = contentTexts.syntaxError(fault.cause, fault.line, fault.column)
    throw invalid(message, [{ path: 'content', message }])
  }
}

/** Counted before parsing: an invalid item causes a problem per field. */
function refuseLongLists({ typeAttributes, entityAttributes }: Record<string, unknown>): void {
  refuseLong('typeAttributes', typeAttributes, 'type attributes', limits.attributes)
  refuseLong('entityAttributes', entityAttributes, 'relationships', limits.relationships)
}

function refuseLong(path: string, list: unknown, what: string, limit: number): void {
  if (!Array.isArray(list) || list.length <= limit) return
  throw noContent([{ path, message: messages.tooMany(what, limit, list.length) }])
}

/** The entity, and the state that the call is based on. */
type RelationshipBase = { id: number; base: string }
/** A relationship by target entity and foreign key name in the base. */
type RelationshipName = { associatedEntityId: number; foreignKey: string }

/** `uid`: of the relationship, `hash`: the entity's new state. */
type ChangedRelationship = { uid: string; hash: string }

/** A change cannot touch identity and position. */
const fixedFields = { ...relationshipRequestFields, uid: asAnswered, position: asAnswered }

export async function createRelationship(
  change: Change,
  place: RelationshipBase,
  request: RelationshipRequest,
): Promise<ChangedRelationship> {
  const made = await save(change, { ...place, request }, (content, entity) => {
    const added = addRelationshipEdits(content, request)
    refuseFields(
      changedAnswers(relationshipRequestFields, request, { ...added.item, isDefault: isDefaultEntity(entity) }),
    )
    return { uid: added.item.uid, edits: added.edits }
  })
  if (change.operationId === undefined) return made
  // A repeated request returns the relationship created by the first.
  const body = await contentByHash(change.store.of(change.organisationId), change.organisationId, made.hash)
  const stored = body === undefined ? [] : entityContentOf(made.hash, body).entityAttributes
  const name = foldName(request.foreignKeyTypeAttribute ?? '')
  return { ...made, uid: stored.find(item => foldName(item.foreignKeyTypeAttribute) === name)?.uid ?? made.uid }
}

export async function updateRelationship(
  change: Change,
  place: RelationshipBase,
  name: RelationshipName,
  request: RelationshipRequest,
): Promise<ChangedRelationship> {
  return save(change, { ...place, request }, (content, entity) => {
    const before = requireRelationship(content, name)
    refuseFields(changedAnswers(fixedFields, request, { ...before, isDefault: isDefaultEntity(entity) }))
    return { uid: before.uid, edits: changeRelationshipEdits(content, before.uid, request) }
  })
}

export async function deleteRelationship(
  change: Change,
  place: RelationshipBase,
  name: RelationshipName,
  onReferences?: OnReferences,
): Promise<ChangedRelationship> {
  const editsOf = (content: EntityContent) => {
    const { uid } = requireRelationship(content, name)
    return { uid, edits: removeRelationshipEdits(uid) }
  }
  return save(change, place, editsOf, () => onReferences)
}

async function save(
  change: Change,
  { request, ...place }: RelationshipBase & { request?: RelationshipRequest },
  editsOf: (content: EntityContent, entity: StoredEntity) => { uid: string; edits: readonly EntityEdit[] },
  onReferences?: ReferenceHandling,
): Promise<ChangedRelationship> {
  let uid = ''
  const { tag: hash } = await saveDocument(change, {
    kind: 'entity',
    ...place,
    version: request?.version,
    edits(base, { entity }) {
      const edited = editsOf(base, entity)
      uid = edited.uid
      return edited.edits
    },
    allowed: mayEditAttributes,
    onReferences,
    places: () => placesInRelationship(request),
  })
  return { uid, hash }
}

function requireRelationship(
  content: EntityContent,
  { associatedEntityId, foreignKey }: RelationshipName,
): EntityAttribute {
  const relationship = findRelationship(content, associatedEntityId, foreignKey)
  if (!relationship) throw notFound('The relationship')
  return relationship
}
