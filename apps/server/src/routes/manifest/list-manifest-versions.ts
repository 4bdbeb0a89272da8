import { listManifestVersions } from '@cadmus/model/contract/manifest-version'
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
  for (const row of frozen) {
    manifestVersions.push({ VERSION: row.version, CONTENT: await versionContent(request, manifest, row) })
  }
  return { manifestVersions }
})
