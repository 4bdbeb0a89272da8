import { applyManifestEdits } from '@cadmus/model/edits/manifest-edits'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { chosenFrom, type Enumeration } from '@cadmus/model/enumeration'
import { isEqual } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { enumerationTexts } from '@cadmus/model/messages/enumerations'
import { mergeEnumerations } from '@cadmus/model/merge/enumerations'
import { changesAttributes, enumerationFaults } from '@cadmus/model/rules/enumerations'
import { invalid, staleSave } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { entitiesByIds } from '../../store/entity.ts'
import { ownEntityIds } from '../../store/manifest-members.ts'
import { manifestById, manifestContent, setManifestContent, type ManifestRow } from '../../store/manifest.ts'
import { manifestEntry } from '../audit.ts'
import type { Change, Work } from '../change.ts'
import { saveEntity } from '../entity/save-edits.ts'

type Enumerations = readonly Enumeration[]

/** Changes the enumerations of a manifest, and with them the choices of its entities' attributes. Requires the name lock. */
export async function saveEnumerations(
  tx: Tx,
  change: Change,
  work: Work,
  { id }: Pick<ManifestRow, 'id'>,
  { base, mine }: { base: Enumerations; mine: Enumerations },
): Promise<void> {
  const { organisationId, actor } = change
  const manifest = await manifestById(tx, organisationId, id)
  if (!manifest || isEqual(base, mine)) return
  const content = await manifestContent(tx, manifest)
  const { merged, conflicts } = mergeEnumerations(base, mine, content.enumerations)
  if (conflicts) {
    const unknown = { who: '', when: '' }
    throw staleSave(
      messages.staleSave,
      manifest.content_hash,
      conflicts.map(conflict => ({ ...conflict, ...unknown })),
    )
  }
  if (isEqual(merged, content.enumerations)) return
  const [message] = enumerationFaults(merged, content.enumerations)
  if (message !== undefined) throw invalid(message, [{ path: 'enumerations', message }])
  const edits = [{ kind: 'changeManifest' as const, change: { enumerations: merged } }]
  const after = await setManifestContent(tx, organisationId, id, applyManifestEdits(content, edits), actor)
  const before = manifest.content_hash
  const restoration = { manifest: { content_hash: before } }
  const description = enumerationTexts.changed
  work.audit(manifestEntry(manifest, { action: 'UPDATE', description, before, after, restoration, edits }))
  await changeAttributes(tx, change, work, id, content.enumerations, merged)
}

async function changeAttributes(
  tx: Tx,
  change: Change,
  work: Work,
  manifestId: number,
  before: Enumerations,
  after: Enumerations,
): Promise<void> {
  const now = new Map(after.map(one => [one.uid, one]))
  const changed = new Set(before.filter(one => changesAttributes(one, now.get(one.uid))).map(({ uid }) => uid))
  if (changed.size === 0) return
  const ids = await ownEntityIds(tx, change.organisationId, manifestId)
  for (const { id, content } of (await entitiesByIds(tx, change.organisationId, ids)).values()) {
    const edits = editsOf(content, changed, now)
    if (edits.length === 0) continue
    const save = {
      id,
      base: '*',
      version: undefined,
      earlier: [],
      edits: () => edits,
      places: () => () => 'enumerations',
    }
    await saveEntity(tx, change, work, save)
  }
}

function editsOf(
  { typeAttributes }: EntityContent,
  changed: ReadonlySet<string>,
  now: ReadonlyMap<string, Enumeration>,
): EntityEdit[] {
  const changes = typeAttributes.flatMap(({ uid, enumeration }) =>
    enumeration && changed.has(enumeration.uid) ? [{ uid, change: chosenFrom(now.get(enumeration.uid)) }] : [],
  )
  return changes.length === 0 ? [] : [{ kind: 'changeAttributes', changes }]
}
