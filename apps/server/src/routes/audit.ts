import { setImmediate as nextTurn } from 'node:timers/promises'
import type * as z from 'zod'
import { csvLines, writeCsv } from '@cadmus/formats/csv'
import {
  downloadEntityLogs,
  downloadManifestLogs,
  getEntityLog,
  getManifestLog,
  type logQuery,
  restoreEntityLog,
  restoreManifestLog,
} from '@cadmus/model/contract/audit'
import type { HandlerInput } from '@cadmus/model/contract/call'
import { listEntityLogs } from '@cadmus/model/contract/entity'
import { listManifestLogs } from '@cadmus/model/contract/manifest'
import { changeOf } from '../commands/change.ts'
import { restoreEntry } from '../commands/restore/restore.ts'
import { invalid } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { type Download, handle, type RequestContext, type Route } from '../http/route.ts'
import { type AuditEntryAnswer, lightAuditEntryAnswer } from '../jobs/answers.ts'
import { lightBytes } from '../store/answer-size.ts'
import { configurationRules } from './manifest-configuration.ts'
import { type AuditFilter, auditLines, type AuditPage, type AuditQuery, listLightAudit } from '../store/audit-read.ts'

export const auditRoutes: Route[] = [
  handle(listEntityLogs, ({ query }, request) =>
    answerPage('ENTITY', query, request, ({ entries, total }) => ({ entityLogs: entries, totalElements: total })),
  ),
  handle(listManifestLogs, ({ query }, request) =>
    answerPage('MANIFEST', query, request, ({ entries, total }) => ({ manifestLogs: entries, totalElements: total })),
  ),
  handle(getEntityLog, ({ params }, request) =>
    answerEntry('ENTITY', params.id, request, ({ entry, ...rest }) => ({ entityLog: entry, ...rest })),
  ),
  handle(getManifestLog, ({ params }, request) =>
    answerEntry('MANIFEST', params.id, request, ({ entry, ...rest }) => ({ manifestLog: entry, ...rest })),
  ),
  handle(restoreEntityLog, ({ params, body }, request) => restored('ENTITY', params.id, body, request)),
  handle(restoreManifestLog, ({ params, body }, request) => restored('MANIFEST', params.id, body, request)),
  handle(downloadEntityLogs, async ({ query }, request) => auditCsv('ENTITY', auditFilter(query), request)),
  handle(downloadManifestLogs, async ({ query }, request) => auditCsv('MANIFEST', auditFilter(query), request)),
]

type Kind = 'ENTITY' | 'MANIFEST'

type RestoreBody = HandlerInput<typeof restoreEntityLog>['body']

async function restored(kind: Kind, id: number, body: RestoreBody, request: RequestContext) {
  const rules = configurationRules(request)
  const { dryRun, operationId, kind: how, onReferences } = body
  const change = changeOf(request, dryRun ? undefined : operationId)
  return restoreEntry({ ...change, dryRun }, { entry: { kind, id }, kind: how, onReferences, rules })
}

/** A worker makes large answers. */
async function answerPage<T>(
  kind: Kind,
  query: LogQuery,
  { context, organisation, signal }: RequestContext,
  answer: (page: AuditPage) => T,
): Promise<T | ReadyJson> {
  const place = { organisationId: organisation.id, kind, query: auditQuery(query) }
  const light = await listLightAudit(context.store.of(organisation.id), organisation.id, kind, place.query)
  return light ? answer(light) : new ReadyJson(await context.workers.run('logs', place, signal))
}

async function answerEntry<T>(
  kind: Kind,
  id: number,
  { context, organisation, signal }: RequestContext,
  answer: (entry: AuditEntryAnswer) => T,
): Promise<T | ReadyJson> {
  const place = { organisationId: organisation.id, kind, id }
  const light = await lightAuditEntryAnswer(context.store.of(organisation.id), place, lightBytes)
  return light ? answer(light) : new ReadyJson(await context.workers.run('log', place, signal))
}

