import type { Configuration } from '@cadmus/model/configuration'
import type { Call, HandlerInput } from '@cadmus/model/contract/call'
import {
  configurationEdits,
  entityEdits,
  listManifestChanges,
  manifestEdits,
  readEntityStates,
  saveChanges,
} from '@cadmus/model/contract/edits'
import { causeSchema, editFormat, editForms } from '@cadmus/model/edits/edit-forms'
import { configurationFromEdits } from '@cadmus/model/edits/requested-content'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import type * as z from 'zod'
import { changeOf } from '../commands/change.ts'
import {
  inDocument,
  type RequestedDocument,
  type SavedDocuments,
  saveDocuments,
  settleDocuments,
} from '../commands/save-documents.ts'
import { statesOfEntry } from '../commands/logged-states.ts'
import { requireEntity } from '../commands/entity/entity-state.ts'
import { requestFromEdits } from '../commands/entity/update-entity.ts'
import { accepted, ApiError, invalid, notFound } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import type { Db } from '../store/database.ts'
import {
  type DocumentKind,
  type DocumentPlace,
  editTexts,
  entriesAt,
  entryAt,
  isOf,
  lastOwnEntries,
  logAfter,
  logBefore,
  logOfRequests,
  logTogether,
  type LogRow,
  ownLogOfManifest,
  uidsOf,
} from '../store/edit-log.ts'
import { manifestsBelow } from '../store/resolved-rows.ts'
import { answerChangedEntity } from './entity.ts'
import { configurationRules } from './manifest-configuration.ts'
import { answerChangedManifest, requireManifest } from './manifest-answer.ts'

export const editRoutes: Route[] = [
  ...routesOf('entity', entityEdits, (id, body) => ({ ...body, kind: 'entity', id })),
  ...routesOf('manifest', manifestEdits, (id, body) => ({ ...body, kind: 'manifest', id })),
  ...routesOf('configuration', configurationEdits, (id, body) => ({ ...body, kind: 'configuration', id })),
  handle(listManifestChanges, async ({ params: { id }, query }, request) => {
    const root = await requireManifest(request, id)
    const place = placeOf(request)
    const manifests = (await manifestsBelow(place.db, place.organisationId, root)).map(one => one.id)
    const of = { userId: place.userId, root: id, manifests }
    const rows = await ownLogOfManifest(place.db, place.organisationId, of, query)
    return ready(`{"entries":[${(await entryTexts(place, rows, { withEdits: false })).join(',')}]}`)
  }),
  handle(readEntityStates, ({ body }, request) => entityStates(request, body.entities)),
  handle(saveChanges, async ({ body }, request) => {
    checkTogether(body.changes)
    const documents = body.changes.map(changed => requestedDocument(request, changed))
    const { results, effects } = await saveAll(request, body, documents)
    const texts = results.map(result => `{"etag":${JSON.stringify(result.tag)},${resultText(result)}}`)
    return ready(`{"results":[${texts.join(',')}],"effects":${effects}}`)
  }),
]

type Calls<B> = {
  save: Call<IdParams, AnswerQuery, z.ZodType<B>, z.ZodType>
  list: Call<IdParams, z.ZodType<ListQuery>, undefined, z.ZodType>
  states: Call<z.ZodType<{ id: number; sequence: number }>, undefined, undefined, z.ZodType>
  settle: Call<z.ZodType<{ id: number; operationId: string }>, AnswerQuery, undefined, z.ZodType>
}
type IdParams = z.ZodType<{ id: number }>
type ListQuery = { after: number; before?: number | undefined; limit: number }
type AnswerQuery = z.ZodType<{ answer: Answered }>

