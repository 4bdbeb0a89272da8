import { listEntityVersions } from '@cadmus/model/contract/entity'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { entityVersionsAnswer } from '../../jobs/entity-versions-answer.ts'
import { areVersionsLight } from '../../store/answer-size.ts'

export const listEntityVersionsRoute = handle(listEntityVersions, async ({ params }, request) => {
  const { context, organisation, signal } = request
  const db = context.store.of(organisation.id)
  if (await areVersionsLight(db, organisation.id, params.id))
    return entityVersionsAnswer(db, organisation.id, params.id)
  const input = { organisationId: organisation.id, id: params.id }
  return new ReadyJson(await context.workers.run('entityVersions', input, signal))
})
