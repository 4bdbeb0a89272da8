import { deflated, inflated } from '@cadmus/formats/deflate'
import { InheritedKeys } from '@cadmus/formats/inherited-keys'
import type { ImportedEntity } from '@cadmus/formats/imported-model'

/** What is known of each without unpacking it. */
export type EntityPlace = Pick<ImportedEntity, 'name' | 'corpusPath' | 'extendsEntity' | 'uid'> & {
  /** Names of its attributes and foreign keys, and their uids, in turn. */
  columns: readonly string[]
}

/** So many attributes are packed together: enough for their words to repeat. */
const attributesAPack = 250
/** Up to so many bytes in all packs stay as they are: most folders have no more, and packing takes as long as reading their JSON. */
const plainBytes = 24_000_000
const encoder = new TextEncoder()
const decoder = new TextDecoder()

type Pack = { bytes: Uint8Array; length: number; isPlain: boolean }

/**
 * Imported entities, packed as fast as they are made: the documents that they come from are still in memory then, and as objects they
 * would need twice as much again, packed a tenth of that. They come back one after the other.
 */
export class PackedEntities {
  readonly places: EntityPlace[] = []
  readonly keys = new InheritedKeys()
  readonly #packs: Pack[] = []
  readonly #plainBytes: number
  #plain = 0
  #waiting: ImportedEntity[] = []
  #attributes = 0

  constructor(mayBePlain: number = plainBytes) {
    this.#plainBytes = mayBePlain
  }

  add(entity: ImportedEntity): void {
    const { name, corpusPath, extendsEntity, uid, typeAttributes, entityAttributes } = entity
    const columns = [
      ...typeAttributes.flatMap(attribute => [attribute.name, attribute.uid]),
      ...entityAttributes.flatMap(attribute => [attribute.foreignKeyTypeAttribute, attribute.uid]),
    ]
    this.places.push({ name, corpusPath, extendsEntity, uid, columns })
    this.keys.add(entity)
    this.#waiting.push(entity)
    this.#attributes += typeAttributes.length + entityAttributes.length + 1
    if (this.#attributes >= attributesAPack) this.#pack()
  }

  get size(): number {
    return this.places.length
  }

  /** In the order in which they came, each with its place; what is behind is forgotten, so that it can be done once. */
  *unpacked(): Generator<ImportedEntity> {
    this.#pack()
    for (const [index, { bytes, length, isPlain }] of this.#packs.entries()) {
      this.#packs[index] = { bytes: new Uint8Array(), length: 0, isPlain }
      const entities: ImportedEntity[] = JSON.parse(decoder.decode(isPlain ? bytes : inflated(bytes, length)))
      yield* entities
    }
  }

  #pack(): void {
    if (this.#waiting.length === 0) return
    const bytes = encoder.encode(JSON.stringify(this.#waiting))
    const { length } = bytes
    this.#plain += length
    const isPlain = this.#plain <= this.#plainBytes
    this.#packs.push({ bytes: isPlain ? bytes : deflated(bytes), length, isPlain })
    this.#waiting = []
    this.#attributes = 0
  }
}
