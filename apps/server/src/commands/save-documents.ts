import { canonicalJson } from '@cadmus/model/content'
import type { OnReferences } from '@cadmus/model/detach'
import type { Cause } from '@cadmus/model/edits/edit-forms'
import { applyManifestEdits, type ManifestEdit } from '@cadmus/model/edits/manifest-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { readOnlyNames } from '@cadmus/model/fields/field'
import { manifestFields } from '@cadmus/model/fields/manifest'
import { limits } from '@cadmus/model/limits'
import { mayEditManifest } from '@cadmus/model/locks'
import type { ManifestContent } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { ApiError, invalid, notFound, refuseFields } from '../errors/api-error.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import type { AuditChange } from '../store/audit.ts'
import { contentByHash } from '../store/content.ts'
import type { Db, Tx } from '../store/database.ts'
import { type DocumentPlace, entriesOfOperation, entryAt, type LogRow } from '../store/edit-log.ts'
import { entitiesByIds, entityContentOf, entityRowsByIds } from '../store/entity.ts'
import { frozenVersion } from '../store/entity-version.ts'
import { configurationOf, withMarkedSecrets } from '../store/manifest-configuration.ts'
import { lockManifestNames, manifestById, manifestContent } from '../store/manifest.ts'
import { type Change, transactAndRead, type Work } from './change.ts'
import { requireEntity } from './entity/entity-state.ts'
import { withMoves } from './entity/moved-columns.ts'
import { movesBack } from './entity/moves-back.ts'
import { type PreparedWrite, writePrepared } from './entity/prepared-write.ts'
import { type EntityRequest, prepareSave, type Saved, saveEntity } from './entity/save-edits.ts'
import { checkVersion, lockedManifest } from './manifest/manifest-permission.ts'
import { addInPlace, addSubManifestsWithin, removeEntityWithin, removeSubManifestWithin } from './manifest/members.ts'
import { baseOf, renameManifest } from './manifest/rename-manifest.ts'
import { saveLists } from './manifest/save-lists.ts'
import { configurationAfter, type ConfigurationRequest, saveConfiguration } from './manifest/save-configuration.ts'
import { settledOperation, storedOperation } from './named-save.ts'

type DocumentRequest<K, R> = R & {
  kind: K
  id: number
  /** Tag of the base; `*`: the current state. */
  base: string
  version: string | undefined
  /** The log entry from which the edits were derived. */
  cause?: Cause | undefined
}
type ManifestRequest = {
  edits: readonly ManifestEdit[]
  /** Handling of references by uid of an entity that is deleted with its membership. */
  handling?: (uid: string) => OnReferences | undefined
  /** Paths in the request by those of the calls for names and members. */
  places: Readonly<Record<string, string>>
  licence: string
}
export type RequestedDocument =
  | DocumentRequest<'entity', EntityRequest>
  | DocumentRequest<'manifest', ManifestRequest>
  | DocumentRequest<'configuration', ConfigurationRequest>

/**
 * A document after an operation, with its first log entry. `content`: JSON text without secrets; 'null' if the answer is
 * large or does not need it.
 */
type SavedDocument = { entry: LogRow | undefined; tag: string; content: string }
/** `effects`: the other entries of the operation. */
export type SavedDocuments = { documents: readonly SavedDocument[]; effects: readonly LogRow[] }

/** Reads the answer from the saved documents in the same transaction, which a dry run rolls back. */
type Read<T> = (db: Db, saved: SavedDocuments) => Promise<T>
type Reading<T> = Extent & { read: Read<T> }
type Extent = { maxEffects: number; withContents: boolean }

/** Saves all documents or none. A repeated operation gets the states that the first one stored. */
export async function saveDocuments<T>(
  change: Change,
  documents: readonly RequestedDocument[],
  { read, ...extent }: Reading<T>,
): Promise<T> {
  let prepared: Prepared = new Map()
  return transactAndRead(change, 2 * documents.length, {
    prepare: async attempt => void (prepared = await prepare(change, documents, attempt)),
    async run(tx, work) {
      if (!(await begin(tx, change, documents))) return
      await saveTogether(tx, change, work, documents, prepared)
    },
    async read(tx) {
      const written = new Set(Array.from(prepared.values(), ({ hash }) => hash))
      return read(tx, await savedDocuments(tx, change, documents, { ...extent, written }))
    },
  })
}

