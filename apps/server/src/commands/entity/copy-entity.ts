import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { EntityContent } from '@cadmus/model/entity'
import { copiedConstraints } from '@cadmus/model/constraints'
import { withPairUids } from '@cadmus/model/key-pairs'
import { foldName } from '@cadmus/model/paths'
import { mapReferences } from '@cadmus/model/references'
import { newUid } from '@cadmus/model/uid'

export type CopyPlan = {
  name?: string
  /** Reference to the copy under its new uid; relationships are not redirected to it by name. */
  self?: EntityReference
  /** Copies made together, by original id, including this entity: references between originals become references between copies. */
  copies?: ReadonlyMap<number, EntityReference>
  /** Entities of the destination by folded name: relationships to an entity of the same name are redirected to them. */
  entitiesByName?: ReadonlyMap<string, readonly EntityReference[]>
  /** New uids of all columns copied together, by old uid. */
  columns?: ReadonlyMap<string, string>
}

/**
 * An independent copy with new uids, each item with its origin. The parent and other targets are unchanged. The names
 * in the source's references must be current.
 */
export function copyEntity(source: EntityContent, plan: CopyPlan = {}): EntityContent {
  const columns = plan.columns ?? columnUidsOf(source)
  const uidOf = (uid: string) => columns.get(uid) ?? newUid()
  const redirected = redirectToCopies(source, { ...plan, columns })
  return {
    ...redirected,
    uid: plan.self?.uid ?? newUid(),
    copiedFrom: source.uid,
    name: plan.name ?? source.name,
    type: 'EXCLUSIVE',
    ...copiedConstraints(source, uid => columns.get(uid)),
    typeAttributes: source.typeAttributes.map(item => ({ ...item, uid: uidOf(item.uid), copiedFrom: item.uid })),
    entityAttributes: redirected.entityAttributes.map(item => ({
      ...withPairUids(item, uid => columns.get(uid)),
      uid: uidOf(item.uid),
      copiedFrom: item.uid,
    })),
  }
}

/** Assigns new uids to the source's columns, by old uid. */
export function addColumnUids({ typeAttributes, entityAttributes }: EntityContent, to: Map<string, string>): void {
  for (const { uid } of typeAttributes) to.set(uid, newUid())
  for (const { uid } of entityAttributes) to.set(uid, newUid())
}

function columnUidsOf(source: EntityContent): ReadonlyMap<string, string> {
  const columns = new Map<string, string>()
  addColumnUids(source, columns)
  return columns
}

/** Entities by folded name, for `entitiesByName`; for equal names the later one comes first. */
export function byFoldedName(references: readonly EntityReference[]): Map<string, EntityReference[]> {
  return Map.groupBy(references.toReversed(), ({ name }) => foldName(name))
}

function redirectToCopies(
  source: EntityContent,
  { self, copies, entitiesByName, columns }: CopyPlan & { columns: ReadonlyMap<string, string> },
): EntityContent {
  const copyOf = (reference: EntityReference) => (reference.id > 0 ? copies?.get(reference.id) : undefined)
  const redirected = mapReferences(source, {
    entity(reference) {
      const near = entitiesByName?.get(foldName(reference.name))?.find(({ id }) => id !== self?.id)
      return copyOf(reference) ?? near ?? reference
    },
    column({ name, uid }, entity, before) {
      if (entity === before || uid === undefined) return { name, uid }
      // Own columns of a copy are new, inherited ones are the ancestor's; in an entity of the same name the column is found by name.
      return { name, uid: entity === copyOf(before) ? (columns.get(uid) ?? uid) : undefined }
    },
  })
  const parent = source.extendsEntity && (copyOf(source.extendsEntity) ?? source.extendsEntity)
  return { ...redirected, extendsEntity: parent }
}
