import { isDeepStrictEqual } from 'node:util'
import { FreeNames } from '@cadmus/model/free-names'
import type { Closure } from '@cadmus/model/closure'
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

/** An attribute as the folder has it: its name there, and what it is in the model. */
export type WrittenAttribute = {
  name: string
  of: ModelAttribute
  /** Whether it says anew what a parent says: then a reader has both. */
  restates: boolean
}

/** An entity as its document has it. */
export type WrittenEntity = {
  entity: EntityNode
  place: Place
  /** Undefined where it extends nothing, or the document does not say so: then it holds all that it inherits itself. */
  parent: WrittenEntity | undefined
  own: readonly WrittenAttribute[]
  /** With the inherited ones, by their names, in order. */
  all: ReadonlyMap<string, WrittenAttribute>
  depth: number
}

/** The entities of a closure, each with its attributes as its document will have them; parents before children. */
export function writtenEntities(closure: Closure, layout: Layout): Map<number, WrittenEntity> {
  const written = new Map<number, WrittenEntity>()
  const lookup = (id: number) => closure.byId.get(id)
  for (const entity of closure.entities) {
    for (const one of [entity, ...ancestorsOf(entity, lookup)].toReversed()) {
      const place = layout.entities.get(one.id)
      if (!place || written.has(one.id)) continue
      const parent = one.extendsEntity ? written.get(one.extendsEntity.id) : undefined
      const own = declaredAttributes(one)
      const mayExtend = parent !== undefined && parent.depth < deepest && !contradicts(own, parent)
      const extended = mayExtend ? parent : undefined
      written.set(one.id, writtenEntity(one, place, extended, extended ? own : allAttributes(one, own, lookup)))
    }
  }
  return written
}

/** With the inherited ones. Names that differ in case only are one for tables, and two here. */
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

/** So many entities may extend one another for a reader to follow. */
const deepest = bounds.extendsDepth - 2

/** The same with all that it inherits as its own. */
export function standingAlone(written: WrittenEntity): WrittenEntity {
  if (!written.parent) return written
  const own = [...written.all.values()].map(attribute => ({ ...attribute, restates: false }))
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
    const restates = parent?.all.get(of.name)?.of.name === of.name
    return { name: restates ? of.name : names.take(writtenAttributeName(of.name)), of, restates }
  })
  for (const attribute of written) all.set(attribute.name, attribute)
  return { entity, place, parent, own: written, all, depth: parent ? parent.depth + 1 : 0 }
}

/** Whether something of its own has an inherited name and another meaning: a later definition only adds to an earlier one. */
function contradicts(own: readonly ModelAttribute[], parent: WrittenEntity): boolean {
  const inherited = new Map([...parent.all.values()].map(({ of }) => [foldName(of.name), of]))
  return own.some(attribute => {
    const earlier = inherited.get(foldName(attribute.name))
    return earlier !== undefined && !mayRestate(attribute, earlier)
  })
}

/** Nothing that the earlier definition says may be missing in the later: there is no way to take it back. */
function mayRestate(later: ModelAttribute, earlier: ModelAttribute): boolean {
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
