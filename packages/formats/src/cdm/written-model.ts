import { FreeNames } from '@cadmus/model/free-names'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { ancestorsOf } from '@cadmus/model/inherit'
import { nameConflictsOf } from '@cadmus/model/name-conflicts'
import { foldName } from '@cadmus/model/paths'
import { folderOfPath } from './corpus.ts'
import type { Layout } from './layout.ts'
import { withoutParent, writtenEntities, type WrittenAttribute, type WrittenEntity } from './written-entity.ts'

export type WrittenTarget = { entity: WrittenEntity; attribute: WrittenAttribute }

export type WrittenDocument = WrittenEntity & {
  /** By name of the foreign keys, own and inherited, that are relationships in this document. */
  targets: ReadonlyMap<string, WrittenTarget>
  /** Imports in order, excluding standard documents. */
  imports: readonly { entity: WrittenEntity; moniker: string | undefined }[]
}

/**
 * Plans the documents of a resolved model. In each document a name refers to one entity; references that would need a second
 * meaning are written without a relationship.
 */
export function writtenDocuments(resolvedModel: ResolvedModel, layout: Layout): Map<number, WrittenDocument> {
  const writer = new Writer(resolvedModel, layout)
  return writer.documents()
}

/** Entities by name within one document. */
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
  readonly #resolvedModel: ResolvedModel

  constructor(resolvedModel: ResolvedModel, layout: Layout) {
    this.#resolvedModel = resolvedModel
    this.#layout = layout
    this.#written = writtenEntities(resolvedModel, layout)
    this.#standsFor = nameConflictsOf(resolvedModel).standsFor
  }

  documents(): Map<number, WrittenDocument> {
    for (const [id, written] of this.#written) {
      const parent = written.parent && this.#documents.get(written.parent.entity.id)
      const document = this.#document({ ...written, parent }) ?? this.#document(withoutParent(written))
      if (document) this.#documents.set(id, document)
    }
    return this.#documents
  }

  /** Undefined if an inherited name would change its meaning in this document. */
  #document(written: WrittenEntity): WrittenDocument | undefined {
    const meanings: Meanings = new Map([[written.place.name, written]])
    const parent = written.parent && this.#documents.get(written.parent.entity.id)
    const targets = new Map<string, WrittenTarget>()
    // Readers resolve inherited paths relative to this document.
    if (parent && parent.targets.size > 0 && folderOfPath(parent.place.path) !== folderOfPath(written.place.path))
      return undefined
    for (const [name, target] of parent?.targets ?? []) {
      const resolved = this.#resolved(target, meanings)
      if (!resolved) return undefined
      targets.set(name, resolved)
    }
    for (const { name, of } of written.own) {
      const target = of.kind === 'foreignKey' ? this.#targetOf(of.relationship, meanings) : undefined
      if (target) targets.set(name, target)
    }
    const imports = this.#imports(written, parent, targets)
    return { ...written, parent, targets, imports }
  }

  #targetOf(
    { associatedEntity, associatedEntityTypeAttribute: attributeName }: EntityAttribute,
    meanings: Meanings,
  ): WrittenTarget | undefined {
    const table = this.#standsFor.get(associatedEntity.id)
    const entity = table && this.#written.get(table.id)
    const attribute = entity && this.#attributeNamed(entity, attributeName)
    return attribute && this.#resolved({ entity, attribute }, meanings)
  }

  #attributeNamed({ entity, all }: WrittenEntity, name: string): WrittenAttribute | undefined {
    const same = all.get(name)
    if (same?.of.name === name) return same
    const existing = this.#attributes.get(entity.id) ?? byName([...all.values()])
    this.#attributes.set(entity.id, existing)
    return existing.exact.get(name) ?? existing.folded.get(foldName(name))
  }

  /**
   * The target as its name is understood in this document: itself or an entity of the same name and table; undefined
   * if the name refers to another entity.
   */
  #resolved(target: WrittenTarget, meanings: Meanings): WrittenTarget | undefined {
    const { entity } = target
    const existing = meanings.get(entity.place.name)
    if (existing === undefined) meanings.set(entity.place.name, entity)
    if (existing === undefined || existing.entity.id === entity.entity.id) return target
    if (!this.#isAbove(entity, existing) && !this.#isAbove(existing, entity)) return undefined
    const attribute = existing.all.get(target.attribute.name)
    return attribute && { entity: existing, attribute }
  }

  #isAbove({ entity: above }: WrittenEntity, { entity }: WrittenEntity): boolean {
    let ids = this.#above.get(entity.id)
    if (!ids) {
      ids = new Set(ancestorsOf(entity, id => this.#resolvedModel.byId.get(id)).map(({ id }) => id))
      this.#above.set(entity.id, ids)
    }
    return ids.has(above.id)
  }

  /**
   * Imports the parent first, then own targets; inherited targets only if their names are ambiguous. A parent with an
   * ambiguous name is imported under a moniker, which hides its ancestors, so these are imported too.
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

  /** One moniker per entity, the same in all documents. */
  #monikerOf(parent: WrittenEntity): string | undefined {
    if (!this.#isShared(parent)) return undefined
    const { id } = parent.entity
    const existing = this.#monikers.get(id)
    if (existing !== undefined) return existing
    const moniker = this.#freeMonikers.take(`base_${parent.place.name}`)
    this.#monikers.set(id, moniker)
    return moniker
  }
}

/** Attributes by their model names, for lookups if the written name or its case differs. */
type AttributesByName = { exact: ReadonlyMap<string, WrittenAttribute>; folded: ReadonlyMap<string, WrittenAttribute> }

function byName(attributes: readonly WrittenAttribute[]): AttributesByName {
  // The first attribute of a name wins.
  const first = attributes.toReversed()
  return {
    exact: new Map(first.map(one => [one.of.name, one])),
    folded: new Map(first.map(one => [foldName(one.of.name), one])),
  }
}
