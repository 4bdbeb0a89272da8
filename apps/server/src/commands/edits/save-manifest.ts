import type { OnReferences } from '@cadmus/model/detach'
import { applyManifestEdits, type ManifestEdit } from '@cadmus/model/edits/manifest-edits'
import { isEqual } from '@cadmus/model/equal'
import { readOnlyNames } from '@cadmus/model/fields/field'
import { manifestFields } from '@cadmus/model/fields/manifest'
import { limits } from '@cadmus/model/limits'
import { mayEditManifest } from '@cadmus/model/locks'
import type { ManifestContent } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { invalid, refuseFields } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { manifestContent } from '../../store/manifest.ts'
import type { Change, Work } from '../change.ts'
import { addInPlace } from '../manifest/add-entities.ts'
import { addSubManifestsWithin } from '../manifest/add-sub-manifests.ts'
import { checkVersion, lockedManifest } from '../manifest/manifest-permission.ts'
import { removeEntityWithin } from '../manifest/remove-entity.ts'
import { removeSubManifestWithin } from '../manifest/remove-sub-manifest.ts'
import { baseOf, renameWithin } from '../manifest/rename-manifest.ts'

type ManifestSave = {
  id: number
  base: string
  version: string | undefined
  edits: readonly ManifestEdit[]
  /** By uid of an entity that is deleted with its membership. */
  handling: (uid: string) => OnReferences | undefined
  licence: string
}

/**
 * Applies edits of a manifest by the commands of the documented calls, each with its rules and entry. Omits changes that another save has
 * already made. New members come last.
 */
export async function saveManifest(tx: Tx, change: Change, work: Work, save: ManifestSave): Promise<void> {
  const { organisationId } = change
  const manifest = await lockedManifest(tx, organisationId, save.id, mayEditManifest)
  await checkVersion(tx, manifest, save.version, mayEditManifest)
  const current = await manifestContent(tx, manifest)
  const base = await baseOf(tx, manifest, current, save.base)
  const edited = applyManifestEdits(base, save.edits)
  refuseReadOnly(base, edited)
  const { id: manifestId, licence, handling } = save
  const members = difference(base, edited, current, content => content.entities.map(({ id }) => id))
  const subs = difference(base, edited, current, content => content.subManifests)
  checkCount([members, subs].flatMap(({ added, removed }) => [...added, ...removed]).length)
  checkTypes(edited, members.added)
  if (edited.name !== base.name)
    await renameWithin(tx, change, work, manifestId, { name: edited.name, ifMatch: save.base })
  for (const entityId of members.removed) await removeEntityWithin(tx, change, work, { manifestId, entityId, handling })
  for (const subId of subs.removed) await removeSubManifestWithin(tx, change, work, { manifestId, subId, licence })
  if (members.added.length > 0) await addInPlace(tx, change, work, { manifestId, entityIds: members.added })
  if (subs.added.length > 0) await addSubManifestsWithin(tx, change, work, { manifestId, subIds: subs.added })
}

function difference(
  base: ManifestContent,
  edited: ManifestContent,
  current: ManifestContent,
  idsOf: (content: ManifestContent) => readonly number[],
) {
  const [before, after, now] = [base, edited, current].map(content => new Set(idsOf(content)))
  const only = (ids: Iterable<number> = [], others?: ReadonlySet<number>) => [...ids].filter(id => !others?.has(id))
  return {
    added: only(only(after, before), now),
    removed: only(before, after).filter(id => now?.has(id)),
  }
}

function refuseReadOnly(base: ManifestContent, edited: ManifestContent): void {
  const changed = readOnlyNames(manifestFields).filter(name => !isEqual(base[name], edited[name]))
  refuseFields(changed.map(path => ({ path, message: messages.readOnly(path) })))
}

function checkCount(count: number): void {
  if (count <= limits.editedMembers) return
  const message = messages.tooManyMembers(limits.editedMembers)
  throw invalid(message, [{ path: 'edits', message }])
}

/** An exclusive member is a copy, which only its own call makes. */
function checkTypes({ entities }: ManifestContent, added: readonly number[]): void {
  const ids = new Set(added)
  if (!entities.some(({ id, type }) => ids.has(id) && type === 'EXCLUSIVE')) return
  throw invalid(messages.exclusiveMembers, [{ path: 'entities', message: messages.exclusiveMembers }])
}