/** `changed`: the document of a body, as in `changes`. */
function routesOf<B extends Operation>(
  kind: DocumentKind,
  calls: Calls<B>,
  changed: (id: number, body: B) => Changed,
): Route[] {
  return [
    handle(calls.save, async ({ params: { id }, query, body }, request) => {
      const document = requestedDocument(request, changed(id, body))
      const answer = body.dryRun ? 'content' : query.answer
      return answered(request, answer, document, await saveAll(request, body, [document], answer))
    }),
    handle(calls.list, ({ params: { id }, query }, request) => list(request, { kind, id }, query)),
    handle(calls.states, ({ params: { id, sequence } }, request) => states(request, { kind, id }, sequence)),
    handle(calls.settle, ({ params: { id, operationId }, query }, request) =>
      settle(request, { kind, id }, { operationId, ...query }),
    ),
  ]
}

type Changed = HandlerInput<typeof saveChanges>['body']['changes'][number]

/** A document with its edits. 428 without a base. */
function requestedDocument(request: RequestContext, changed: Changed): RequestedDocument {
  const { kind, id, base: tag, version, cause, onReferences = {} } = changed
  if (tag === undefined) inDocument(new ApiError(428, 'base_required', messages.baseRequired), changed)
  // An ETag may be sent as received.
  const place = { id, base: tag.replace(/^(?:W\/)?"(.*)"$/, '$1'), version, cause }
  if (kind === 'entity') return { kind, ...place, ...requestFromEdits(changed) }
  if (kind === 'configuration') {
    const requested = (base: Configuration) => accepted(configurationFromEdits(base, changed.edits))
    return { kind, ...place, requested, ...configurationRules(request) }
  }
  const handling = (uid: string) => onReferences[uid] ?? onReferences['*']
  return { kind, ...place, edits: changed.edits, handling, places, licence: request.organisation.limits }
}

/** As in the content. */
const places = { manifestName: 'name', entityIds: 'entities', submanifests: 'subManifests' }

/** Bounds the time of one transaction. */
function checkTogether(documents: readonly Changed[]): void {
  const refuse = (message: string) => {
    throw invalid(message, [{ path: 'changes', message }])
  }
  if (new Set(documents.map(({ kind, id }) => `${kind} ${id}`)).size < documents.length) refuse(messages.documentTwice)
  const count = documents.reduce((sum, { edits }) => sum + edits.length, 0)
  if (count > limits.changedEdits) refuse(messages.tooManyEdits(limits.changedEdits))
  const members = documents
    .flatMap(document => (document.kind === 'manifest' ? document.edits : []))
    .reduce((sum, edit) => sum + ('ids' in edit ? edit.ids : 'added' in edit ? edit.added : []).length, 0)
  if (members > limits.editedMembers) refuse(messages.tooManyMembers(limits.editedMembers))
}

type Operation = { operationId: string; dryRun: boolean }
type Answered = 'content' | 'document'

/** `entry` and `content` are JSON texts. */
type Result = { tag: string; version: string | undefined; entry: string; content: string }
type Results = { results: readonly Result[]; effects: string }

function resultText({ entry, content }: Result): string {
  return `"entry":${entry},"content":${content}`
}

/** The answer about one document, with its tag. */
async function answered(
  request: RequestContext,
  answer: Answered,
  document: DocumentPlace,
  { results: [result], effects }: Results,
): Promise<ReadyJson> {
  if (!result) throw new TypeError('The operation has no result.')
  request.setEtag(result.tag)
  if (answer === 'content') return ready(`{${resultText(result)},"effects":${effects}}`)
  const shown = await documentAnswer(request, document, result)
  const whole = shown instanceof ReadyJson ? shown : ready(JSON.stringify(shown))
  return whole.with(`{"entry":${result.entry},"effects":${effects}}`)
}

/** The answer of a GET of the document in the state of the result; for a manifest, in its current state. */
async function documentAnswer(request: RequestContext, { kind, id }: DocumentPlace, { tag, version, content }: Result) {
  if (kind === 'entity') return answerChangedEntity(request, id, { hash: tag, version })
  if (kind === 'manifest') return answerChangedManifest(request, await requireManifest(request, id))
  return ready(`{"manifestProperties":${content}}`)
}

