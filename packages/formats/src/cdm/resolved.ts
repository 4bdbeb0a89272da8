import { foldName } from '@cadmus/model/paths'
import type { Attribute } from './attribute.ts'
import type { LoadedDocument } from './corpus.ts'
import type { LocatedEntity } from './scope.ts'
import { joinedTraits } from './traits.ts'

/** An attribute of an entity, own or inherited, with all later definitions applied. */
export type ResolvedAttribute = {
  attribute: Attribute
  /** Index in the chain of the entity that last defined it; 0 is the farthest ancestor. */
  level: number
  written: LoadedDocument
  reference: ResolvedReference | undefined
  /** Inherited name, if an operation renamed it. */
  formerly?: string
}

export type ResolvedReference = {
  name: string
  description: string | undefined
  targets: readonly ResolvedTarget[]
  /** Targets that no document defines: a name, or the path of a link. */
  unknown: readonly { name: string; attribute: string | undefined }[]
}

/** `attribute` is '' if the target has no key and the reference names none. */
export type ResolvedTarget = { entity: LocatedEntity; attribute: string }

export type ResolvedEntity = {
  entity: LocatedEntity
  /** Farthest ancestor first, the entity itself last. */
  chain: readonly LocatedEntity[]
  attributes: ReadonlyMap<string, ResolvedAttribute>
  /** Case-insensitive. */
  named: (name: string) => ResolvedAttribute | undefined
}

export function isKey(attribute: Attribute): boolean {
  return attribute.purpose === 'identifiedBy' || attribute.isKey === true
}

/** Built on first use and cached: thousands of references may name attributes of one entity. */
export function byAnyCase(attributes: ReadonlyMap<string, ResolvedAttribute>): ResolvedEntity['named'] {
  let folded: Map<string, ResolvedAttribute> | undefined
  return name => {
    const exact = attributes.get(name)
    if (exact) return exact
    folded ??= new Map([...attributes.values()].toReversed().map(one => [foldName(one.attribute.name), one]))
    return folded.get(foldName(name))
  }
}

/**
 * Applies a later definition to an earlier one; a key is still a key, because the parent's identifier also identifies
 * the child.
 */
export function redefine(earlier: Attribute, later: Attribute): Attribute {
  const traits = joinedTraits(earlier.traits, later.traits)
  return { ...earlier, ...later, ...(traits && { traits }), ...(isKey(earlier) ? { isKey: true } : {}) }
}

/** A later reference of the same name adds its targets. */
export function mergeReferences(earlier: ResolvedReference | undefined, later: ResolvedReference | undefined) {
  if (!earlier || !later) return later ?? earlier
  const added = later.targets.filter(
    ({ entity, attribute }) => !earlier.targets.some(one => one.entity.is === entity.is && one.attribute === attribute),
  )
  return { ...later, targets: [...earlier.targets, ...added] }
}
