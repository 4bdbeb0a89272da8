import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { mapReferences } from '@cadmus/model/references'
import { newUid } from '@cadmus/model/uid'

export type CopyPlan = {
  name?: string
  /** What the copy is called in the store, with the uid that it gets: no relationship to a namesake goes there. */
  self?: EntityReference
  /** What is copied together, by the ids of the originals, the entity itself included: references between them are of the copies. */
  copies?: ReadonlyMap<number, EntityReference>
  /** Entities of the closure that the copy goes to, by folded name: relationships to a namesake are pointed at it. */
  namesakes?: ReadonlyMap<string, readonly EntityReference[]>
  /** The new uids of all attributes and foreign keys that are copied together, by the old ones. */
  columns?: ReadonlyMap<string, string>
}

/**
 * An independent copy: new uids for the entity and all that is in it, each remembering what it was copied from. What it extends
 * and the targets without a namesake stay as they are. Give it the source with its references under the names of today.
 */
export function copyEntity(source: EntityContent, plan: CopyPlan = {}): EntityContent {
  const columns = plan.columns ?? columnUidsOf(source)
  const uidOf = (uid: string) => columns.get(uid) ?? newUid()
  const pointed = pointedAtCopies(source, { ...plan, columns })
  return {
    ...pointed,
    uid: plan.self?.uid ?? newUid(),
    copiedFrom: source.uid,
    name: plan.name ?? source.name,
    type: 'EXCLUSIVE',
    typeAttributes: source.typeAttributes.map(item => ({ ...item, uid: uidOf(item.uid), copiedFrom: item.uid })),
    entityAttributes: pointed.entityAttributes.map(item => ({ ...item, uid: uidOf(item.uid), copiedFrom: item.uid })),
  }
}

/** A new uid for every attribute and foreign key of the source, by its old one. */
export function addColumnUids({ typeAttributes, entityAttributes }: EntityContent, to: Map<string, string>): void {
  for (const { uid } of typeAttributes) to.set(uid, newUid())
  for (const { uid } of entityAttributes) to.set(uid, newUid())
}

function columnUidsOf(source: EntityContent): ReadonlyMap<string, string> {
  const columns = new Map<string, string>()
  addColumnUids(source, columns)
  return columns
}

/** Entities by their folded names, for `namesakes`; of two of one name the later comes first. */
export function byFoldedName(references: readonly EntityReference[]): Map<string, EntityReference[]> {
  return Map.groupBy(references.toReversed(), ({ name }) => foldName(name))
}

function pointedAtCopies(
  source: EntityContent,
  { self, copies, namesakes, columns }: CopyPlan & { columns: ReadonlyMap<string, string> },
): EntityContent {
  const copyOf = (reference: EntityReference) => (reference.id > 0 ? copies?.get(reference.id) : undefined)
  const pointed = mapReferences(source, {
    entity(reference) {
      const near = namesakes?.get(foldName(reference.name))?.find(({ id }) => id !== self?.id)
      return copyOf(reference) ?? near ?? reference
    },
    column({ name, uid }, entity, before) {
      if (entity === before || uid === undefined) return { name, uid }
      // A copy's own attribute is a new one, an inherited one is still its ancestor's; what a namesake has is found by its name.
      return { name, uid: entity === copyOf(before) ? (columns.get(uid) ?? uid) : undefined }
    },
  })
  const parent = source.extendsEntity && (copyOf(source.extendsEntity) ?? source.extendsEntity)
  return { ...pointed, extendsEntity: parent }
}