async function saveAll(
  request: RequestContext,
  { operationId, dryRun }: Operation,
  documents: readonly RequestedDocument[],
  answer: Answered = 'content',
): Promise<Results> {
  return saveDocuments({ ...changeOf(request, operationId), dryRun }, documents, reading(request, answer, documents))
}

type Shown = DocumentPlace & { version?: string | undefined }

function reading(request: RequestContext, answer: Answered, shown: readonly Shown[]) {
  const read = async (db: Db, { documents, effects }: SavedDocuments): Promise<Results> => {
    const place = { ...placeOf(request), db }
    const results: Result[] = []
    for (const [index, { tag, content, entry }] of documents.entries()) {
      const [text = 'null'] = entry ? await entryTexts(place, [entry]) : []
      results.push({ tag, version: entry?.version ?? shown[index]?.version, content, entry: text })
    }
    return { results, effects: await effectsText(place, effects) }
  }
  const withContents = answer === 'content' || shown.some(({ kind }) => kind === 'configuration')
  return { maxEffects: limits.editEntries.effects, withContents, read }
}

async function list(request: RequestContext, document: DocumentPlace, { before, ...query }: ListQuery) {
  await requireDocument(request, document)
  const place = placeOf(request)
  if (before !== undefined) {
    const { rows, more } = await logBefore(place.db, place.organisationId, document, { before, limit: query.limit })
    return ready(`{"entries":[${(await entryTexts(place, rows, { withEdits: false })).join(',')}],"more":${more}}`)
  }
  const page = { ...query, maxBytes: limits.editEntries.pageSize }
  const { rows, more } = await logAfter(place.db, place.organisationId, document, page)
  return ready(`{"entries":[${(await entryTexts(place, rows)).join(',')}],"more":${more}}`)
}

async function states(request: RequestContext, document: DocumentPlace, sequence: number) {
  await requireDocument(request, document)
  const place = placeOf(request)
  const entry = await entryAt(place.db, place.organisationId, document, sequence)
  if (!entry) throw notFound('The log entry')
  const [text = 'null'] = await entryTexts(place, [entry])
  const { before, after } = await statesOfEntry(place.db, place.organisationId, document, entry)
  const others = await logTogether(place.db, place.organisationId, entry, limits.changedDocuments)
  const states = `"before":${JSON.stringify(before)},"after":${JSON.stringify(after)}`
  return ready(`{"entry":${text},${states},"others":${await effectsText(place, others)}}`)
}

type RequestedEntity = HandlerInput<typeof readEntityStates>['body']['entities'][number]

/** Organisations are separated by the store; a worker reads the contents. */
async function entityStates(request: RequestContext, requested: readonly RequestedEntity[]) {
  const place = placeOf(request)
  const { db, organisationId, userId } = place
  const sequences = requested.flatMap(({ change }) =>
    typeof change === 'object' ? [change.sequence, change.last] : [],
  )
  const rows = await entriesAt(db, organisationId, sequences)
  const changes: LogRow[][] = []
  for (const { id, change } of requested) {
    const document = { kind: 'entity' as const, id }
    const isPart = (row: LogRow) =>
      typeof change === 'object' && isOf(row, document) && [change.sequence, change.last].includes(row.sequence)
    const named = rows.filter(isPart).toSorted((a, b) => b.sequence - a.sequence)
    changes.push(change === 'last' ? await lastOwnEntries(db, organisationId, document, userId) : named)
  }
  const entities = requested.map(({ id }, index) => {
    const [first, last] = [changes[index]?.at(-1), changes[index]?.[0]]
    return { id, change: first && last ? { before: first.before, after: last.after } : null }
  })
  const { context, signal } = request
  const texts = await context.workers.run('entityStates', { organisationId, entities }, signal)
  const states: string[] = []
  for (const [index, text] of texts.entries()) {
    if (text === null) continue
    const entries = await entryTexts(place, changes[index] ?? [], { withEdits: false })
    const change = text.change && `${text.change.slice(0, -1)},"entries":[${entries.join(',')}]}`
    states.push(`${text.current.slice(0, -1)},"change":${change}}`)
  }
  const others = await logOfRequests(
    db,
    organisationId,
    changes.slice(0, texts.length).flat(),
    limits.readStates.others,
  )
  const othersText = others && (await effectsText(place, others))
  return ready(`{"states":[${states.join(',')}],"read":${texts.length},"others":${othersText}}`)
}

