import { listManifestVersions } from '@cadmus/model/contract/manifest'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { manifestVersionsAnswer } from '../../jobs/manifest-versions-answer.ts'
import { areManifestVersionsLight } from '../../store/answer-size.ts'
import { requireManifest } from './require-manifest.ts'

export const listManifestVersionsRoute = handle(listManifestVersions, async ({ params }, request) => {
  const { context, organisation, signal } = request
  const manifest = await requireManifest(request, params.id)
  const db = context.store.of(organisation.id)
  if (await areManifestVersionsLight(db, manifest)) return manifestVersionsAnswer(db, organisation.id, manifest)
  const input = { organisationId: organisation.id, manifestId: manifest.id }
  return new ReadyJson(await context.workers.run('manifestVersions', input, signal))
})