/** The entries of entities name the columns moved between them. */
async function saveTogether(
  tx: Tx,
  change: Change,
  work: Work,
  documents: readonly RequestedDocument[],
  prepared: Prepared,
): Promise<void> {
  // A prepared write changes no columns.
  const entities = documents.filter(document => document.kind === 'entity' && !prepared.has(document))
  const ids = entities.length > 1 ? entities.map(({ id }) => id) : []
  const before = await entitiesByIds(tx, change.organisationId, ids)
  const entries: AuditChange[] = []
  const noting: Work = { ...work, audit: (...all) => void entries.push(...all) }
  for (const document of documents) {
    const others = [...before.values()].filter(({ id }) => id !== document.id)
    const former = document.kind === 'entity' ? others.map(({ content }) => content) : []
    const context = { prepared, former, others: new Set(others.map(({ id }) => id)) }
    await save(tx, change, noting, document, context).catch(error => inDocument(error, document))
  }
  const after = await entitiesByIds(tx, change.organisationId, ids)
  work.audit(...withMoves(entries, before, after))
}

/** Saves one document. Returns its state after the operation; `content`: of a configuration, as in `SavedDocument`. */
export async function saveDocument(
  change: Change,
  document: RequestedDocument,
): Promise<{ tag: string; version: string | undefined; content: string }> {
  const { organisationId, operationId } = change
  let prepared: Prepared = new Map()
  return transactAndRead(change, 2, {
    prepare: async attempt => void (prepared = await prepare(change, [document], attempt)),
    run: async (tx, work) =>
      (await begin(tx, change, [document])) ? save(tx, change, work, document, { prepared }) : undefined,
    async read(tx, saved) {
      if (saved) return { ...saved, content: 'null' }
      const own = { document, limit: 1, newestFirst: true }
      const [last] = operationId === undefined ? [] : await entriesOfOperation(tx, organisationId, operationId, own)
      const { tag, read } = await stateOf(tx, organisationId, document, last)
      return { tag, version: last?.version, content: document.kind === 'configuration' ? await read() : 'null' }
    },
  })
}

/** Writes of large entities that need no more work in the transaction. */
type Prepared = ReadonlyMap<RequestedDocument, PreparedWrite>

async function prepare(change: Change, documents: readonly RequestedDocument[], attempt: number): Promise<Prepared> {
  const prepared = new Map<RequestedDocument, PreparedWrite>()
  const db = change.store.of(change.organisationId)
  for (const document of documents) {
    if (document.kind !== 'entity') continue
    const earlier = () => statesOfCause(db, change.organisationId, document)
    const write = await prepareSave(change, document, { attempt, earlier })
    if (write) prepared.set(document, write)
  }
  return prepared
}

/** Locks what the documents need, and returns whether the operation is new. */
async function begin(tx: Tx, change: Change, documents: readonly RequestedDocument[]): Promise<boolean> {
  // The lock order of all changes: the names of the organisation come first.
  if (documents.length > 1 || documents.some(({ kind }) => kind !== 'entity'))
    await lockManifestNames(tx, change.organisationId)
  return !(await storedOperation(tx, change))
}

/** Returns the documents after the operation if it was stored; otherwise cancels it and returns undefined. */
export async function settleDocuments<T>(
  change: Change,
  operationId: string,
  documents: readonly DocumentPlace[],
  { read, ...extent }: Reading<T>,
): Promise<T | undefined> {
  if (!(await settledOperation(change, operationId))) return undefined
  const db = change.store.of(change.organisationId)
  return read(db, await savedDocuments(db, { ...change, operationId }, documents, { ...extent, written: new Set() }))
}

/** `former`: states of the other entities of the request, `others`, whose columns this one may get. */
type Context = { prepared: Prepared; former?: readonly EntityContent[]; others?: ReadonlySet<number> }

