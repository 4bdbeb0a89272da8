import { setImmediate as nextTurn } from 'node:timers/promises'
import { csvLines, writeCsv } from '@cadmus/formats/csv'
import type { Download, RequestContext } from '../http/route.ts'
import { auditLines } from '../store/audit-entry-read.ts'
import type { AuditFilter } from '../store/audit-read.ts'

const head = ['Timestamp', 'User', 'E-mail', 'Action', 'Name', 'Path', 'Version', 'Details']

/** Writes the log of one kind as CSV, newest first, with times in UTC. Streams in slices to limit memory. */
export function auditCsv(kind: 'ENTITY' | 'MANIFEST', filter: AuditFilter, request: RequestContext): Download {
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
