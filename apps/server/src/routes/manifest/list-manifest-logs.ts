import { listManifestLogs } from '@cadmus/model/contract/manifest'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { listLightAudit } from '../../store/audit-read.ts'
import { auditQuery } from '../audit-query.ts'

export const listManifestLogsRoute = handle(listManifestLogs, async ({ query }, { context, organisation, signal }) => {
  const place = { organisationId: organisation.id, kind: 'MANIFEST' as const, query: auditQuery(query) }
  const light = await listLightAudit(context.store.of(organisation.id), organisation.id, place.kind, place.query)
  if (light === undefined) return new ReadyJson(await context.workers.run('logs', place, signal))
  return { manifestLogs: light.entries, totalElements: light.total }
})
