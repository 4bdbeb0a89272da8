import { closureOf, type Closure } from '../closure.ts'
import { newEntityAttribute, type EntityAttribute } from '../entity-attribute.ts'
import { newEntityContent, type EntityContent, type EntityNode } from '../entity.ts'
import { newManifestContent, type ManifestNode } from '../manifest.ts'
import { newTypeAttribute, type TypeAttribute } from '../type-attribute.ts'

// For tests only: things with sensible fields, of which a test names the ones it is about.

let lastId = 0

/** A handle that no other built thing has. */
export function anId(): number {
  lastId += 1
  return lastId
}

/** An own entity with its key `id`; give `typeAttributes` and `entityAttributes` through aList, which numbers them. */
export function anEntity(given: Partial<EntityNode> = {}): EntityNode {
  const id = given.id ?? anId()
  const name = given.name ?? `Entity${id}`
  return { ...newEntityContent({ ...given, name }), id, path: given.path ?? `user-defined/Shop/${name}` }
}

/** The stored part of an entity alone. */
export function anEntityContent(given: Partial<EntityContent> = {}): EntityContent {
  return newEntityContent({ name: 'Customer', ...given })
}

export function aTypeAttribute(given: Partial<TypeAttribute> = {}): TypeAttribute {
  return newTypeAttribute({ name: 'title', position: 0, ...given })
}

export function aKey(given: Partial<TypeAttribute> = {}): TypeAttribute {
  return aTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', ...given })
}

/** A relationship to the entity's `id`, with the foreign key `<entity>Id` unless another is named. */
export function aRelationship(target: EntityNode, given: Partial<EntityAttribute> = {}): EntityAttribute {
  return newEntityAttribute({
    associatedEntity: referenceTo(target),
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: `${target.name.slice(0, 1).toLowerCase()}${target.name.slice(1)}Id`,
    position: 0,
    ...given,
  })
}

export function referenceTo({ id, name, path }: EntityNode): { id: number; name: string; path: string } {
  return { id, name, path }
}

/** The items with positions 0, 1, 2 … in their order. */
export function aList<T extends { position: number }>(...items: readonly T[]): T[] {
  return items.map((item, position) => ({ ...item, position }))
}

export function aManifest(given: Partial<ManifestNode> = {}): ManifestNode {
  const id = given.id ?? anId()
  const name = given.name ?? `Manifest${id}`
  return { ...newManifestContent({ ...given, name }), id, path: given.path ?? `user-defined/${name}` }
}

/** The closure of one manifest with these members; `outside` exist but are no members. */
export function aClosure(members: readonly EntityNode[], outside: readonly EntityNode[] = []): Closure {
  const root = aManifest({ name: 'Shop', entities: members.map(({ id }) => ({ id, type: 'EXCLUSIVE' })) })
  return closureOf(root, {
    manifests: new Map([[root.id, root]]),
    entities: new Map([...members, ...outside].map(entity => [entity.id, entity])),
  })
}
