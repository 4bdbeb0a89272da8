import { adminListOrganisationLogs } from '@cadmus/model/contract/admin-organisation'
import { handle } from '../../http/route.ts'
import { listAudit } from '../../store/audit-read.ts'
import { auditQuery } from '../audit-query.ts'
import { requireOrganisation } from './organisation-answer.ts'

export const adminListOrganisationLogsRoute = handle(adminListOrganisationLogs, async ({ params, query }, request) => {
  const { id } = await requireOrganisation(request, params.code)
  const { entries, total } = await listAudit(request.context.store.of(id), id, 'ORGANISATION', auditQuery(query))
  return { organisationLogs: entries, totalElements: total }
})
