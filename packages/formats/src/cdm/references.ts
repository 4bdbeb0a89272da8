import type { Attribute } from './attribute.ts'
import type { LoadedDocument } from './corpus.ts'
import type { Keys } from './keys.ts'
import type { Lookup, ResolutionScope } from './lookup.ts'
import { type Reference, type Target, targetsOf } from './member.ts'
import type { ResolvedReference, ResolvedTarget } from './resolved.ts'

/** Resolves the targets of references: entities and their attributes. */
export class References {
  readonly #lookup: Lookup
  readonly #keys: Keys

  constructor(lookup: Lookup, keys: Keys) {
    this.#lookup = lookup
    this.#keys = keys
  }

  of(member: Reference, resolution: ResolutionScope): ResolvedReference {
    const options = member.targets.flatMap(one => this.#options(one, member.selectsOne, resolution))
    return this.#resolvedTargets(options, member, resolution)
  }

  #resolvedTargets(
    options: readonly Target[],
    { name, description }: { name: string; description: string | undefined },
    resolution: ResolutionScope,
  ): ResolvedReference {
    const targets: ResolvedTarget[] = []
    const unknown: { name: string; attribute: string | undefined }[] = []
    for (const target of options) {
      if (typeof target.entity !== 'string') continue
      const entity = this.#lookup.entity(target.entity, resolution)
      if (entity) targets.push({ entity, attribute: target.attribute ?? this.#keys.of(entity) })
      else unknown.push({ name: target.entity, attribute: target.attribute })
    }
    return { name, description, targets, unknown }
  }

  /** A polymorphic target lists its alternatives as entity attributes of an inline or named entity. */
  #options(target: Target, selectsOne: boolean, resolution: ResolutionScope): readonly Target[] {
    if (!selectsOne) return [target]
    if (typeof target.entity !== 'string') return target.entity.flatMap(targetsOf)
    const listing = this.#lookup.entity(target.entity, resolution)
    // An unknown name is reported like any other missing entity.
    return listing ? listing.is.members.flatMap(targetsOf) : [target]
  }

  /** A foreign key written as a plain attribute with a linking trait. */
  linked(attribute: Attribute, written: LoadedDocument): ResolvedReference | undefined {
    if (!attribute.links) return undefined
    const links = attribute.links.map(link => ({ link, entity: this.#lookup.entityAt(link.path, written) }))
    return {
      name: attribute.name,
      description: attribute.description,
      targets: links.flatMap(({ link, entity }) =>
        entity ? [{ entity, attribute: link.attribute ?? this.#keys.of(entity) }] : [],
      ),
      unknown: links.flatMap(({ link, entity }) => (entity ? [] : [{ name: link.path, attribute: link.attribute }])),
    }
  }

  ofProjection(
    targets: readonly Target[],
    name: string,
    attribute: string,
    resolution: ResolutionScope,
  ): ResolvedReference {
    const options = targets.flatMap(target =>
      typeof target.entity === 'string' ? [{ ...target, attribute }] : target.entity.flatMap(targetsOf),
    )
    return this.#resolvedTargets(options, { name, description: undefined }, resolution)
  }
}
