import type { HandlerInput } from '@cadmus/model/contract/call'
import { configurationEdits, entityEdits, manifestEdits, saveChanges } from '@cadmus/model/contract/edits'
import { type Cause, causeSchema, editFormat, editForms } from '@cadmus/model/edits/edit-forms'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import { changeOf } from '../commands/change.ts'
import {
  type DocumentEdits,
  inDocument,
  type SavedDocuments,
  saveDocuments,
  settleDocuments,
} from '../commands/save-documents.ts'
import { requireEntity } from '../commands/entity/entity-state.ts'
import { ApiError, invalid } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { hasServiceOptions } from '../config.ts'
import type { Db } from '../store/database.ts'
import { type DocumentPlace, editTexts, logAfter, type LogRow, uidsOf } from '../store/edit-log.ts'
import { requireManifest } from './manifest-answer.ts'

export const editRoutes: Route[] = [
  handle(entityEdits.save, ({ params, body }, request) =>
    save(request, body, { kind: 'entity', id: params.id, ...input(body) }),
  ),
  handle(entityEdits.list, ({ params: { id }, query }, request) => list(request, { kind: 'entity', id }, query)),
  handle(entityEdits.settle, ({ params }, request) => settle(request, { kind: 'entity', id: params.id }, params)),
  handle(manifestEdits.save, ({ params, body }, request) =>
    save(request, body, { kind: 'manifest', id: params.id, ...input(body) }),
  ),
  handle(manifestEdits.list, ({ params: { id }, query }, request) => list(request, { kind: 'manifest', id }, query)),
  handle(manifestEdits.settle, ({ params }, request) => settle(request, { kind: 'manifest', id: params.id }, params)),
  handle(configurationEdits.save, ({ params, body }, request) =>
    save(request, body, { kind: 'configuration', id: params.id, ...input(body) }),
  ),
  handle(configurationEdits.list, ({ params: { id }, query }, request) =>
    list(request, { kind: 'configuration', id }, query),
  ),
  handle(configurationEdits.settle, ({ params }, request) =>
    settle(request, { kind: 'configuration', id: params.id }, params),
  ),
  handle(saveChanges, async ({ body }, request) => {
    const documents = body.changes.map(documentOf)
    checkTogether(documents)
    const { results, effects } = await saveAll(request, body, documents)
    const texts = results.map(result => `{"etag":${JSON.stringify(result.tag)},${resultText(result)}}`)
    return ready(`{"results":[${texts.join(',')}],"effects":${effects}}`)
  }),
]

function documentOf(changed: HandlerInput<typeof saveChanges>['body']['changes'][number]): DocumentEdits {
  const { kind, id } = changed
  try {
    if (kind === 'entity') return { kind, id, ...input(changed) }
    return kind === 'manifest' ? { kind, id, ...input(changed) } : { kind, id, ...input(changed) }
  } catch (error) {
    return inDocument(error, changed)
  }
}

/** Bounds the time of one transaction. */
function checkTogether(documents: readonly DocumentEdits[]): void {
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

type Operation = { operationId: string; dryRun: boolean; cause?: Cause | undefined }
type Body<E> = {
  base?: string | undefined
  version?: string | undefined
  edits: readonly E[]
  onReferences?: DocumentEdits['onReferences'] | undefined
}

/** The edits of a document in a body. 428 without a base. */
function input<E>({ base, version, edits, onReferences = {} }: Body<E>) {
  if (base === undefined) throw new ApiError(428, 'base_required', messages.baseRequired)
  return { base: unquoted(base), version, edits, onReferences }
}

/** An ETag may be sent as received. */
function unquoted(tag: string): string {
  return tag.replace(/^(?:W\/)?"(.*)"$/, '$1')
}

async function save(request: RequestContext, operation: Operation, document: DocumentEdits) {
  const [answer] = answersOf(request, await saveAll(request, operation, [document]))
  if (answer === undefined) throw new TypeError('A save without a result.')
  return ready(answer)
}

/** JSON texts. */
type Result = { tag: string; entry: string; content: string }
type Results = { results: readonly Result[]; effects: string }

function resultText({ entry, content }: Result): string {
  return `"entry":${entry},"content":${content}`
}

/** The answer about one document, with its tag. */
function answersOf(request: RequestContext, { results, effects }: Results): string[] {
  return results.map(result => {
    request.setEtag(result.tag)
    return `{${resultText(result)},"effects":${effects}}`
  })
}

async function saveAll(
  request: RequestContext,
  { operationId, dryRun, cause }: Operation,
  documents: readonly DocumentEdits[],
): Promise<Results> {
  const { context, organisation } = request
  const change = { ...changeOf(request, operationId), dryRun, cause }
  const serviceOptions = hasServiceOptions(context.config, organisation)
  const configuration = { box: context.secrets, licence: organisation.limits, serviceOptions }
  return saveDocuments(change, configuration, documents, reading(request)).catch(withOwnCode)
}

function reading(request: RequestContext) {
  const read = async (db: Db, { documents, effects }: SavedDocuments): Promise<Results> => {
    const place = { ...placeOf(request), db }
    const results: Result[] = []
    for (const { tag, content, entry } of documents) {
      const [text = 'null'] = entry ? await entryTexts(place, [entry]) : []
      results.push({ tag, content, entry: text })
    }
    return { results, effects: await effectsText(place, effects) }
  }
  return { maxEffects: limits.editEntries.effects, read }
}

/** Error codes that these calls return for errors of the commands. */
const codes = new Map([
  ['referenced', 'references'],
  ['save_other', 'operation_reused'],
  ['save_spent', 'operation_cancelled'],
])

function withOwnCode(error: unknown): never {
  const code = error instanceof ApiError ? codes.get(error.code) : undefined
  if (code === undefined || !(error instanceof ApiError)) throw error
  const { references, document } = error
  const renamed = new ApiError(error.status, code, error.message, references ? { references } : {})
  renamed.document = document
  throw renamed
}

async function list(request: RequestContext, document: DocumentPlace, query: { after: number; limit: number }) {
  await requireDocument(request, document)
  const place = placeOf(request)
  const page = { ...query, maxBytes: limits.editEntries.pageSize }
  const { rows, more } = await logAfter(place.db, place.organisationId, document, page)
  return ready(`{"entries":[${(await entryTexts(place, rows)).join(',')}],"more":${more}}`)
}

async function settle(request: RequestContext, document: DocumentPlace, { operationId }: { operationId: string }) {
  await requireDocument(request, document)
  const settled = await settleDocuments(changeOf(request), operationId, [document], reading(request))
  const [answer = 'null'] = settled ? answersOf(request, settled) : []
  return ready(`{"result":${answer}}`)
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
async function entryTexts({ db, organisationId, userId }: Place, rows: readonly LogRow[]): Promise<string[]> {
  const uids = await uidsOf(db, organisationId, rows)
  const texts = await editTexts(
    db,
    organisationId,
    rows.filter(row => row.edit_format !== null).map(row => row.sequence),
  )
  return rows.map(row => {
    const fields = {
      ...fieldsOf(row, uids),
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
    document: { kind: row.content_kind, id, uid: uids.get(`${kind} ${id}`) ?? null, name },
    version,
    before,
    after,
    actor: { name: row.user_name, email: row.user_email },
    at,
    description,
  }
}
