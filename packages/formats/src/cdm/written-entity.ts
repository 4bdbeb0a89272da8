import { isDeepStrictEqual } from 'node:util'
import { FreeNames } from '@cadmus/model/free-names'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import {
  ancestorsOf,
  declaredAttributes,
  resolvedAttributes,
  type EntityLookup,
  type ResolvedAttribute as ModelAttribute,
} from '@cadmus/model/inherit'
import { foldName } from '@cadmus/model/paths'
import { traitNames } from './traits.ts'
import { bounds } from './bounds.ts'
import type { Layout, Place } from './layout.ts'
import { writtenAttributeName } from './written-name.ts'
import { writtenType } from './written-type.ts'

/** An attribute in the folder: its name there and the model's attribute. */
export type WrittenAttribute = {
  name: string
  of: ModelAttribute
  /** Whether it redefines an inherited attribute; readers merge both. */
  redefines: boolean
}

export type WrittenEntity = {
  entity: EntityNode
  place: Place
  /**
   * Undefined without a parent, or if the document omits it; the entity then contains all inherited attributes
   * itself.
   */
  parent: WrittenEntity | undefined
  own: readonly WrittenAttribute[]
  /** Own and inherited attributes by name, in order. */
  all: ReadonlyMap<string, WrittenAttribute>
  depth: number
}

/** The entities of a resolved model with their attributes as written; parents before children. */
export function writtenEntities(resolvedModel: ResolvedModel, layout: Layout): Map<number, WrittenEntity> {
  const written = new Map<number, WrittenEntity>()
  const lookup = (id: number) => resolvedModel.byId.get(id)
  for (const entity of resolvedModel.entities) {
    for (const one of [entity, ...ancestorsOf(entity, lookup)].toReversed()) {
      const place = layout.entities.get(one.id)
      if (!place || written.has(one.id)) continue
      const parent = one.extendsEntity ? written.get(one.extendsEntity.id) : undefined
      const own = declaredAttributes(one)
      const canExtend = parent !== undefined && parent.depth < maxDepth && !contradicts(own, parent)
      const extended = canExtend ? parent : undefined
      written.set(one.id, writtenEntity(one, place, extended, extended ? own : allAttributes(one, own, lookup)))
    }
  }
  return written
}

/** Includes inherited attributes. Unlike in tables, names that differ only in case are distinct. */
function allAttributes(
  entity: EntityNode,
  own: readonly ModelAttribute[],
  lookup: EntityLookup,
): readonly ModelAttribute[] {
  if (!entity.extendsEntity) return own
  const resolved = resolvedAttributes(entity, lookup)
  const names = new Set(resolved.map(({ name }) => name))
  return [...resolved, ...own.filter(({ name }) => !names.has(name))]
}

/** Maximum depth of inheritance that readers support. */
const maxDepth = bounds.extendsDepth - 2

/** The entity without its parent, with all inherited attributes as its own. */
export function withoutParent(written: WrittenEntity): WrittenEntity {
  if (!written.parent) return written
  const own = [...written.all.values()].map(attribute => ({ ...attribute, redefines: false }))
  return { ...written, parent: undefined, own, depth: 0 }
}

function writtenEntity(
  entity: EntityNode,
  place: Place,
  parent: WrittenEntity | undefined,
  own: readonly ModelAttribute[],
): WrittenEntity {
  const all = new Map(parent?.all)
  const names = new FreeNames({ fold: one => one, taken: all.keys() })
  const written = own.map((of): WrittenAttribute => {
    const redefines = parent?.all.get(of.name)?.of.name === of.name
    return { name: redefines ? of.name : names.take(writtenAttributeName(of.name)), of, redefines }
  })
  for (const attribute of written) all.set(attribute.name, attribute)
  return { entity, place, parent, own: written, all, depth: parent ? parent.depth + 1 : 0 }
}

/** Whether an own attribute redefines an inherited one incompatibly: redefinitions can only add properties. */
function contradicts(own: readonly ModelAttribute[], parent: WrittenEntity): boolean {
  const inherited = new Map([...parent.all.values()].map(({ of }) => [foldName(of.name), of]))
  return own.some(attribute => {
    const earlier = inherited.get(foldName(attribute.name))
    return earlier !== undefined && !canRedefine(attribute, earlier)
  })
}

/** Whether the later definition has every property of the earlier one, because removal cannot be expressed. */
function canRedefine(later: ModelAttribute, earlier: ModelAttribute): boolean {
  if (later.kind !== 'type' || earlier.kind !== 'type' || later.name !== earlier.name) return false
  if (writtenAttributeName(later.name) !== later.name || !isDeepStrictEqual(writtenType(later), writtenType(earlier)))
    return false
  if (earlier.isPrimaryKey && !later.isPrimaryKey) return false
  if (earlier.nullable && !later.nullable) return false
  if (earlier.maxLength !== null && later.maxLength === null) return false
  if (earlier.choices.length > 0 && later.choices.length === 0) return false
  const traits = new Set(traitNames(later.attribute.traits))
  return traitNames(earlier.attribute.traits).every(name => traits.has(name))
}