type LogQuery = z.output<typeof logQuery>

const dayLength = 24 * 60 * 60 * 1000

/** Converts the query of a log call. Throws 400 for an invalid date or order. */
export function auditQuery(query: LogQuery): AuditQuery {
  const { offset, limit, orderBy = '' } = query
  return { offset, limit, ...orderOf(orderBy), ...auditFilter(query) }
}

function auditFilter(query: Omit<LogQuery, 'offset' | 'limit' | 'orderBy'>): AuditFilter {
  const { actionType, userId, userName, userEmail, target, startDate, endDate } = query
  return {
    ...(actionType ? { actionType } : {}),
    ...(userId ? { userId } : {}),
    ...(userName ? { userName } : {}),
    ...(userEmail ? { userEmail } : {}),
    ...(target ? { target } : {}),
    ...(startDate ? { from: instant('startDate', startDate, 0) } : {}),
    ...(endDate ? { before: instant('endDate', endDate, isDay(endDate) ? dayLength : 1) } : {}),
  }
}

const orderNames: ReadonlyMap<string, AuditQuery['orderBy']> = new Map([
  ['id', 'id'],
  ['lastmodified', 'at'],
  ['timestamp', 'at'],
  ['at', 'at'],
  ['username', 'userName'],
  ['user', 'userName'],
  ['useremail', 'userEmail'],
  ['actiontype', 'actionType'],
  ['action', 'actionType'],
  ['description', 'description'],
  ['details', 'description'],
  ['entityname', 'name'],
  ['name', 'name'],
  ['path', 'path'],
])

/**
 * Parses `field`, `field asc` or `field desc` (also separated by `:` or `,`), with field names as in the entries,
 * case-insensitive. Default: newest first.
 */
function orderOf(text: string): Pick<AuditQuery, 'orderBy' | 'direction'> {
  if (text.trim() === '') return { orderBy: 'at', direction: 'desc' }
  const [field = '', direction = 'asc', ...rest] = text
    .trim()
    .toLowerCase()
    .split(/[\s:,]+/)
  const orderBy = orderNames.get(field.replaceAll('_', ''))
  if (orderBy === undefined || (direction !== 'asc' && direction !== 'desc') || rest.length > 0)
    throw invalid('orderBy: the log cannot be sorted by this field.', [
      { path: 'orderBy', message: 'the log cannot be sorted by this field.' },
    ])
  return { orderBy, direction }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** Dates are in UTC; times carry their own zone. Adds `add` milliseconds to include the end of a range. */
function instant(path: string, text: string, add: number): string {
  const time = isDay(text) || /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time) && isOfCalendar(text.slice(0, 10))) return new Date(time + add).toISOString()
  throw invalid(`${path}: this must be a date.`, [{ path, message: 'this must be a date.' }])
}

/** Rejects dates such as 30 February, which JavaScript would move to the next month. */
function isOfCalendar(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

const head = ['Timestamp', 'User', 'E-mail', 'Action', 'Name', 'Path', 'Version', 'Details']

/** Writes the log of one kind as CSV, newest first, with times in UTC. Streams in slices to limit memory. */
function auditCsv(kind: Kind, filter: AuditFilter, request: RequestContext): Download {
  const { context, organisation, signal } = request
  const slices = auditLines(context.store.of(organisation.id), organisation.id, kind, filter)
  return request.sendBinary(csvChunks(slices, signal), `${kind.toLowerCase()}-logs.csv`, 'text/csv; charset=utf-8')
}

async function* csvChunks(slices: ReturnType<typeof auditLines>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield Buffer.from(writeCsv([head]))
  for await (const rows of slices) {
    signal.throwIfAborted()
    const lines = rows.map(row => {
      const { at, user_name, user_email, action_type, name, path, version, description } = row
      return [at, user_name, user_email, action_type, name, path, version, description]
    })
    yield Buffer.from(csvLines(lines))
    await nextTurn()
  }
}
