import { getManifestLog } from '@cadmus/model/contract/audit'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { lightAuditEntryAnswer } from '../../jobs/audit-entry-answer.ts'
import { lightBytes } from '../../store/answer-size.ts'

export const getManifestLogRoute = handle(getManifestLog, async ({ params }, { context, organisation, signal }) => {
  const place = { organisationId: organisation.id, kind: 'MANIFEST' as const, id: params.id }
  const light = await lightAuditEntryAnswer(context.store.of(organisation.id), place, lightBytes)
  if (light === undefined) return new ReadyJson(await context.workers.run('log', place, signal))
  const { entry: manifestLog, target, differences } = light
  return { manifestLog, target, differences }
})
