import { canonicalJson } from '@cadmus/model/content'
import type { OnReferences } from '@cadmus/model/detach'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import { applyManifestEdits, type ManifestEdit } from '@cadmus/model/edits/manifest-edits'
import { configurationFromEdits, entityFromEdits, type Requested } from '@cadmus/model/edits/requested-content'
import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { readOnlyNames } from '@cadmus/model/fields/field'
import { manifestFields } from '@cadmus/model/fields/manifest'
import { limits } from '@cadmus/model/limits'
import { mayEditManifest } from '@cadmus/model/locks'
import type { ManifestContent } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { ApiError, invalid, notFound, refuseFields } from '../errors/api-error.ts'
import { inPieces, yieldToEventLoop } from '../event-loop.ts'
import { contentByHash } from '../store/content.ts'
import type { Db, Tx } from '../store/database.ts'
import { type DocumentPlace, entriesOfOperation, entryAt, type LogRow } from '../store/edit-log.ts'
import { entityById, entityContentOf } from '../store/entity.ts'
import { frozenVersion } from '../store/entity-version.ts'
import { configurationOf, withMarkedSecrets } from '../store/manifest-configuration.ts'
import { lockManifestNames, manifestById, manifestContent } from '../store/manifest.ts'
import { type Change, transactAndRead, type Work } from './change.ts'
import type { ReferenceHandling } from './entity/column-loss.ts'
import { placesInContent } from './entity/invalid-entity.ts'
import { saveEntity } from './entity/save-edits.ts'
import type { Box } from './manifest/configuration-secrets.ts'
import { checkVersion, lockedManifest } from './manifest/manifest-permission.ts'
import { addInPlace, addSubManifestsWithin, removeEntityWithin, removeSubManifestWithin } from './manifest/members.ts'
import { baseOf, renameWithin } from './manifest/rename-manifest.ts'
import { configurationAfter, storeConfiguration } from './manifest/save-configuration.ts'
import { settledOperation, storedOperation } from './named-save.ts'

type EditsOf<K, E> = {
  kind: K
  id: number
  /** Tag of the base; `*`: the current state. */
  base: string
  version: string | undefined
  edits: readonly E[]
  onReferences: Readonly<Record<string, OnReferences>>
}
export type DocumentEdits =
  | EditsOf<'entity', EntityEdit>
  | EditsOf<'manifest', ManifestEdit>
  | EditsOf<'configuration', ConfigurationEdit>

/** Context of the configuration rules: the licence limits and whether service options are allowed. */
type ConfigurationContext = { box: Box; licence: string; serviceOptions: boolean }

/** A document after an operation: its first entry, and its state. The content is JSON text without secrets; 'null' if the answer is large. */
type SavedDocument = { entry: LogRow | undefined; tag: string; content: string }
/** `effects`: the other entries of the operation. */
export type SavedDocuments = { documents: readonly SavedDocument[]; effects: readonly LogRow[] }

/** Reads the answer from the saved documents in the same transaction, which a dry run rolls back. */
type Read<T> = (db: Db, saved: SavedDocuments) => Promise<T>
type Reading<T> = { maxEffects: number; read: Read<T> }

/** Applies the edits of all documents or none. A repeated operation gets the states that the first one stored. */
export async function saveDocuments<T>(
  change: Change,
  context: ConfigurationContext,
  documents: readonly DocumentEdits[],
  { maxEffects, read }: Reading<T>,
): Promise<T> {
  const { organisationId } = change
  return transactAndRead(change, 2 * documents.length, {
    async run(tx, work) {
      if (await storedOperation(tx, change)) return
      // The lock order of all changes: the names of the organisation come first.
      if (documents.length > 1 || documents.some(({ kind }) => kind !== 'entity'))
        await lockManifestNames(tx, organisationId)
      for (const document of documents)
        await saveDocument(tx, change, work, context, document).catch(error => inDocument(error, document))
    },
    read: async tx => read(tx, await savedDocuments(tx, change, documents, maxEffects)),
  })
}

/** Returns the documents after the operation if it was stored; otherwise cancels it and returns undefined. */
export async function settleDocuments<T>(
  change: Change,
  operationId: string,
  documents: readonly DocumentPlace[],
  { maxEffects, read }: Reading<T>,
): Promise<T | undefined> {
  if (!(await settledOperation(change, operationId))) return undefined
  const db = change.store.of(change.organisationId)
  return read(db, await savedDocuments(db, { ...change, operationId }, documents, maxEffects))
}

