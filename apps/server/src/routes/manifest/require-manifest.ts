import { notFound } from '../../errors/api-error.ts'
import type { RequestContext } from '../../http/route.ts'
import { manifestById, type ManifestRow } from '../../store/manifest.ts'
import { frozenVersions, type ManifestVersionRow } from '../../store/manifest-version.ts'

/** Returns an own or predefined manifest; throws 404 otherwise. */
export async function requireManifest(
  { context, organisation }: Pick<RequestContext, 'context' | 'organisation'>,
  id: number,
): Promise<ManifestRow> {
  const manifest = await manifestById(context.store.of(organisation.id), organisation.id, id)
  if (manifest === undefined) throw notFound('The manifest')
  return manifest
}

/** Returns the frozen version, or null for the latest one or none requested. Throws 404 if it does not exist. */
export async function requireVersion(
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
