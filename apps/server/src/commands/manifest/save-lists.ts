import { applyManifestEdits } from '@cadmus/model/edits/manifest-edits'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { chosenFrom, type Enumeration } from '@cadmus/model/enumeration'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { isEqual } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { enumerationTexts } from '@cadmus/model/messages/enumerations'
import { dataStepTexts } from '@cadmus/model/messages/data-steps'
import { three } from '@cadmus/model/merge/items'
import { mergeDataSteps, mergeEnumerations } from '@cadmus/model/merge/manifest-lists'
import type { ManifestContent } from '@cadmus/model/manifest'
import type { DataStep } from '@cadmus/model/data-steps'
import { dataStepFaults } from '@cadmus/model/rules/data-steps'
import { changesAttributes, enumerationFaults } from '@cadmus/model/rules/enumerations'
import { invalid, staleSave } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { entitiesByIds } from '../../store/entity.ts'
import { entitiesWithEnumerations } from '../../store/manifest-members.ts'
import { manifestById, manifestContent, setManifestContent, type ManifestRow } from '../../store/manifest.ts'
import { manifestEntry } from '../audit.ts'
import type { Change, Work } from '../change.ts'
import { saveEntity } from '../entity/save-edits.ts'

type Enumerations = readonly Enumeration[]
type Lists = Pick<ManifestContent, 'enumerations' | 'dataSteps'>

/**
 * Changes the enumerations of a manifest, and with them the choices of its entities' attributes, and its data steps. Requires the name lock.
 */
export async function saveLists(
  tx: Tx,
  change: Change,
  work: Work,
  { id }: Pick<ManifestRow, 'id'>,
  { base, mine }: { base: Lists; mine: Lists },
): Promise<void> {
  const { organisationId } = change
  const manifest = await manifestById(tx, organisationId, id)
  if (!manifest || (isEqual(base.enumerations, mine.enumerations) && isEqual(base.dataSteps, mine.dataSteps))) return
  const theirs = await manifestContent(tx, manifest)
  const lists = { base, mine, theirs }
  const [enumerations, dataSteps] = [
    mergeEnumerations(three(lists, one => one.enumerations)),
    mergeDataSteps(three(lists, one => one.dataSteps)),
  ]
  if (enumerations.conflicts || dataSteps.conflicts) {
    const unknown = { who: '', when: '' }
    const conflicts = [...(enumerations.conflicts ?? []), ...(dataSteps.conflicts ?? [])]
    throw staleSave(
      messages.staleSave,
      manifest.content_hash,
      conflicts.map(conflict => ({ ...conflict, ...unknown })),
    )
  }
  await saveList(tx, change, work, manifest, { content: theirs, field: 'enumerations', list: enumerations.merged })
  await changeAttributes(tx, change, work, id, theirs.enumerations, enumerations.merged)
  const now = await manifestById(tx, organisationId, id)
  if (!now) return
  const content = await manifestContent(tx, now)
  await saveList(tx, change, work, now, { content, field: 'dataSteps', list: dataSteps.merged })
}

type SavedList = { content: ManifestContent } & (
  | { field: 'enumerations'; list: Enumeration[] }
  | { field: 'dataSteps'; list: DataStep[] }
)

/** With an entry of its own. */
async function saveList(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  manifest: ManifestRow,
  { content, ...saved }: SavedList,
): Promise<void> {
  const { field, list } = saved
  if (isEqual(list, content[field])) return
  const [message] =
    saved.field === 'dataSteps'
      ? dataStepFaults(saved.list, content.dataSteps)
      : enumerationFaults(saved.list, content.enumerations)
  if (message !== undefined) throw invalid(message, [{ path: field, message }])
  const edits = [{ kind: 'changeManifest' as const, change: { [field]: list } }]
  const after = await setManifestContent(tx, organisationId, manifest.id, applyManifestEdits(content, edits), actor)
  const before = manifest.content_hash
  const restoration = { manifest: { content_hash: before } }
  const description = field === 'dataSteps' ? dataStepTexts.changed : enumerationTexts.changed
  work.audit(manifestEntry(manifest, { action: 'UPDATE', description, before, after, restoration, edits }))
}

async function changeAttributes(
  tx: Tx,
  change: Change,
  work: Work,
  manifestId: number,
  before: Enumerations,
  after: Enumerations,
): Promise<void> {
  const [old, now] = [new Map(before.map(one => [one.uid, one])), new Map(after.map(one => [one.uid, one]))]
  const changed = new Set(before.filter(one => changesAttributes(one, now.get(one.uid))).map(({ uid }) => uid))
  if (changed.size === 0) return
  const ids = await entitiesWithEnumerations(tx, change.organisationId, manifestId, [...changed])
  for (const { id, content } of (await entitiesByIds(tx, change.organisationId, ids)).values()) {
    const edits = editsOf(content, changed, { old, now })
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
  { name, typeAttributes }: EntityContent,
  changed: ReadonlySet<string>,
  { old, now }: Record<'old' | 'now', ReadonlyMap<string, Enumeration>>,
): EntityEdit[] {
  const changes = typeAttributes.flatMap(attribute => {
    const { uid, enumeration } = attribute
    if (!enumeration || !changed.has(enumeration.uid)) return []
    const sides = { before: old.get(enumeration.uid), after: now.get(enumeration.uid) }
    return [{ uid, change: { ...chosenFrom(sides.after), ...followedDefault(attribute, name, sides) } }]
  })
  return changes.length === 0 ? [] : [{ kind: 'changeAttributes', changes }]
}

/** A default value is renamed with the value that it is. */
function followedDefault(
  { name, defaultKind, defaultValue }: TypeAttribute,
  entity: string,
  { before, after }: Record<'before' | 'after', Enumeration | undefined>,
): Partial<TypeAttribute> {
  const was = defaultKind === 'literal' ? before?.values.find(({ value }) => value === defaultValue) : undefined
  if (!was || !after) return {}
  const is = after.values.find(({ uid }) => uid === was.uid) ?? after.values.find(({ value }) => value === was.value)
  if (is) return is.value === was.value ? {} : { defaultValue: is.value }
  const message = enumerationTexts.isDefault(was.value, `${entity}.${name}`)
  throw invalid(message, [{ path: 'enumerations', message }])
}