/** Returns the new state of an entity. */
async function save(
  tx: Tx,
  change: Change,
  { audit, ...ids }: Work,
  document: RequestedDocument,
  { prepared, former = [], others = new Set() }: Context,
): Promise<Saved | undefined> {
  const { cause } = document
  const isOwn = isEntryOf(document)
  const marked = (entry: AuditChange) => (isOwn(entry) ? { ...entry, cause } : { ...entry, follows: true })
  const work: Work = { ...ids, audit: (...entries) => audit(...entries.map(marked)) }
  const write = prepared.get(document)
  if (write) return { version: write.row.latest_version, tag: await writePrepared(tx, change, work, write) }
  const earlier = [...(await statesOfCause(tx, change.organisationId, document)), ...former]
  if (document.kind === 'entity') {
    const { id, onReferences } = document
    const isTaken = cause !== undefined && cause.kind !== 'merge'
    const taken = isTaken ? { id, since: cause.sequence, others, onReferences } : undefined
    const back = taken && movesBack(tx, change, work, taken)
    return saveEntity(tx, change, work, { ...document, earlier, movesBack: back })
  }
  if (document.kind === 'manifest')
    await saveManifest(tx, change, work, document).catch(error => placed(error, document.places))
  else await saveConfiguration(tx, change, work, document)
  return undefined
}

function isEntryOf({ kind, id }: DocumentPlace) {
  return ({ kind: of, target_id: target, content_kind: content }: AuditChange) =>
    target === id && (kind === 'entity' ? of === 'ENTITY' : content === kind)
}

function placed(error: unknown, places: Readonly<Record<string, string>>): never {
  if (error instanceof ApiError)
    error.errors = error.errors?.map(({ path, message }) => ({ path: places[path] ?? path, message }))
  throw error
}

/** Names the document of an error, because a request may have several documents. */
export function inDocument(error: unknown, { kind, id }: DocumentPlace): never {
  if (error instanceof ApiError) error.document = { kind, id }
  throw error
}

/**
 * Returns the contents before and after the entry from which the edits were derived. 404 for a missing document, 400 if
 * it has no such entry.
 */
async function statesOfCause(tx: Db, organisationId: number, document: RequestedDocument): Promise<EntityContent[]> {
  const { cause } = document
  if (cause === undefined || cause.kind === 'merge') return []
  const entry = await entryAt(tx, organisationId, document, cause.sequence)
  if (!entry) {
    await stateOf(tx, organisationId, document, undefined)
    throw invalid(messages.unknownCause, [{ path: 'cause.sequence', message: messages.unknownCause }])
  }
  if (document.kind !== 'entity') return []
  const states: EntityContent[] = []
  for (const hash of [entry.original_hash, entry.updated_hash]) {
    const body = hash === null ? undefined : await contentByHash(tx, organisationId, hash)
    if (hash !== null && body !== undefined) states.push(entityContentOf(hash, body))
  }
  return states
}

async function savedDocuments(
  db: Db,
  { organisationId, operationId = '' }: Change,
  documents: readonly Shown[],
  { maxEffects, withContents, written }: Extent & { written: ReadonlySet<string> },
): Promise<SavedDocuments> {
  const saved: SavedDocument[] = []
  let length = 0
  for (const document of documents) {
    const own = { document, limit: 1 }
    const [entry] = await entriesOfOperation(db, organisationId, operationId, own)
    const [last] = entry ? await entriesOfOperation(db, organisationId, operationId, { ...own, newestFirst: true }) : []
    const { tag, read } = await stateOf(db, organisationId, document, last)
    const isShown = withContents && length <= limits.listedContents
    // A content that was just written needs no upgrade.
    const body = isShown && written.has(tag) ? await contentByHash(db, organisationId, tag) : undefined
    const content = body ?? (isShown ? await read() : 'null')
    await yieldToEventLoop()
    length += content.length
    saved.push({ entry, tag, content })
  }
  const shown = new Set(saved.map(({ entry }) => entry?.sequence))
  const all = await entriesOfOperation(db, organisationId, operationId, { limit: documents.length + maxEffects })
  const effects = all.filter(({ sequence }) => !shown.has(sequence)).slice(0, maxEffects)
  return { documents: saved, effects }
}

type Shown = DocumentPlace & { version?: string | undefined }
/** `read`: the content as JSON text. */
type State = { tag: string; read: () => Promise<string> }

