import { notFound } from '../../errors/api-error.ts'
import type { RequestContext } from '../../http/route.ts'
import { manifestById, type ManifestRow } from '../../store/manifest.ts'
import { frozenVersions, type ManifestVersionRow } from '../../store/manifest-version.ts'

/** The manifest of a request: the organisation's own or a predefined one; 404 for everything else. */
export async function foundManifest(
  { context, organisation }: Pick<RequestContext, 'context' | 'organisation'>,
  id: number,
): Promise<ManifestRow> {
  const manifest = await manifestById(context.store.of(organisation.id), organisation.id, id)
  if (manifest === undefined) throw notFound('The manifest')
  return manifest
}

/** The frozen version of that number, or null where it is the latest one or none was asked for. 404 where there is none. */
export async function foundVersion(
  { context, organisation }: RequestContext,
  manifest: ManifestRow,
  version: string | undefined,
): Promise<ManifestVersionRow | null> {
  if (version === undefined || version === manifest.latest_version) return null
  const frozen = await frozenVersions(context.store.of(organisation.id), manifest)
  const row = frozen.find(item => item.version === version)
  if (row === undefined) throw notFound(`The version ${version}`)
  return row
}
