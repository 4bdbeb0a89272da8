import { listManifestLogs } from '@cadmus/model/contract/manifest'
import { handle } from '../../http/route.ts'
import { listAudit } from '../../store/audit-read.ts'
import { auditQuery } from '../audit-query.ts'

export const listManifestLogsRoute = handle(listManifestLogs, async ({ query }, { context, organisation }) => {
  const db = context.store.of(organisation.id)
  const { entries, total } = await listAudit(db, organisation.id, 'MANIFEST', auditQuery(query))
  return { manifestLogs: entries, totalElements: total }
})
