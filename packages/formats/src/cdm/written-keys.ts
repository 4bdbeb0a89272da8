import { FreeNames } from '@cadmus/model/free-names'
import type { WrittenAttribute } from './written-entity.ts'
import type { WrittenDocument, WrittenTarget } from './written-model.ts'
import { writtenType, type WrittenType } from './written-type.ts'

/** Data types of foreign keys in a folder, and the foreign keys that are themselves referenced. */
export class WrittenKeys {
  readonly #documents: ReadonlyMap<number, WrittenDocument>
  /** Names of referenced foreign keys by entity id, including the entity's ancestors. */
  readonly #referred = new Map<number, Set<string>>()
  readonly #types = new Map<WrittenAttribute, WrittenType>()

  constructor(documents: ReadonlyMap<number, WrittenDocument>) {
    this.#documents = documents
    for (const { targets } of documents.values())
      for (const target of targets.values()) if (target.attribute.of.kind === 'foreignKey') this.#refer(target)
  }

  #refer({ entity, attribute: { name } }: WrittenTarget): void {
    let document = this.#documents.get(entity.entity.id)
    while (document) {
      const { id } = document.entity
      const names = this.#referred.get(id) ?? new Set()
      if (names.has(name)) return
      this.#referred.set(id, names.add(name))
      document = document.parent && this.#documents.get(document.parent.entity.id)
    }
  }

  /**
   * The entity's own referenced foreign keys, with the name of each relationship. `replaceAsForeignKey` finds plain
   * attributes only, so such a key is written as one as well.
   */
  referred({ entity, own, all, targets }: WrittenDocument): ReadonlyMap<string, string> {
    const referred = this.#referred.get(entity.id)
    if (!referred) return new Map()
    const names = new FreeNames({ fold: name => name, taken: all.keys() })
    return new Map(
      own.flatMap(({ name }) => {
        const target = targets.get(name)
        return target && referred.has(name) ? [[name, names.take(`${name}_${target.entity.place.name}`)]] : []
      }),
    )
  }

  /** The data type at the end of a chain of foreign keys; in a cycle, the key's own type. */
  typeOf(target: WrittenTarget): WrittenType {
    const passed = new Set<WrittenAttribute>()
    let { entity, attribute } = target
    let type = this.#types.get(attribute)
    while (type === undefined) {
      passed.add(attribute)
      const next = this.#documents.get(entity.entity.id)?.targets.get(attribute.name)
      if (!next || passed.has(next.attribute)) type = writtenType(attribute.of)
      else {
        ;({ entity, attribute } = next)
        type = this.#types.get(attribute)
      }
    }
    for (const one of passed) this.#types.set(one, type)
    return type
  }
}
