import type { Check } from '../conditions/condition.ts'
import { readCondition } from '../conditions/text.ts'
import { newUid } from '../uid.ts'
import { resolveModel, type ResolvedModel } from '../resolved-model.ts'
import { newEntityAttribute, type EntityAttribute } from '../entity-attribute.ts'
import { newEntityContent, type EntityContent, type EntityNode } from '../entity.ts'
import { newManifestContent, type ManifestNode } from '../manifest.ts'
import { newTypeAttribute, type TypeAttribute } from '../type-attribute.ts'

// For tests only: builders with default fields.

let lastId = 0

/** A unique id. */
export function anId(): number {
  lastId += 1
  return lastId
}

/** An entity with the key `id`. Number the given `typeAttributes` and `entityAttributes` with aList. */
export function anEntity(fields: Partial<EntityNode> = {}): EntityNode {
  const id = fields.id ?? anId()
  const name = fields.name ?? `Entity${id}`
  return { ...newEntityContent({ ...fields, name }), id, path: fields.path ?? `user-defined/Shop/${name}` }
}

/** The stored part of an entity. */
export function anEntityContent(fields: Partial<EntityContent> = {}): EntityContent {
  return newEntityContent({ name: 'Customer', ...fields })
}

export function aTypeAttribute(fields: Partial<TypeAttribute> = {}): TypeAttribute {
  return newTypeAttribute({ name: 'title', position: 0, ...fields })
}

export function aKey(fields: Partial<TypeAttribute> = {}): TypeAttribute {
  return aTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', ...fields })
}

/** A relationship to the entity's `id`; default foreign key `<entity>Id`. */
/** A check; `condition`: its text, with attributes by name. */
export function aCheck(condition: string, fields: Partial<Check> = {}): Check {
  const read = readCondition(condition)
  if ('fault' in read) throw new Error(read.fault)
  return { uid: newUid(), name: '', message: '', condition: read.condition, ...fields }
}

export function aRelationship(target: EntityNode, fields: Partial<EntityAttribute> = {}): EntityAttribute {
  return newEntityAttribute({
    associatedEntity: referenceTo(target),
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: `${target.name.slice(0, 1).toLowerCase()}${target.name.slice(1)}Id`,
    position: 0,
    ...fields,
  })
}

export function referenceTo({ id, name, path }: EntityNode): { id: number; name: string; path: string } {
  return { id, name, path }
}

/** Assigns positions 0, 1, 2 … in order. */
export function aList<T extends { position: number }>(...items: readonly T[]): T[] {
  return items.map((item, position) => ({ ...item, position }))
}

export function aManifest(fields: Partial<ManifestNode> = {}): ManifestNode {
  const id = fields.id ?? anId()
  const name = fields.name ?? `Manifest${id}`
  return { ...newManifestContent({ ...fields, name }), id, path: fields.path ?? `user-defined/${name}` }
}

/** The resolved model of a manifest with these members; `outside` entities exist but are not members. */
export function aResolvedModel(members: readonly EntityNode[], outside: readonly EntityNode[] = []): ResolvedModel {
  const root = aManifest({ name: 'Shop', entities: members.map(({ id }) => ({ id, type: 'EXCLUSIVE' })) })
  return resolveModel(root, {
    manifests: new Map([[root.id, root]]),
    entities: new Map([...members, ...outside].map(entity => [entity.id, entity])),
  })
}