async function saveDocument(
  tx: Tx,
  change: Change,
  work: Work,
  context: ConfigurationContext,
  document: DocumentEdits,
): Promise<void> {
  const { id, base, version } = document
  const earlier = await statesOfCause(tx, change, document)
  if (document.kind === 'configuration') {
    const requested = (stored: Parameters<typeof configurationFromEdits>[0]) =>
      accepted(configurationFromEdits(stored, document.edits))
    await storeConfiguration(tx, change, work, context.box, { ...context, manifestId: id, version, base, requested })
    return
  }
  if (document.kind === 'manifest') {
    const handling = (uid: string) => document.onReferences[uid]
    await saveManifest(tx, change, work, { ...document, handling, licence: context.licence })
    return
  }
  await saveEntity(tx, change, work, id, {
    ifMatch: base,
    version,
    edits: async content => {
      const requested = accepted(await inPieces(entityFromEdits(content, document.edits, earlier)))
      return entityEditsBetween(content, requested)
    },
    onReferences: handlingIn(document),
    places: () => placesInContent,
  })
}

/** Names the document of an error, of which a request may have several. */
export function inDocument(error: unknown, { kind, id }: DocumentPlace): never {
  if (error instanceof ApiError) error.document = { kind, id }
  throw error
}

function accepted<C>({ content, problems }: Requested<C>): C {
  refuseFields(problems.slice(0, maxReported))
  return content
}

const maxReported = 100

/** Handling of references by column: as decided for the whole request, else in the edit that removes the column. */
function handlingIn({ edits, onReferences }: EditsOf<'entity', EntityEdit>): ReferenceHandling {
  const decided = new Map<string, OnReferences>()
  for (const edit of edits) {
    if (edit.kind === 'changeEntity')
      for (const [uid, way] of Object.entries(edit.onReferences ?? {})) decided.set(uid, way)
    if (edit.kind === 'removeAttributes' && edit.onReferences !== undefined)
      for (const uid of edit.uids) decided.set(uid, edit.onReferences)
  }
  for (const [uid, way] of Object.entries(onReferences)) decided.set(uid, way)
  return uid => decided.get(uid)
}

/**
 * Returns the contents before and after the entry from which the edits were derived. 400 if the document has no such
 * entry.
 */
async function statesOfCause(
  tx: Tx,
  { organisationId, cause }: Change,
  document: DocumentPlace,
): Promise<EntityContent[]> {
  if (cause === undefined || cause.kind === 'merge') return []
  const entry = await entryAt(tx, organisationId, document, cause.sequence)
  if (!entry) throw invalid(messages.unknownCause, [{ path: 'cause.sequence', message: messages.unknownCause }])
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
  maxEffects: number,
): Promise<SavedDocuments> {
  const saved: SavedDocument[] = []
  let length = 0
  for (const document of documents) {
    const own = { document, limit: 1 }
    const [entry] = await entriesOfOperation(db, organisationId, operationId, own)
    const [last] = entry ? await entriesOfOperation(db, organisationId, operationId, { ...own, newestFirst: true }) : []
    const { tag, read } = await stateOf(db, organisationId, document, last)
    const content = length > limits.listedContents ? 'null' : await read()
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
    const latest = await entityById(db, organisationId, id)
    if (!latest) throw notFound('The entity')
    const frozen = entry || version === undefined ? undefined : await frozenVersion(db, organisationId, id, version)
    const shown = frozen ?? latest
    const tag = entry?.after ?? shown.content_hash
    const read = async () => {
      const body = tag === shown.content_hash ? undefined : await contentByHash(db, organisationId, tag)
      // Parsed, because the stored form may be that of an earlier release.
      return canonicalJson(body === undefined ? shown.content : entityContentOf(tag, body))
    }
    return { tag, read }
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

type ManifestSave = {
  id: number
  base: string
  version: string | undefined
  edits: readonly ManifestEdit[]
  /** By uid of an entity that is deleted with its membership. */
  handling: (uid: string) => OnReferences | undefined
  licence: string
}

/**
 * Applies edits of a manifest by the commands of the documented calls, each with its rules and entry. Omits changes that another save has
 * already made. New members come last.
 */
async function saveManifest(tx: Tx, change: Change, work: Work, save: ManifestSave): Promise<void> {
  const { organisationId } = change
  const manifest = await lockedManifest(tx, organisationId, save.id, mayEditManifest)
  await checkVersion(tx, manifest, save.version, mayEditManifest)
  const current = await manifestContent(tx, manifest)
  const base = await baseOf(tx, manifest, current, save.base)
  const edited = applyManifestEdits(base, save.edits)
  refuseReadOnly(base, edited)
  const { id: manifestId, licence, handling } = save
  const members = difference(base, edited, current, content => content.entities.map(({ id }) => id))
  const subs = difference(base, edited, current, content => content.subManifests)
  checkCount([members, subs].flatMap(({ added, removed }) => [...added, ...removed]).length)
  checkTypes(edited, members.added)
  if (edited.name !== base.name)
    await renameWithin(tx, change, work, manifestId, { name: edited.name, ifMatch: save.base })
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
