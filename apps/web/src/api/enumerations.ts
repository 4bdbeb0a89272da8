import { manifestEdits, saveChanges } from '@cadmus/model/contract/edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { Enumeration } from '@cadmus/model/enumeration'
import { newUid } from '@cadmus/model/uid'
import { callApi, callWithTag } from './client.ts'
import type { LoadedManifest } from './manifests.ts'
import { keyIn, keys, putNewest, refreshStructure } from './query-client.ts'
import type { Scope } from './scope.ts'
import { unexpectedAnswer } from './send.ts'

// Enumerations of a manifest, based on its state with tag `etag`.

type Base = { etag: string; scope: Scope }

const editsOf = (enumerations: readonly Enumeration[]) => [
  { kind: 'changeManifest' as const, change: { enumerations: [...enumerations] } },
]

/** Changes the enumerations, and the choices of attributes with them. */
export async function saveEnumerations(
  id: number,
  enumerations: readonly Enumeration[],
  { etag: base, scope }: Base,
): Promise<LoadedManifest> {
  const body = { format: editFormat, operationId: newUid(), base, edits: editsOf(enumerations) }
  const input = { params: { id }, query: { answer: 'document' as const }, body }
  const { answer, etag } = await callWithTag(manifestEdits.save, input, { scope })
  if (!answer.manifest) throw unexpectedAnswer(200)
  const loaded = { manifest: answer.manifest, etag }
  await putNewest(keyIn(keys.manifest(id), scope), loaded)
  refreshStructure()
  return loaded
}

/** Names of the entities that these enumerations would change. Nothing is stored. */
export async function entitiesChangedBy(
  id: number,
  enumerations: readonly Enumeration[],
  { etag: base, scope }: Base,
): Promise<string[]> {
  const changes = [{ kind: 'manifest' as const, id, base, edits: editsOf(enumerations) }]
  const body = { format: editFormat, operationId: newUid(), dryRun: true, changes }
  const { effects } = await callApi(saveChanges, { body }, { scope })
  return effects.flatMap(({ document }) => (document.kind === 'entity' ? [document.name] : []))
}
