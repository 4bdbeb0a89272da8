import type { AuditEntry } from '@cadmus/model/audit-differences'
import { downloadEntityLogs, downloadManifestLogs, getEntityLog, getManifestLog } from '@cadmus/model/contract/audit'
import { listEntityLogs } from '@cadmus/model/contract/entity'
import { listManifestLogs } from '@cadmus/model/contract/manifest'
import { isEqual } from '@cadmus/model/equal'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callApi, callForFile } from './client.ts'
import { saveFile } from './download.ts'
import { keys, queryClient, scoped } from './query-client.ts'
import { currentScope, type Scope } from './scope.ts'
import type { CallOptions } from './send.ts'
import { sessionStore } from './session-store.ts'

export type LogKind = 'manifest' | 'entity'
/** Dates are instants; empty fields do not filter. */
export type LogFilter = {
  actionType: AuditEntry['ACTION_TYPE'] | ''
  userName: string
  startDate: string
  endDate: string
}
export type LogPage = { entries: readonly AuditEntry[]; total: number }

/** A page of the log; the previous page of the same log is shown while loading. */
export function useLogs(kind: LogKind, filter: LogFilter, { page, size }: { page: number; size: number }) {
  const paging = { offset: page * size, limit: size }
  const list = scoped([...keys.logs(kind), filter, paging], options =>
    readPage(kind, { ...queryOf(filter), ...paging }, options),
  )
  return useQuery({
    ...list,
    placeholderData: (before, query) =>
      isEqual(query?.queryKey.slice(0, 3), list.queryKey.slice(0, 3)) ? keepPreviousData(before) : undefined,
    // Any action of any user adds entries to the log.
    staleTime: 0,
    gcTime: 0,
  })
}

type Asked = Partial<ReturnType<typeof queryOf>> & { target?: number; offset: number; limit: number }

async function readPage(kind: LogKind, query: Asked, options: CallOptions): Promise<LogPage> {
  if (kind === 'manifest') {
    const answer = await callApi(listManifestLogs, { query }, options)
    return { entries: answer.manifestLogs, total: answer.totalElements }
  }
  const answer = await callApi(listEntityLogs, { query }, options)
  return { entries: answer.entityLogs, total: answer.totalElements }
}

/** An entry with its changes. Entries never change. */
export function useLogEntry(kind: LogKind, id: number) {
  return useQuery(logEntryQuery(kind, id))
}

function logEntryQuery(kind: LogKind, id: number, scope?: Scope) {
  const read = async (options: CallOptions) => {
    if (kind === 'entity') {
      const { entityLog: entry, ...rest } = await callApi(getEntityLog, { params: { id } }, options)
      return { entry, ...rest }
    }
    const { manifestLog: entry, ...rest } = await callApi(getManifestLog, { params: { id } }, options)
    return { entry, ...rest }
  }
  return scoped([...keys.logs(kind), id], read, scope)
}

/** Downloads all entries that match the filter as CSV. Returns the file name. */
export async function downloadLogs(kind: LogKind, filter: LogFilter): Promise<string> {
  const query = queryOf(filter)
  const { blob, fileName } =
    kind === 'manifest'
      ? await callForFile(downloadManifestLogs, { query })
      : await callForFile(downloadEntityLogs, { query })
  saveFile(blob, fileName)
  return fileName
}

function queryOf({ actionType, userName, startDate, endDate }: LogFilter) {
  return {
    ...(actionType === '' ? {} : { actionType }),
    ...(userName.trim() === '' ? {} : { userName: userName.trim() }),
    ...(startDate === '' ? {} : { startDate }),
    ...(endDate === '' ? {} : { endDate }),
  }
}

/** Author and time (ISO 8601) of an action. `own`: by the signed-in user. */
export type Author = { who: string; when: string; own?: true }

/** Author and time of the deletion of an entity or manifest; null if the log has no deletion. */
export async function deletionOf(kind: LogKind, id: number, scope = currentScope()): Promise<Author | null> {
  const query = { actionType: 'DELETE' as const, target: id, offset: 0, limit: 1 }
  const [entry] = (await readPage(kind, query, { scope })).entries
  return entry ? authorOf(entry) : null
}

/**
 * Author and time of the last change of each place of an entity or manifest; null if the change is not among the newest
 * entries. Entries describe changes of secrets in words only.
 */
export async function lastChangesOf(
  kind: LogKind,
  id: number,
  places: readonly { path: string; field: string }[],
  scope = currentScope(),
): Promise<(Author | null)[]> {
  const authors = places.map((): Author | null => null)
  for await (const entry of changesOf(kind, id, scope)) {
    const { differences } = await queryClient.fetchQuery(logEntryQuery(kind, entry.ID, scope))
    for (const [index, place] of places.entries())
      if (authors[index] === null && isAbout(place, differences, entry.DESCRIPTION)) authors[index] = authorOf(entry)
    if (!authors.includes(null)) break
  }
  return authors
}

/** The changes of a document, newest first, as far back as the server searches. */
async function* changesOf(kind: LogKind, id: number, scope: Scope): AsyncGenerator<AuditEntry, void> {
  for (let offset = 0; offset < remembered.entries; offset += remembered.page) {
    const query = { actionType: 'UPDATE' as const, target: id, offset, limit: remembered.page }
    const { entries } = await readPage(kind, query, { scope })
    yield* entries
    if (entries.length < remembered.page) return
  }
}

const remembered = { entries: 200, page: 25 }

function authorOf({ USER_NAME: who, USER_EMAIL: email, LAST_MODIFIED: when }: AuditEntry): Author {
  const isOwn = email !== '' && email === sessionStore.getState().user?.email
  return isOwn ? { who, when, own: true } : { who, when }
}

function isAbout(
  { path, field }: { path: string; field: string },
  differences: readonly { path: string; field: string }[],
  words: string,
): boolean {
  if (field === 'password') return words.includes('The connection password was changed.')
  const at = pathOf(path, field)
  const name = path.replace('packageProperties.customProperties.', '')
  if (name !== path && words.includes(`The secret value of ${name} was changed.`)) return true
  return differences.some(one => {
    const changed = pathOf(one.path, one.field)
    return at === changed || at.startsWith(`${changed}.`) || changed.startsWith(field === 'deleted' ? `${path}.` : at)
  })
}

/** The path is empty for the document itself. */
function pathOf(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('.')
}
