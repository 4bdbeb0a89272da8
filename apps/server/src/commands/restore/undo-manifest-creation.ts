import { manifestDifferences } from '@cadmus/model/audit-differences'
import { limits } from '@cadmus/model/limits'
import { mayDeleteManifest } from '@cadmus/model/locks'
import type { ManifestContent } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { restoreTexts } from '@cadmus/model/messages/history'
import { ApiError, conflict } from '../../errors/api-error.ts'
import { isChangedSince, manifestsCreatedIn } from '../../store/audit-of-target.ts'
import type { OwnedEntity } from '../../store/manifest-delete.ts'
import { lockManifest, manifestContent, type ManifestRow } from '../../store/manifest.ts'
import { maxReported, referencesTo } from '../entity/references-to.ts'
import { heldEntities, removeManifest } from '../manifest/delete-manifest.ts'
import { lockedManifest, withinManifestLimit } from '../manifest/manifest-permission.ts'
import { namesIn } from './restore-manifest.ts'
import type { RestoredDocument, Restoring } from './restoring.ts'
import { unchangedSince } from './undo-creation.ts'

/**
 * Deletes the manifest of a creation or import, with the other manifests and the entities of the same change. 409 if one of the manifests has
 * been changed since, or one of their entities.
 */
export async function undoManifestCreation(restoring: Restoring): Promise<RestoredDocument> {
  const { tx, change, work, entry, request, report } = restoring
  const { store, organisationId } = change
  const created = await createdWith(restoring)
  if (request.onReferences === undefined) await refuseReferences(restoring, created)
  // Those between the manifests need no question.
  const { rules, onReferences = 'remove' } = request
  const own = created.find(({ manifest }) => manifest.id === entry.target_id)
  if (!own) throw conflict(restoreTexts.changedAndStays(entry.name))
  const names = await namesIn(tx, organisationId, [own.content])
  await withinManifestLimit(tx, organisationId, rules.licence, async () => {
    for (const { manifest: before } of parentsFirst(created)) {
      // Deleting others may have changed it and its entities.
      const manifest = (await lockManifest(tx, organisationId, before.id)) ?? before
      const entities = await heldEntities(tx, store, manifest)
      await removeManifest(tx, change, work, { manifest, entities, onReferences, job: null })
      if (manifest.id !== entry.target_id) report.others.push(auditTexts.manifestDeleted(manifest.name))
    }
  })
  const { id, name, path } = own.manifest
  return { document: { kind: 'manifest', id, name, path }, differences: manifestDifferences(own.content, null, names) }
}

type Created = { manifest: ManifestRow; content: ManifestContent; entities: readonly OwnedEntity[] }

/** What the change created and nobody has changed since, locked. */
async function createdWith({ tx, change, entry }: Restoring): Promise<Created[]> {
  const { store, organisationId } = change
  const { undoneCreations: max } = limits
  const created: Created[] = []
  let count = 0
  const creations = await manifestsCreatedIn(tx, organisationId, entry.change_id)
  if (creations.length > max) throw conflict(restoreTexts.tooManyAdded(max))
  for (const creation of creations) {
    if (await isChangedSince(tx, organisationId, creation)) throw conflict(restoreTexts.changedAndStays(creation.name))
    const manifest = await lockedManifest(tx, organisationId, creation.target_id, mayDeleteManifest)
    const content = await manifestContent(tx, manifest)
    const entities = await heldEntities(tx, store, manifest)
    count += entities.length
    if (count > max) throw conflict(restoreTexts.tooManyAdded(max))
    created.push({ manifest, content, entities })
  }
  for (const { manifest, entities } of created) {
    const ids = entities.map(({ id }) => id)
    const unchanged = await unchangedSince(tx, organisationId, entry, ids)
    if (unchanged.length < ids.length) throw conflict(restoreTexts.changedAndStays(manifest.name))
  }
  return created
}

/** 409 with the references to the entities from outside. */
async function refuseReferences({ tx, change }: Restoring, created: readonly Created[]): Promise<void> {
  const { items } = await referencesTo(
    tx,
    change.organisationId,
    created.flatMap(({ entities }) => entities),
  )
  const manifests = new Set(created.map(({ manifest }) => manifest.id))
  const outside = items.filter(({ document, id }) => document === 'entity' || !manifests.has(id))
  if (outside.length === 0) return
  throw new ApiError(409, 'references', messages.referredTo, { references: outside.slice(0, maxReported) })
}

/** Entities refer to those of sub-manifests, so these are deleted later. */
function parentsFirst(created: readonly Created[]): Created[] {
  const left = new Map(created.map(one => [one.manifest.id, one]))
  const ordered: Created[] = []
  while (left.size > 0) {
    const below = new Set([...left.values()].flatMap(({ content }) => content.subManifests))
    const [next] = [...left.values()].toSorted(
      (a, b) => Number(below.has(a.manifest.id)) - Number(below.has(b.manifest.id)),
    )
    if (!next) break
    left.delete(next.manifest.id)
    ordered.push(next)
  }
  return ordered
}
