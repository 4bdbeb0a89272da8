import { getManifestVersionContent } from '@cadmus/model/contract/manifest'
import { ReadyJson } from '../../http/ready-json.ts'
import { handle } from '../../http/route.ts'
import { versionContent } from '../../jobs/manifest-versions-answer.ts'
import { areManifestVersionsLight } from '../../store/answer-size.ts'
import { requireManifest, requireVersion } from './require-manifest.ts'

export const getManifestVersionContentRoute = handle(getManifestVersionContent, async ({ params, query }, request) => {
  const { context, organisation, signal } = request
  const manifest = await requireManifest(request, params.id)
  const frozen = await requireVersion(request, manifest, query.version)
  const db = context.store.of(organisation.id)
  if (await areManifestVersionsLight(db, manifest, frozen))
    return { manifest: { CONTENT: await versionContent(db, organisation.id, manifest, frozen) } }
  const input = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
  return new ReadyJson(await context.workers.run('manifestContent', input, signal))
})
