import { foldName } from '@cadmus/model/paths'
import type { Attribute } from './attribute.ts'
import type { LoadedDocument } from './corpus.ts'
import type { FoundEntity } from './scope.ts'
import { joinedTraits } from './traits.ts'

/** An attribute of an entity, inherited ones included, with everything that later definitions changed. */
export type ResolvedAttribute = {
  attribute: Attribute
  /** Which entity of the chain last defined it: 0 is the farthest ancestor. */
  level: number
  /** The document where it is written. */
  written: LoadedDocument
  reference: ResolvedReference | undefined
  /** What it is called where it is inherited from, where an operation on that renames it. */
  formerly?: string
}

export type ResolvedReference = {
  name: string
  description: string | undefined
  targets: readonly ResolvedTarget[]
  /** Targets that no document defines: a name, or the path that a link states. */
  unknown: readonly { name: string; attribute: string | undefined }[]
}

/** `attribute` is '' where the target has no key and the reference names none. */
export type ResolvedTarget = { entity: FoundEntity; attribute: string }

export type ResolvedEntity = {
  entity: FoundEntity
  /** The entity and all that it extends, the farthest first. */
  chain: readonly FoundEntity[]
  attributes: ReadonlyMap<string, ResolvedAttribute>
  /** The attribute of that name, in any case. */
  named: (name: string) => ResolvedAttribute | undefined
}

export function isKey(attribute: Attribute): boolean {
  return attribute.purpose === 'identifiedBy' || attribute.isKey === true
}

/** Folded once, when it is first asked: thousands of references may name an attribute of one entity. */
export function byAnyCase(attributes: ReadonlyMap<string, ResolvedAttribute>): ResolvedEntity['named'] {
  let folded: Map<string, ResolvedAttribute> | undefined
  return name => {
    const known = attributes.get(name)
    if (known) return known
    folded ??= new Map([...attributes.values()].toReversed().map(one => [foldName(one.attribute.name), one]))
    return folded.get(foldName(name))
  }
}

/** A later definition changes the earlier one, but a key stays the key: what identifies the parent identifies the child. */
export function restated(earlier: Attribute, later: Attribute): Attribute {
  const traits = joinedTraits(earlier.traits, later.traits)
  return { ...earlier, ...later, ...(traits && { traits }), ...(isKey(earlier) ? { isKey: true } : {}) }
}

/** A later reference under the same name adds its targets to those of the earlier. */
export function merged(earlier: ResolvedReference | undefined, later: ResolvedReference | undefined) {
  if (!earlier || !later) return later ?? earlier
  const added = later.targets.filter(
    ({ entity, attribute }) => !earlier.targets.some(one => one.entity.is === entity.is && one.attribute === attribute),
  )
  return { ...later, targets: [...earlier.targets, ...added] }
}