/** Returns the state after the entry, or the current state of the version without an entry. */
async function stateOf(
  db: Db,
  organisationId: number,
  { kind, id, version }: Shown,
  entry: LogRow | undefined,
): Promise<State> {
  if (kind === 'entity') {
    const after = entry?.after
    if (after != null && (await entityRowsByIds(db, organisationId, [id])).has(id))
      return { tag: after, read: () => storedEntity(db, organisationId, after) }
    const latest = await requireEntity(db, organisationId, id)
    const frozen = version === undefined ? undefined : await frozenVersion(db, organisationId, id, version)
    const shown = frozen ?? latest
    return { tag: shown.content_hash, read: async () => canonicalJson(shown.content) }
  }
  const now = await manifestById(db, organisationId, id)
  if (kind === 'manifest') {
    if (!now) throw notFound('The manifest')
    const tag = entry?.after ?? now.content_hash
    return { tag, read: async () => (await contentByHash(db, organisationId, tag)) ?? 'null' }
  }
  const manifest = entry && now ? await configurationAfter(db, organisationId, id, entry) : now
  if (!manifest) throw notFound('The manifest')
  const { configuration, hash } = await configurationOf(db, manifest)
  return { tag: hash, read: async () => JSON.stringify(withMarkedSecrets(configuration)) }
}

/** Parsed, because the stored form may be that of an earlier release. */
async function storedEntity(db: Db, organisationId: number, hash: string): Promise<string> {
  const body = await contentByHash(db, organisationId, hash)
  return body === undefined ? 'null' : canonicalJson(entityContentOf(hash, body))
}

/**
 * Applies edits of a manifest by the commands of the documented calls, each with its rules and entry. Omits changes that another save has
 * already made. New members come last.
 */
async function saveManifest(
  tx: Tx,
  change: Change,
  work: Work,
  request: DocumentRequest<'manifest', ManifestRequest>,
): Promise<void> {
  const { id: manifestId, licence, handling = () => undefined } = request
  const { organisationId } = change
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
  await checkVersion(tx, manifest, request.version, mayEditManifest)
  const current = await manifestContent(tx, manifest)
  const base = await baseOf(tx, manifest, current, request.base)
  const edited = applyManifestEdits(base, request.edits)
  refuseReadOnly(base, edited)
  const members = difference(base, edited, current, content => content.entities.map(({ id }) => id))
  const subs = difference(base, edited, current, content => content.subManifests)
  checkCount([members, subs].flatMap(({ added, removed }) => [...added, ...removed]).length)
  checkTypes(edited, members.added)
  if (edited.name !== base.name)
    await renameManifest(tx, change, work, manifest, { name: edited.name, base, content: current })
  await saveLists(tx, change, work, manifest, { base, mine: edited })
  for (const entityId of members.removed) await removeEntityWithin(tx, change, work, { manifestId, entityId, handling })
  for (const subId of subs.removed) await removeSubManifestWithin(tx, change, work, { manifestId, subId, licence })
  if (members.added.length > 0) await addInPlace(tx, change, work, { manifestId, entityIds: members.added })
  if (subs.added.length > 0) await addSubManifestsWithin(tx, change, work, { manifestId, subIds: subs.added })
}

function difference(
  base: ManifestContent,
  edited: ManifestContent,
  current: ManifestContent,
  idsOf: (content: ManifestContent) => readonly number[],
) {
  const [before, after, now] = [base, edited, current].map(content => new Set(idsOf(content)))
  const only = (ids: Iterable<number> = [], others?: ReadonlySet<number>) => [...ids].filter(id => !others?.has(id))
  return {
    added: only(only(after, before), now),
    removed: only(before, after).filter(id => now?.has(id)),
  }
}

function refuseReadOnly(base: ManifestContent, edited: ManifestContent): void {
  const changed = readOnlyNames(manifestFields).filter(name => !isEqual(base[name], edited[name]))
  refuseFields(changed.map(path => ({ path, message: messages.readOnly(path) })))
}

function checkCount(count: number): void {
  if (count <= limits.editedMembers) return
  const message = messages.tooManyMembers(limits.editedMembers)
  throw invalid(message, [{ path: 'edits', message }])
}

/** An exclusive member is a copy, which only its own call makes. */
function checkTypes({ entities }: ManifestContent, added: readonly number[]): void {
  const ids = new Set(added)
  if (!entities.some(({ id, type }) => ids.has(id) && type === 'EXCLUSIVE')) return
  throw invalid(messages.exclusiveMembers, [{ path: 'entities', message: messages.exclusiveMembers }])
}
