import { listEntityLogs } from '@cadmus/model/contract/entity'
import { handle } from '../../http/route.ts'
import { listAudit } from '../../store/audit-read.ts'
import { auditQuery } from '../audit-query.ts'

export const listEntityLogsRoute = handle(listEntityLogs, async ({ query }, { context, organisation }) => {
  const db = context.store.of(organisation.id)
  const { entries, total } = await listAudit(db, organisation.id, 'ENTITY', auditQuery(query))
  return { entityLogs: entries, totalElements: total }
})
