import type { CallAnswer, CallInput } from '@cadmus/model/contract/call'
import {
  checkRebuild as checkRebuildCall,
  listPublications,
  previewRebuild as previewRebuildCall,
  type Publication,
  rebuildPackage as rebuildPackageCall,
  type RecordCounts,
} from '@cadmus/model/contract/publish'
import { callApi } from './client.ts'
import { withoutParameter } from './instance-calls.ts'
import { invalidate, keys } from './query-client.ts'
import type { CallOptions } from './send.ts'

export type { Publication, StartObstacle } from '@cadmus/model/contract/publish'

export type RebuildCheck = CallAnswer<typeof checkRebuildCall>

/** The last upload of each package to each instance, newest first. */
export async function readPublications(options: CallOptions): Promise<readonly Publication[]> {
  return (await callApi(listPublications, {}, options)).publications
}

/** A rebuild repeats the choices of the version on the instance: another build may have secrets of another instance. */
function basisOf({ version }: Publication) {
  return { basedOn: version }
}

export async function checkRebuild(publication: Publication, options: CallOptions): Promise<RebuildCheck> {
  const input = { params: { name: publication.packageName }, body: basisOf(publication) }
  return callApi(checkRebuildCall, input, options)
}

type Preview = Pick<CallInput<typeof previewRebuildCall>['body'], 'instanceUrl' | 'credentials' | 'version'>

/** The warnings that publishing a rebuild would cause, null if the instance has no preview, and the records that prevent it. */
export async function previewRebuild(publication: Publication, preview: Preview, options: CallOptions) {
  const input = { params: { name: publication.packageName }, body: { ...basisOf(publication), ...preview } }
  const { warnings, obstacles } = await callApi(previewRebuildCall, input, options)
  return { warnings: warnings?.map(withoutParameter) ?? null, obstacles }
}

/** The records on an instance that a rebuild would lose or be prevented by, exactly; null if the instance cannot count, or not in time. */
export async function countRecords(
  publication: Publication,
  instance: Preview,
  options: CallOptions,
): Promise<RecordCounts | null> {
  const body = { ...basisOf(publication), ...instance, counts: true }
  const { counts } = await callApi(previewRebuildCall, { params: { name: publication.packageName }, body }, options)
  return counts ?? null
}

/** Starts the build of the next version. */
export async function rebuildPackage(publication: Publication, version: string, options: CallOptions) {
  const input = { params: { name: publication.packageName }, body: { ...basisOf(publication), version } }
  const { packageId, packageName } = await callApi(rebuildPackageCall, input, options)
  void invalidate(keys.packages)
  return { packageId, name: packageName, version }
}
