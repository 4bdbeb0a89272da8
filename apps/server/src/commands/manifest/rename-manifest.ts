import { manifestForm } from '@cadmus/model/content'
import { readStored } from '@cadmus/model/stored/stored-form'
import { applyManifestEdits } from '@cadmus/model/edits/manifest-edits'
import { mayEditManifest } from '@cadmus/model/locks'
import type { ManifestContent } from '@cadmus/model/manifest'
import { mergeRecords } from '@cadmus/model/merge/items'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { customManifestPath } from '@cadmus/model/paths'
import { manifestName } from '@cadmus/model/rules/names'
import { conflict, invalid, staleSave } from '../../errors/api-error.ts'
import { namingEntry } from '../../store/audit-of-target.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db, Tx } from '../../store/database.ts'
import { moveOwnedEntities, setManifestName } from '../../store/manifest-rename.ts'
import {
  isManifestNameTaken,
  lockManifestNames,
  manifestContent,
  setManifestContent,
  type ManifestRow,
} from '../../store/manifest.ts'
import { manifestEntry } from '../audit.ts'
import { transact, type Change, type Work } from '../change.ts'
import { resolveMoved } from '../entity/resolve-references.ts'
import { lockedManifest } from './manifest-permission.ts'

/** Without a name nothing changes. `ifMatch`: tag of the base state; `*` overwrites. */
type Renaming = { name: string | undefined; ifMatch: string }

/** Renames a manifest and moves its entities to the new path. References use ids and need no change. */
export async function renameManifest(change: Change, manifestId: number, renaming: Renaming): Promise<void> {
  await transact(change, 1, (tx, work) => renameWithin(tx, change, work, manifestId, renaming))
}

export async function renameWithin(
  tx: Tx,
  change: Change,
  work: Work,
  manifestId: number,
  renaming: Renaming,
): Promise<void> {
  const { store, organisationId, actor } = change
  // Locked against concurrent additions below the name.
  await lockManifestNames(tx, organisationId)
  const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
  const content = await manifestContent(tx, manifest)
  const name = await mergedName(tx, manifest, content, renaming)
  if (name === content.name) return
  await checkName(tx, manifest, name)

  const edits = [{ kind: 'changeManifest' as const, change: { name } }]
  const next = applyManifestEdits(content, edits)
  const path = customManifestPath(name)
  const hash = await setManifestContent(tx, organisationId, manifestId, next, actor)
  await setManifestName(tx, manifest, { name, path })
  await moveOwnedEntities(tx, store, manifest, path)
  await resolveMoved(tx, change, work, { before: manifest.path, path })
  work.audit(
    manifestEntry(
      { ...manifest, name, path },
      {
        action: 'UPDATE',
        description: auditTexts.manifestRenamed(content.name, name),
        before: manifest.content_hash,
        after: hash,
        restoration: { manifest: { content_hash: manifest.content_hash, path: manifest.path } },
        edits,
      },
    ),
  )
}

/** Rules of a new name. A change of case is allowed. */
async function checkName(tx: Db, { organisation_id: organisationId, id }: ManifestRow, name: string): Promise<void> {
  const problem = manifestName(name)
  const isTaken = problem === undefined && (await isManifestNameTaken(tx, organisationId, name, id))
  const message = isTaken ? messages.manifestExists(name) : problem
  if (message !== undefined) throw invalid(message, [{ path: 'manifestName', message }])
}

/** The requested name, or the current one if the request did not change it; 409 after a concurrent rename. */
async function mergedName(
  tx: Db,
  manifest: ManifestRow,
  current: ManifestContent,
  { name, ifMatch }: Renaming,
): Promise<string> {
  const base = await baseOf(tx, manifest, current, ifMatch)
  const mine = { name: name?.trim() ?? base.name }
  const { merged, conflicts } = mergeRecords({ name: base.name }, mine, { name: current.name })
  if (merged) return merged.name
  const author = await namedBy(tx, manifest)
  throw staleSave(
    messages.staleSave,
    manifest.content_hash,
    conflicts.map(one => ({ ...one, ...author })),
  )
}

/** The state of this manifest with that tag. */
export async function baseOf(
  tx: Db,
  { organisation_id: organisationId, content_hash: hash }: ManifestRow,
  current: ManifestContent,
  ifMatch: string,
): Promise<ManifestContent> {
  if (ifMatch === '*' || ifMatch === hash) return current
  const body = await contentByHash(tx, organisationId, ifMatch)
  const base = body === undefined ? undefined : readManifest(body)
  if (base?.uid !== current.uid) throw conflict(messages.unknownManifestBase)
  return base
}

/** A tag may refer to any content of the organisation, also an entity's, which is not a state of a manifest. */
function readManifest(body: string): ManifestContent | undefined {
  try {
    return readStored(manifestForm, JSON.parse(body))
  } catch {
    return undefined
  }
}

/** Author and time of the current name. */
async function namedBy(tx: Db, manifest: ManifestRow): Promise<{ who: string; when: string }> {
  const entry = await namingEntry(tx, manifest.organisation_id, manifest)
  return { who: entry?.user_name ?? '', when: entry?.at ?? '' }
}
