import { downloadManifestLogs } from '@cadmus/model/contract/audit'
import { handle } from '../../http/route.ts'
import { auditCsv } from '../audit-csv.ts'
import { auditFilter } from '../audit-query.ts'

export const downloadManifestLogsRoute = handle(downloadManifestLogs, async ({ query }, request) =>
  auditCsv('MANIFEST', auditFilter(query), request),
)
