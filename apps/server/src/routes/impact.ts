import { getEntityImpact } from '@cadmus/model/contract/impact'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type Route } from '../http/route.ts'

export const impactRoutes: Route[] = [
  handle(getEntityImpact, async ({ params: { id }, body: { edits } }, { context, organisation, signal }) => {
    const place = { organisationId: organisation.id, id, edits }
    return new ReadyJson(await context.workers.run('impact', place, signal))
  }),
]
