import { FreeNames } from '@cadmus/model/free-names'
import type { Closure } from '@cadmus/model/closure'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { ancestorsOf } from '@cadmus/model/inherit'
import { namesakesOf } from '@cadmus/model/namesakes'
import { foldName } from '@cadmus/model/paths'
import { folderOfPath } from './corpus.ts'
import type { Layout } from './layout.ts'
import { standingAlone, writtenEntities, type WrittenAttribute, type WrittenEntity } from './written-entity.ts'

/** Where a foreign key leads in the folder. */
export type WrittenTarget = { entity: WrittenEntity; attribute: WrittenAttribute }

/** A document of an entity: what it says, and what its names mean. */
export type WrittenDocument = WrittenEntity & {
  /** By the names of all foreign keys, inherited ones included, that are relationships seen from this document. */
  targets: ReadonlyMap<string, WrittenTarget>
  /** What it imports: in order, beside the standard documents. */
  imports: readonly { entity: WrittenEntity; moniker: string | undefined }[]
}

/** The documents of a closure. A name means one entity in each; what would mean another is written without a relationship. */
export function writtenDocuments(closure: Closure, layout: Layout): Map<number, WrittenDocument> {
  const writer = new Writer(closure, layout)
  return writer.documents()
}

/** Names as one document understands them. */
type Meanings = Map<string, WrittenEntity>

class Writer {
  readonly #layout: Layout
  readonly #written: Map<number, WrittenEntity>
  readonly #documents = new Map<number, WrittenDocument>()
  readonly #monikers = new Map<number, string>()
  readonly #freeMonikers = new FreeNames({ fold: one => one })
  readonly #attributes = new Map<number, AttributesByName>()
  readonly #standsFor: ReadonlyMap<number, EntityNode>
  readonly #above = new Map<number, ReadonlySet<number>>()
  readonly #closure: Closure

  constructor(closure: Closure, layout: Layout) {
    this.#closure = closure
    this.#layout = layout
    this.#written = writtenEntities(closure, layout)
    this.#standsFor = namesakesOf(closure).standsFor
  }

  documents(): Map<number, WrittenDocument> {
    for (const [id, written] of this.#written) {
      const parent = written.parent && this.#documents.get(written.parent.entity.id)
      const document = this.#document({ ...written, parent }) ?? this.#document(standingAlone(written))
      if (document) this.#documents.set(id, document)
    }
    return this.#documents
  }

  /** Undefined where something inherited would mean something else in its document. */
  #document(written: WrittenEntity): WrittenDocument | undefined {
    const meanings: Meanings = new Map([[written.place.name, written]])
    const parent = written.parent && this.#documents.get(written.parent.entity.id)
    const targets = new Map<string, WrittenTarget>()
    // What it inherits from there would be looked for beside it.
    if (parent && parent.targets.size > 0 && folderOfPath(parent.place.path) !== folderOfPath(written.place.path))
      return undefined
    for (const [name, target] of parent?.targets ?? []) {
      const meant = this.#meant(target, meanings)
      if (!meant) return undefined
      targets.set(name, meant)
    }
    for (const { name, of } of written.own) {
      const target = of.kind === 'foreignKey' ? this.#targetOf(of.relationship, meanings) : undefined
      if (target) targets.set(name, target)
    }
    const imports = this.#imports(written, parent, targets)
    return { ...written, parent, targets, imports }
  }

  #targetOf(
    { associatedEntity, associatedEntityTypeAttribute: wanted }: EntityAttribute,
    meanings: Meanings,
  ): WrittenTarget | undefined {
    const table = this.#standsFor.get(associatedEntity.id)
    const entity = table && this.#written.get(table.id)
    const attribute = entity && this.#attributeNamed(entity, wanted)
    return attribute && this.#meant({ entity, attribute }, meanings)
  }

  #attributeNamed({ entity, all }: WrittenEntity, name: string): WrittenAttribute | undefined {
    const same = all.get(name)
    if (same?.of.name === name) return same
    const known = this.#attributes.get(entity.id) ?? byName([...all.values()])
    this.#attributes.set(entity.id, known)
    return known.exact.get(name) ?? known.folded.get(foldName(name))
  }

  /** What the target's name means here: itself, or a namesake that is the same table; undefined where it is something else. */
  #meant(target: WrittenTarget, meanings: Meanings): WrittenTarget | undefined {
    const { entity } = target
    const known = meanings.get(entity.place.name)
    if (known === undefined) meanings.set(entity.place.name, entity)
    if (known === undefined || known.entity.id === entity.entity.id) return target
    if (!this.#isAbove(entity, known) && !this.#isAbove(known, entity)) return undefined
    const attribute = known.all.get(target.attribute.name)
    return attribute && { entity: known, attribute }
  }

  #isAbove({ entity: above }: WrittenEntity, { entity }: WrittenEntity): boolean {
    let ids = this.#above.get(entity.id)
    if (!ids) {
      ids = new Set(ancestorsOf(entity, id => this.#closure.byId.get(id)).map(({ id }) => id))
      this.#above.set(entity.id, ids)
    }
    return ids.has(above.id)
  }

  /**
   * The parent first, then what it refers to; what it inherits references to only where a name alone would not say which is meant. A
   * parent whose name others have too is imported under a moniker, which hides what is above it: then that is imported too.
   */
  #imports(
    written: WrittenEntity,
    parent: WrittenDocument | undefined,
    targets: ReadonlyMap<string, WrittenTarget>,
  ): WrittenDocument['imports'] {
    const moniker = parent && this.#monikerOf(parent)
    const chain: { entity: WrittenEntity; moniker: string | undefined }[] = []
    for (let one = moniker === undefined ? undefined : parent?.parent; one; one = one.parent)
      chain.push({ entity: one, moniker: this.#monikerOf(one) })
    const own = new Set(written.own.map(({ name }) => name))
    const names = [...targets].filter(
      ([name, { entity }]) => own.has(name) || moniker !== undefined || this.#isShared(entity),
    )
    const plain = new Map(names.map(([, { entity }]) => [entity.entity.id, entity]))
    plain.delete(written.entity.id)
    const above = [...(parent ? [{ entity: parent, moniker }] : []), ...chain]
    for (const item of above) if (item.moniker === undefined) plain.delete(item.entity.entity.id)
    return [...above, ...[...plain.values()].map(entity => ({ entity, moniker: undefined }))]
  }

  #isShared({ place }: WrittenEntity): boolean {
    return this.#layout.shared.has(place.name)
  }

  /** One for each entity, so that it means the same in all documents. */
  #monikerOf(parent: WrittenEntity): string | undefined {
    if (!this.#isShared(parent)) return undefined
    const { id } = parent.entity
    const known = this.#monikers.get(id)
    if (known !== undefined) return known
    const moniker = this.#freeMonikers.take(`base_${parent.place.name}`)
    this.#monikers.set(id, moniker)
    return moniker
  }
}

/** The attributes of an entity by their names in the model, where these have another in the folder or are asked for in other letters. */
type AttributesByName = { exact: ReadonlyMap<string, WrittenAttribute>; folded: ReadonlyMap<string, WrittenAttribute> }

function byName(attributes: readonly WrittenAttribute[]): AttributesByName {
  // The first of a name counts.
  const first = attributes.toReversed()
  return {
    exact: new Map(first.map(one => [one.of.name, one])),
    folded: new Map(first.map(one => [foldName(one.of.name), one])),
  }
}
