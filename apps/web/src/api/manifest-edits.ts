import { manifestEdits } from '@cadmus/model/contract/edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { ManifestEdit } from '@cadmus/model/edits/manifest-edits'
import { newUid } from '@cadmus/model/uid'
import { callWithTag } from './client.ts'
import type { LoadedManifest } from './manifests.ts'
import { keyIn, keys, putNewest, refreshStructure } from './query-client.ts'
import type { Scope } from './scope.ts'
import { unexpectedAnswer } from './send.ts'

/** Changes a manifest, based on its state with tag `etag`. */
export async function saveManifestEdits(
  id: number,
  edits: ManifestEdit[],
  { etag: base, scope }: { etag: string; scope: Scope },
): Promise<LoadedManifest> {
  const body = { format: editFormat, operationId: newUid(), base, edits }
  const input = { params: { id }, query: { answer: 'document' as const }, body }
  const { answer, etag } = await callWithTag(manifestEdits.save, input, { scope })
  if (!answer.manifest) throw unexpectedAnswer(200)
  const loaded = { manifest: answer.manifest, etag }
  await putNewest(keyIn(keys.manifest(id), scope), loaded)
  refreshStructure()
  return loaded
}
