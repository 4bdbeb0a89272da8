import type { AlternativeTarget, EntityAttribute, EntityReference } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'
import type { KeyPair } from './key-pair.ts'

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

/** Target of a further column of a foreign key. */
export function pairTarget({ target, targetUid }: KeyPair): TargetColumn {
  return { name: target, uid: targetUid ?? undefined }
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
    alsoBy: relationship.alsoBy.map(pair => {
      const column = map.column(pairTarget(pair), entity, relationship.associatedEntity)
      return { ...pair, target: column.name, targetUid: column.uid ?? null }
    }),
    alternativeTargets: relationship.alternativeTargets.map(target => mapAlternative(target, map)),
  }
}

function mapAlternative(target: AlternativeTarget, map: ReferenceMap): AlternativeTarget {
  const entity = map.entity(target.entity)
  const { name, uid } = map.column({ name: target.attribute, uid: target.attributeUid }, entity, target.entity)
  return { entity, attribute: name, ...(uid === undefined ? {} : { attributeUid: uid }) }
}

/** Own columns of an entity and the id of its parent; 0 = none. Undefined for an unknown entity. */
export type ColumnSource = (entityId: number) => { uids: ReadonlyMap<string, string>; parent: number } | undefined

type Columns = Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>

/** Columns of the given entities, each with its parent's id; built on demand. */
export function columnsAmong(entities: Iterable<Columns & { id: number; parent: number }>): ColumnSource {
  const contents = new Map([...entities].map(entity => [entity.id, entity]))
  const sources = new Map<number, ReturnType<ColumnSource>>()
  return id => {
    const [cached, content] = [sources.get(id), contents.get(id)]
    if (cached || !content) return cached
    const columns = [
      ...content.typeAttributes.map(({ name, uid }) => [name, uid] as const),
      ...content.entityAttributes.map(item => [item.foreignKeyTypeAttribute, item.uid] as const),
    ]
    const source = { uids: new Map(columns), parent: content.parent }
    sources.set(id, source)
    return source
  }
}

/** Target attributes of a content without uid. */
export function openTargets(content: EntityContent): { entity: EntityReference; column: TargetColumn }[] {
  const open: { entity: EntityReference; column: TargetColumn }[] = []
  mapReferences(content, {
    entity: reference => reference,
    column(column, entity) {
      if (column.uid === undefined && column.name !== '' && entity.id > 0) open.push({ entity, column })
      return column
    },
  })
  return open
}

/** The content with uids for these targets where found: in the target itself, else in its nearest ancestor. */
export function pinnedTargets(content: EntityContent, source: ColumnSource): EntityContent {
  if (openTargets(content).length === 0) return content
  return mapReferences(content, {
    entity: reference => reference,
    column: (column, { id }) => ({ ...column, uid: column.uid ?? uidIn(source, id, column.name) }),
  })
}

function uidIn(source: ColumnSource, entityId: number, name: string): string | undefined {
  const passed = new Set<number>()
  for (let id = entityId; id > 0 && !passed.has(id);) {
    const columnsOf = source(id)
    const uid = columnsOf?.uids.get(name)
    if (uid !== undefined) return uid
    passed.add(id)
    id = columnsOf?.parent ?? 0
  }
  return undefined
}