async function settle(
  request: RequestContext,
  document: DocumentPlace,
  { operationId, answer }: { operationId: string; answer: Answered },
) {
  await requireDocument(request, document)
  const read = reading(request, answer, [document])
  const settled = await settleDocuments(changeOf(request), operationId, [document], read)
  return settled ? (await answered(request, answer, document, settled)).in('result') : ready('{"result":null}')
}

/** 404 for a missing document, and for one of another organisation. */
async function requireDocument(request: RequestContext, { kind, id }: DocumentPlace): Promise<void> {
  const { context, organisation } = request
  if (kind === 'entity') await requireEntity(context.store.of(organisation.id), organisation.id, id)
  else await requireManifest(request, id)
}

function placeOf({ context, organisation, who }: RequestContext) {
  return { db: context.store.of(organisation.id), organisationId: organisation.id, userId: who.userId }
}

// Answers with contents and edits as stored: their JSON texts are inserted unparsed, because they may be large. Only edits of an older format are
// read and upgraded.

type Place = { db: Db; organisationId: number; userId: string }

/** The entries without their edits. */
async function effectsText({ db, organisationId }: Place, rows: readonly LogRow[]): Promise<string> {
  const uids = await uidsOf(db, organisationId, rows)
  return JSON.stringify(rows.map(row => fieldsOf(row, uids)))
}

/** Returns the entries with their edits. */
async function entryTexts(
  { db, organisationId, userId }: Place,
  rows: readonly LogRow[],
  { withEdits = true } = {},
): Promise<string[]> {
  const uids = await uidsOf(db, organisationId, rows)
  const texts = await editTexts(
    db,
    organisationId,
    rows.filter(row => withEdits && row.edit_format !== null).map(row => row.sequence),
  )
  return rows.map(row => {
    const fields = {
      ...fieldsOf(row, uids),
      own: row.user_id === userId,
      follows: Boolean(row.follows),
      operationId: row.user_id === userId ? row.save_id : null,
      format: row.edit_format === null ? null : editFormat,
      ...(row.cause === null ? {} : { cause: causeSchema.parse(JSON.parse(row.cause)) }),
    }
    return `${JSON.stringify(fields).slice(0, -1)},"edits":${currentText(row, texts.get(row.sequence) ?? 'null')}}`
  })
}

function currentText({ content_kind: kind, edit_format: stored }: LogRow, text: string): string {
  const format = Number(stored)
  if (stored === null || format === editFormat) return text
  const form: StoredForm<unknown> = kind === 'manifest' || kind === 'configuration' ? editForms[kind] : editForms.entity
  return JSON.stringify(readStored(form, JSON.parse(text), format))
}

function ready(text: string): ReadyJson {
  return new ReadyJson(Buffer.from(text))
}

function fieldsOf(row: LogRow, uids: ReadonlyMap<string, string>) {
  const { sequence, kind, target_id: id, name, version, before, after, at, description } = row
  return {
    sequence,
    changeId: row.change_id,
    entryId: row.id,
    document: { kind: row.content_kind, id, uid: uids.get(`${kind} ${id}`) ?? null, name },
    version,
    before,
    after,
    actor: { name: row.user_name, email: row.user_email },
    at,
    description,
  }
}
