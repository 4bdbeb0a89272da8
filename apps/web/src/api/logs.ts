import type { AuditEntry } from '@cadmus/model/audit-entry'
import { downloadEntityLogs, downloadManifestLogs, getEntityLog, getManifestLog } from '@cadmus/model/contract/audit'
import { listEntityLogs } from '@cadmus/model/contract/entity'
import { listManifestLogs } from '@cadmus/model/contract/manifest'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { callApi, callForFile } from './client.ts'
import { saveFile } from './download.ts'
import { keys, queryClient } from './query-client.ts'

export type LogKind = 'manifest' | 'entity'
/** Dates are instants; what is '' is not asked for. */
export type LogFilter = {
  actionType: AuditEntry['ACTION_TYPE'] | ''
  userName: string
  startDate: string
  endDate: string
}
export type LogPage = { entries: readonly AuditEntry[]; total: number }

/** A page of the log. Until another one of the same log is there the one before is shown. */
export function useLogs(kind: LogKind, filter: LogFilter, { page, size }: { page: number; size: number }) {
  const paging = { offset: page * size, limit: size }
  return useQuery({
    queryKey: [...keys.logs(kind), filter, paging],
    queryFn: async ({ signal }): Promise<LogPage> => readPage(kind, { ...asked(filter), ...paging }, signal),
    placeholderData: (before, query) => (query?.queryKey[1] === kind ? keepPreviousData(before) : undefined),
    // Whatever anybody does is in it.
    staleTime: 0,
    gcTime: 0,
  })
}

type Asked = Partial<ReturnType<typeof asked>> & { offset: number; limit: number }

async function readPage(kind: LogKind, query: Asked, signal: AbortSignal): Promise<LogPage> {
  if (kind === 'manifest') {
    const answer = await callApi(listManifestLogs, { query }, { signal })
    return { entries: answer.manifestLogs, total: answer.totalElements }
  }
  const answer = await callApi(listEntityLogs, { query }, { signal })
  return { entries: answer.entityLogs, total: answer.totalElements }
}

/** An entry with what it changed. Entries never change. */
export function useLogEntry(kind: LogKind, id: number) {
  return useQuery(logEntryQuery(kind, id))
}

function logEntryQuery(kind: LogKind, id: number) {
  return queryOptions({
    queryKey: [...keys.logs(kind), id],
    queryFn: async ({ signal }) => {
      if (kind === 'entity') {
        const { entityLog: entry, ...rest } = await callApi(getEntityLog, { params: { id } }, { signal })
        return { entry, ...rest }
      }
      const { manifestLog: entry, ...rest } = await callApi(getManifestLog, { params: { id } }, { signal })
      return { entry, ...rest }
    },
  })
}

/** All that the filter finds, as a CSV file in the browser's downloads. Answers its name. */
export async function downloadLogs(kind: LogKind, filter: LogFilter): Promise<string> {
  const query = asked(filter)
  const { blob, fileName } =
    kind === 'manifest'
      ? await callForFile(downloadManifestLogs, { query })
      : await callForFile(downloadEntityLogs, { query })
  saveFile(blob, fileName)
  return fileName
}

function asked({ actionType, userName, startDate, endDate }: LogFilter) {
  return {
    ...(actionType === '' ? {} : { actionType }),
    ...(userName.trim() === '' ? {} : { userName: userName.trim() }),
    ...(startDate === '' ? {} : { startDate }),
    ...(endDate === '' ? {} : { endDate }),
  }
}

/** Who deleted what lay at a path last, and when; null where the newest entries do not tell. */
export async function deletionOf(kind: LogKind, path: string): Promise<{ who: string; when: string } | null> {
  const query = { actionType: 'DELETE' as const, offset: 0, limit: newest }
  const { entries } = await readPage(kind, query, new AbortController().signal)
  const entry = entries.find(({ PATH }) => PATH === path)
  return entry ? { who: entry.USER_NAME, when: entry.LAST_MODIFIED } : null
}

/**
 * Who changed each of the places of what lies at a path last, and when; null where the newest entries do not tell. Of secrets an entry
 * says only in words that they were changed.
 */
export async function lastChangesOf(
  kind: LogKind,
  path: string,
  places: readonly { path: string; field: string }[],
): Promise<({ who: string; when: string } | null)[]> {
  const query = { actionType: 'UPDATE' as const, offset: 0, limit: newest }
  const { entries } = await readPage(kind, query, new AbortController().signal)
  const found = places.map((): { who: string; when: string } | null => null)
  for (const { ID, USER_NAME: who, LAST_MODIFIED: when, DESCRIPTION } of entries
    .filter(({ PATH }) => PATH === path)
    .slice(0, mostRead)) {
    if (!found.includes(null)) break
    const { differences } = await queryClient.fetchQuery(logEntryQuery(kind, ID))
    for (const [index, place] of places.entries())
      if (found[index] === null && isAbout(place, differences, DESCRIPTION)) found[index] = { who, when }
  }
  return found
}

function isAbout(
  { path, field }: { path: string; field: string },
  differences: readonly { path: string; field: string }[],
  words: string,
): boolean {
  if (field === 'password') return words.includes('The connection password was changed.')
  const at = `${path}.${field}`
  const name = path.replace('packageProperties.customProperties.', '')
  if (name !== path && words.includes(`The secret value of ${name} was changed.`)) return true
  return differences.some(one => {
    const changed = [one.path, one.field].filter(part => part !== '').join('.')
    return (
      at === changed ||
      at.startsWith(`${changed}.`) ||
      changed.startsWith(`${path}.${field === 'deleted' ? '' : field}`)
    )
  })
}

const newest = 100
/** So many entries of one document are read. */
const mostRead = 20
