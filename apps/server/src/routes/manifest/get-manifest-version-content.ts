import { getManifestVersionContent } from '@cadmus/model/contract/manifest-version'
import { handle } from '../../http/route.ts'
import { foundManifest, foundVersion } from './found.ts'
import { versionContent } from './version-content.ts'

export const getManifestVersionContentRoute = handle(getManifestVersionContent, async ({ params, query }, request) => {
  const manifest = await foundManifest(request, params.id)
  const frozen = await foundVersion(request, manifest, query.version)
  return { manifest: { CONTENT: await versionContent(request, manifest, frozen) } }
})
