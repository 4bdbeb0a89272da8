import { saveChanges } from '@cadmus/model/contract/edits'
import { getEntity } from '@cadmus/model/contract/entity'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { Enumeration } from '@cadmus/model/enumeration'
import { limits } from '@cadmus/model/limits'
import { newUid } from '@cadmus/model/uid'
import { callApi } from './client.ts'
import { saveManifestEdits } from './manifest-edits.ts'
import { refreshStructure } from './query-client.ts'
import type { Scope } from './scope.ts'

// Enumerations of a manifest, based on its state with tag `etag`.

type Base = { etag: string; scope: Scope }

const editsOf = (enumerations: readonly Enumeration[]) => [
  { kind: 'changeManifest' as const, change: { enumerations: [...enumerations] } },
]

/** Changes the enumerations, and the choices of attributes with them. `undo` takes back both. */
export async function saveEnumerations(
  id: number,
  enumerations: readonly Enumeration[],
  { before, ...base }: Base & { before: readonly Enumeration[] },
): Promise<{ undo: () => Promise<void> }> {
  const { scope } = base
  const left = new Set(enumerations.map(({ uid }) => uid))
  const deleted = new Map(before.filter(({ uid }) => !left.has(uid)).map(one => [one.uid, one]))
  const remaining = before.filter(({ uid }) => left.has(uid))
  const users = deleted.size === 0 ? [] : await entitiesChangedBy(id, remaining, base)
  const choosing = await Promise.all(users.map(async user => choicesOf(user.id, deleted, scope)))
  const { etag } = await saveManifestEdits(id, editsOf(enumerations), base)
  const undo = async () => {
    await saveManifestEdits(id, editsOf(before), { etag, scope })
    for (let at = 0; at < choosing.length; at += limits.changedDocuments) {
      const changes = choosing.slice(at, at + limits.changedDocuments)
      await callApi(saveChanges, { body: { format: editFormat, operationId: newUid(), changes } }, { scope })
    }
    if (choosing.length > 0) refreshStructure()
  }
  return { undo }
}

/** An edit by which the attributes of an entity choose these enumerations again. */
async function choicesOf(id: number, enumerations: ReadonlyMap<string, Enumeration>, scope: Scope) {
  const { entity } = await callApi(getEntity, { params: { id } }, { scope })
  const changes = entity.typeAttributes.flatMap(({ uid, enumeration }) =>
    enumeration && enumerations.has(enumeration.uid) ? [{ uid, change: { enumeration } }] : [],
  )
  return { kind: 'entity' as const, id, base: '*', edits: [{ kind: 'changeAttributes' as const, changes }] }
}

/** The entities that these enumerations would change. Nothing is stored. */
export async function entitiesChangedBy(
  id: number,
  enumerations: readonly Enumeration[],
  { etag: base, scope }: Base,
): Promise<{ id: number; name: string }[]> {
  const changes = [{ kind: 'manifest' as const, id, base, edits: editsOf(enumerations) }]
  const body = { format: editFormat, operationId: newUid(), dryRun: true, changes }
  const { effects } = await callApi(saveChanges, { body }, { scope })
  return effects.flatMap(({ document }) => (document.kind === 'entity' ? [document] : []))
}
