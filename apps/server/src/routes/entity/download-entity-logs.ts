import { downloadEntityLogs } from '@cadmus/model/contract/audit'
import { handle } from '../../http/route.ts'
import { auditCsv } from '../audit-csv.ts'
import { auditFilter } from '../audit-query.ts'

export const downloadEntityLogsRoute = handle(downloadEntityLogs, async ({ query }, request) =>
  auditCsv('ENTITY', auditFilter(query), request),
)
