import type { AlternativeTarget, EntityAttribute, EntityReference } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'

/** Target attribute or foreign key of a relationship; without uid the name counts. */
export type TargetColumn = { name: string; uid: string | undefined }

export type ReferenceMap = {
  entity: (reference: EntityReference) => EntityReference
  /** `entity`: the target after mapping, `before`: the original. */
  column: (column: TargetColumn, entity: EntityReference, before: EntityReference) => TargetColumn
}

/** The content with each reference mapped: the parent and the targets of relationships. */
export function mapReferences(content: EntityContent, map: ReferenceMap): EntityContent {
  return {
    ...content,
    extendsEntity: content.extendsEntity && map.entity(content.extendsEntity),
    entityAttributes: content.entityAttributes.map(relationship => mapTargets(relationship, map)),
  }
}

export function targetColumn(item: EntityAttribute): TargetColumn {
  return { name: item.associatedEntityTypeAttribute, uid: item.associatedEntityTypeAttributeUid ?? undefined }
}

/** Whether both refer to the same attribute: by uid if known, otherwise by name. */
export function isSameTarget(a: EntityAttribute, b: EntityAttribute): boolean {
  const [one, other] = [targetColumn(a), targetColumn(b)]
  return one.uid !== undefined && other.uid !== undefined ? one.uid === other.uid : one.name === other.name
}

function mapTargets(relationship: EntityAttribute, map: ReferenceMap): EntityAttribute {
  const entity = map.entity(relationship.associatedEntity)
  const column = map.column(targetColumn(relationship), entity, relationship.associatedEntity)
  return {
    ...relationship,
    associatedEntity: entity,
    associatedEntityTypeAttribute: column.name,
    associatedEntityTypeAttributeUid: column.uid ?? null,
    alternativeTargets: relationship.alternativeTargets.map(target => mapAlternative(target, map)),
  }
}

function mapAlternative(target: AlternativeTarget, map: ReferenceMap): AlternativeTarget {
  const entity = map.entity(target.entity)
  const { name, uid } = map.column({ name: target.attribute, uid: target.attributeUid }, entity, target.entity)
  return { entity, attribute: name, ...(uid === undefined ? {} : { attributeUid: uid }) }
}
