import type { Attribute } from './attribute.ts'
import type { LoadedDocument } from './corpus.ts'
import type { Keys } from './keys.ts'
import type { Lookup, Outlook } from './lookup.ts'
import type { Reference, Target } from './member.ts'
import { targetsOf } from './projections.ts'
import type { ResolvedReference, ResolvedTarget } from './resolved.ts'

/** What references point at: the entities that their names mean, and an attribute of each. */
export class References {
  readonly #lookup: Lookup
  readonly #keys: Keys

  constructor(lookup: Lookup, keys: Keys) {
    this.#lookup = lookup
    this.#keys = keys
  }

  of(member: Reference, outlook: Outlook): ResolvedReference {
    const options = member.targets.flatMap(one => this.#options(one, member.selectsOne, outlook))
    return this.#resolvedTargets(options, member, outlook)
  }

  #resolvedTargets(
    options: readonly Target[],
    { name, description }: { name: string; description: string | undefined },
    outlook: Outlook,
  ): ResolvedReference {
    const targets: ResolvedTarget[] = []
    const unknown: { name: string; attribute: string | undefined }[] = []
    for (const target of options) {
      if (typeof target.entity !== 'string') continue
      const entity = this.#lookup.entity(target.entity, outlook)
      if (entity) targets.push({ entity, attribute: target.attribute ?? this.#keys.of(entity) })
      else unknown.push({ name: target.entity, attribute: target.attribute })
    }
    return { name, description, targets, unknown }
  }

  /** A choice of targets lists them as entity attributes, in an entity written in place or one that is named. */
  #options(target: Target, selectsOne: boolean, outlook: Outlook): readonly Target[] {
    if (!selectsOne) return [target]
    if (typeof target.entity !== 'string') return target.entity.flatMap(targetsOf)
    const listing = this.#lookup.entity(target.entity, outlook)
    // Told by its name as any other that is not there.
    return listing ? listing.is.members.flatMap(targetsOf) : [target]
  }

  /** A foreign key written as a plain attribute, with a trait that links it. */
  linked(attribute: Attribute, written: LoadedDocument): ResolvedReference | undefined {
    if (!attribute.links) return undefined
    const found = attribute.links.map(link => ({ link, entity: this.#lookup.entityAt(link.path, written) }))
    return {
      name: attribute.name,
      description: attribute.description,
      targets: found.flatMap(({ link, entity }) =>
        entity ? [{ entity, attribute: link.attribute ?? this.#keys.of(entity) }] : [],
      ),
      unknown: found.flatMap(({ link, entity }) => (entity ? [] : [{ name: link.path, attribute: link.attribute }])),
    }
  }

  ofProjection(targets: readonly Target[], name: string, attribute: string, outlook: Outlook): ResolvedReference {
    const options = targets.flatMap(target =>
      typeof target.entity === 'string' ? [{ ...target, attribute }] : target.entity.flatMap(targetsOf),
    )
    return this.#resolvedTargets(options, { name, description: undefined }, outlook)
  }
}
