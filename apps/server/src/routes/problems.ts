import { findFixes, findProblems } from '@cadmus/model/contract/problems'
import { parseLicence } from '@cadmus/model/licence'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import type { UnsavedPlace } from '../jobs/tasks.ts'
import type { UnsavedEdits } from '../jobs/unsaved-edits.ts'
import { requireManifest } from './manifest-answer.ts'

export const problemRoutes: Route[] = [
  handle(findProblems, async ({ params, body: { known, list, ...edits } }, request) => {
    const place = await placeOf(request, params.id, edits)
    return new ReadyJson(await request.context.workers.check('problems', { ...place, known, list }, request.signal))
  }),
  handle(findFixes, async ({ params, body: { code, place: at, ...edits } }, request) => {
    const place = await placeOf(request, params.id, edits)
    return new ReadyJson(await request.context.workers.check('fixes', { ...place, code, place: at }, request.signal))
  }),
]

async function placeOf(request: RequestContext, id: number, edits: UnsavedEdits): Promise<UnsavedPlace> {
  const { organisation } = request
  const manifest = await requireManifest(request, id)
  const { databaseTypes } = parseLicence(organisation.limits)
  return { organisationId: organisation.id, manifestId: manifest.id, edits, databaseTypes }
}
