import {
  compareConsequences,
  compareDiagram,
  compareDiagramRows,
  compareManifest,
  compareManifestEntity,
  compareMigration,
  type ScriptSide,
  type Side,
} from '@cadmus/model/contract/comparison'
import { mayExportManifest } from '@cadmus/model/locks'
import { check, stateOf } from '../commands/manifest/manifest-permission.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import type { ComparisonPart } from '../jobs/tasks.ts'
import { licensedType, requireManifest } from './manifest-answer.ts'

export const comparisonRoutes: Route[] = [
  handle(compareManifest, ({ params, body }, request) => compared(request, params.id, body, { kind: 'list' })),
  handle(compareManifestEntity, ({ params, body: { uid, ...sides } }, request) =>
    compared(request, params.id, sides, { kind: 'entity', uid }),
  ),
  handle(compareConsequences, ({ params, body: { database, ...sides } }, request) =>
    compared(request, params.id, sides, { kind: 'consequences', database }),
  ),
  handle(compareMigration, async ({ params, body: { database, direction, naming, ...sides } }, request) => {
    check(mayExportManifest(stateOf(await requireManifest(request, params.id))))
    const licensed = licensedType(request.organisation.limits, database)
    return compared(request, params.id, sides, { kind: 'migration', database: licensed, direction, naming })
  }),
  handle(compareDiagram, ({ params, body }, request) => compared(request, params.id, body, { kind: 'diagram' })),
  handle(compareDiagramRows, ({ params, body: { uids, ...sides } }, request) =>
    compared(request, params.id, sides, { kind: 'rows', uids }),
  ),
]

/** Whole models are read, which a thread does. */
async function compared(
  request: RequestContext,
  id: number,
  sides: { before: Side | ScriptSide; after: Side },
  part: ComparisonPart,
): Promise<ReadyJson> {
  const { context, organisation, signal } = request
  await requireManifest(request, id)
  const place = { organisationId: organisation.id, manifestId: id, ...sides }
  return new ReadyJson(await context.workers.run('comparison', { ...place, part }, signal))
}
