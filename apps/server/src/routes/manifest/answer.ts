import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { ReadyJson } from '../../http/ready-json.ts'
import type { RequestContext } from '../../http/route.ts'
import { manifestAnswer } from '../../jobs/manifest-answer.ts'
import type { ManifestRow } from '../../store/manifest.ts'
import type { ManifestVersionRow } from '../../store/manifest-version.ts'
import { isLightManifest } from '../../store/answer-size.ts'

/**
 * Answers with a manifest, latest or frozen. A worker makes large answers and answers for frozen versions, whose
 * contents must be read.
 */
export async function answerManifest(
  { context, organisation, setEtag, signal }: Pick<RequestContext, 'context' | 'organisation' | 'setEtag' | 'signal'>,
  row: ManifestRow,
  frozen: ManifestVersionRow | null = null,
): Promise<{ manifest: ManifestAnswer } | ReadyJson> {
  const { store, workers } = context
  const organisationId = organisation.id
  if (frozen === null && (await isLightManifest(store.of(organisationId), organisationId, row))) {
    const { manifest, etag } = await manifestAnswer({ store, organisationId }, row)
    setEtag(etag)
    return { manifest }
  }
  const version = frozen?.version ?? null
  const { json, etag } = await workers.run('manifest', { organisationId, manifestId: row.id, version }, signal)
  setEtag(etag)
  return new ReadyJson(json)
}
