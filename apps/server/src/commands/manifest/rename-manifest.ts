import { manifestForm } from '@cadmus/model/content'
import { readStored } from '@cadmus/model/stored/stored-form'
import { applyManifestEdits } from '@cadmus/model/edits/manifest-edits'
import type { ManifestContent } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { customManifestPath } from '@cadmus/model/paths'
import { manifestName } from '@cadmus/model/rules/names'
import { conflict, invalid, staleSave } from '../../errors/api-error.ts'
import { namingEntry } from '../../store/audit-of-target.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db, Tx } from '../../store/database.ts'
import { moveOwnedEntities, setManifestName } from '../../store/manifest-rename.ts'
import { isManifestNameTaken, setManifestContent, type ManifestRow } from '../../store/manifest.ts'
import { manifestEntry } from '../audit.ts'
import type { Change, Work } from '../change.ts'
import { resolveMoved } from '../entity/resolve-references.ts'

/** `content`: the current one. */
type Renaming = { name: string; base: ManifestContent; content: ManifestContent }

/**
 * Renames a manifest and moves its entities to the new path. References use ids and need no change. Requires the name lock,
 * against concurrent additions below the name.
 */
export async function renameManifest(
  tx: Tx,
  change: Change,
  work: Work,
  manifest: ManifestRow,
  { name: requested, base, content }: Renaming,
): Promise<void> {
  const { store, organisationId, actor } = change
  const name = requested.trim()
  if (name === base.name || name === content.name) return
  if (base.name !== content.name)
    await refuseRename(tx, manifest, { base: base.name, mine: name, theirs: content.name })
  await checkName(tx, manifest, name)

  const edits = [{ kind: 'changeManifest' as const, change: { name } }]
  const next = applyManifestEdits(content, edits)
  const path = customManifestPath(name)
  const hash = await setManifestContent(tx, organisationId, manifest.id, next, actor)
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

/** 409 after a concurrent rename, with its author. */
async function refuseRename(
  tx: Tx,
  manifest: ManifestRow,
  names: { base: string; mine: string; theirs: string },
): Promise<never> {
  const entry = await namingEntry(tx, manifest.organisation_id, manifest)
  const author = { who: entry?.user_name ?? '', when: entry?.at ?? '' }
  throw staleSave(messages.staleSave, manifest.content_hash, [{ path: '', field: 'name', ...names, ...author }])
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
