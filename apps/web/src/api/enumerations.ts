import { saveChanges } from '@cadmus/model/contract/edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { Enumeration } from '@cadmus/model/enumeration'
import { newUid } from '@cadmus/model/uid'
import { callApi } from './client.ts'
import { saveManifestEdits } from './manifest-edits.ts'
import type { LoadedManifest } from './manifests.ts'
import type { Scope } from './scope.ts'

// Enumerations of a manifest, based on its state with tag `etag`.

type Base = { etag: string; scope: Scope }

const editsOf = (enumerations: readonly Enumeration[]) => [
  { kind: 'changeManifest' as const, change: { enumerations: [...enumerations] } },
]

/** Changes the enumerations, and the choices of attributes with them. */
export async function saveEnumerations(
  id: number,
  enumerations: readonly Enumeration[],
  base: Base,
): Promise<LoadedManifest> {
  return saveManifestEdits(id, editsOf(enumerations), base)
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
