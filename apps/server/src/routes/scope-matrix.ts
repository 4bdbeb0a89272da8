import { getScopeMatrix } from '@cadmus/model/contract/scope-matrix'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type Route } from '../http/route.ts'
import { requireManifest, requireVersion } from './manifest-answer.ts'

export const scopeMatrixRoutes: Route[] = [
  handle(getScopeMatrix, async ({ params, query }, request) => {
    const { context, organisation, signal } = request
    const manifest = await requireManifest(request, params.id)
    const frozen = await requireVersion(request, manifest, query.version)
    const place = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
    return new ReadyJson(await context.workers.check('scopeMatrix', place, signal))
  }),
]
