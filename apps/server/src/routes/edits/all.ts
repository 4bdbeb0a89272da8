import { editFormat } from '@cadmus/model/edits/edit-log'
import type { Cause } from '@cadmus/model/edits/edit-log'
import { configurationEdits, entityEdits } from '@cadmus/model/contract/edits'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { changeOf } from '../../commands/change.ts'
import {
  type DocumentEdits,
  saveDocuments,
  type SavedDocument,
  settleDocuments,
} from '../../commands/edits/save-documents.ts'
import { requireEntity } from '../../commands/entity/entity-state.ts'
import { ApiError, invalid } from '../../errors/api-error.ts'
import { handle, type RequestContext, type Route } from '../../http/route.ts'
import { hasServiceOptions } from '../../service-options.ts'
import type { Db } from '../../store/database.ts'
import { type DocumentPlace, logAfter } from '../../store/edit-log.ts'
import { requireManifest } from '../manifest/require-manifest.ts'
import { entryTexts, ready, resultText } from './log-entry.ts'

export const editRoutes: Route[] = [
  handle(entityEdits.save, ({ params, body }, request) =>
    save(request, body, { kind: 'entity', ...input(params, body) }),
  ),
  handle(entityEdits.list, ({ params: { id }, query }, request) => list(request, { kind: 'entity', id }, query)),
  handle(entityEdits.settle, ({ params }, request) => settle(request, { kind: 'entity', id: params.id }, params)),
  handle(configurationEdits.save, ({ params, body }, request) =>
    save(request, body, { kind: 'configuration', ...input(params, body) }),
  ),
  handle(configurationEdits.list, ({ params: { id }, query }, request) =>
    list(request, { kind: 'configuration', id }, query),
  ),
  handle(configurationEdits.settle, ({ params }, request) =>
    settle(request, { kind: 'configuration', id: params.id }, params),
  ),
]

type Operation = { operationId: string; dryRun: boolean; cause?: Cause | undefined }
type Body<E> = {
  format: number
  base?: string | undefined
  version?: string | undefined
  edits: readonly E[]
  onReferences?: DocumentEdits['onReferences'] | undefined
}

/** Returns the edits of a body. 428 without a base, 400 for another format. */
function input<E>({ id }: { id: number }, { format, base, version, edits, onReferences = {} }: Body<E>) {
  if (base === undefined) throw new ApiError(428, 'base_required', messages.baseRequired)
  if (format !== editFormat) {
    const message = messages.editFormat(format, editFormat)
    throw invalid(message, [{ path: 'format', message }])
  }
  return { id, base: unquoted(base), version, edits, onReferences }
}

/** An ETag may be sent as received. */
function unquoted(tag: string): string {
  return tag.replace(/^(?:W\/)?"(.*)"$/, '$1')
}

async function save(request: RequestContext, operation: Operation, document: DocumentEdits) {
  const [saved] = await saveAll(request, operation, [document])
  if (!saved) throw new TypeError('A save without a result.')
  request.setEtag(saved.tag)
  return ready(saved.text)
}

type Result = { tag: string; text: string }

async function saveAll(
  request: RequestContext,
  { operationId, dryRun, cause }: Operation,
  documents: readonly DocumentEdits[],
): Promise<Result[]> {
  const { context, organisation } = request
  const change = { ...changeOf(request, operationId), dryRun, cause }
  const serviceOptions = hasServiceOptions(context.config, organisation)
  const configuration = { box: context.secrets, licence: organisation.limits, serviceOptions }
  return saveDocuments(change, configuration, documents, reading(request)).catch(withOwnCode)
}

function reading(request: RequestContext) {
  const read = async (db: Db, saved: readonly SavedDocument[]): Promise<Result[]> => {
    const results: Result[] = []
    for (const one of saved) results.push({ tag: one.tag, text: await resultText({ ...placeOf(request), db }, one) })
    return results
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
  throw new ApiError(error.status, code, error.message, error.references ? { references: error.references } : {})
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
  const [saved] = (await settleDocuments(changeOf(request), operationId, [document], reading(request))) ?? []
  if (saved) request.setEtag(saved.tag)
  return ready(`{"result":${saved?.text ?? 'null'}}`)
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
