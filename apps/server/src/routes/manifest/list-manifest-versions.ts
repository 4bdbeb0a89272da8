import { listManifestVersions } from '@cadmus/model/contract/manifest-version'
import { limits } from '@cadmus/model/limits'
import { handle } from '../../http/route.ts'
import { frozenVersions } from '../../store/manifest-version.ts'
import { foundManifest } from './found.ts'
import { versionContent } from './version-content.ts'

export const listManifestVersionsRoute = handle(listManifestVersions, async ({ params }, request) => {
  const manifest = await foundManifest(request, params.id)
  const frozen = await frozenVersions(request.context.store.of(request.organisation.id), manifest)
  const manifestVersions = [
    { VERSION: manifest.latest_version, CONTENT: await versionContent(request, manifest, null) },
  ]
  let length = manifestVersions[0]?.CONTENT.length ?? 0
  for (const row of frozen) {
    // Where the answer has grown too large, a content is asked for by its version.
    const content = length > limits.listedContents ? '' : await versionContent(request, manifest, row)
    length += content.length
    manifestVersions.push({ VERSION: row.version, CONTENT: content })
  }
  return { manifestVersions }
})
