import { listEntityLogs } from '@cadmus/model/contract/entity'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { listLightAudit } from '../../store/audit-read.ts'
import { auditQuery } from '../audit-query.ts'

export const listEntityLogsRoute = handle(listEntityLogs, async ({ query }, { context, organisation, signal }) => {
  const place = { organisationId: organisation.id, kind: 'ENTITY' as const, query: auditQuery(query) }
  const light = await listLightAudit(context.store.of(organisation.id), organisation.id, place.kind, place.query)
  if (light === undefined) return new ReadyJson(await context.workers.run('logs', place, signal))
  return { entityLogs: light.entries, totalElements: light.total }
})
