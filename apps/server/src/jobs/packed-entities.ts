import { gunzipSync } from 'node:zlib'
import * as z from 'zod'
import { deflated, gzipped, inflated } from '@cadmus/formats/deflate'
import type { ImportedEntity } from '@cadmus/formats/imported-model'
import { InheritedKeys } from '@cadmus/formats/inherited-keys'
import { fullReportLine } from '@cadmus/model/contract/shared'
import { visibleText } from '@cadmus/model/display'
import type { FullImportLine, ImportLine } from '../commands/manifest/import-messages.ts'

/** The properties needed before unpacking. */
export type EntityPlace = Pick<ImportedEntity, 'name' | 'corpusPath' | 'extendsEntity' | 'uid'> & {
  /** Alternating names and uids of attributes and foreign keys. */
  columns: readonly string[]
}

/** Attributes per pack: enough repetition for compression. */
const attributesPerPack = 250
/**
 * Maximum total bytes of uncompressed packs. Most folders are smaller, and compressing takes as long as parsing their
 * JSON.
 */
const plainBytes = 24_000_000
const encoder = new TextEncoder()
const decoder = new TextDecoder()

type Pack = { bytes: Uint8Array; length: number; isPlain: boolean }

/**
 * Stores imported entities compactly while their source documents are still in memory: as objects they would double the
 * memory, packed they take a tenth of that. They are read back in order.
 */
export class PackedEntities {
  readonly places: EntityPlace[] = []
  readonly keys = new InheritedKeys()
  readonly #packs: Pack[] = []
  readonly #plainBytes: number
  #plain = 0
  #pending: ImportedEntity[] = []
  #attributes = 0

  constructor(maxPlainBytes: number = plainBytes) {
    this.#plainBytes = maxPlainBytes
  }

  add(entity: ImportedEntity): void {
    const { name, corpusPath, extendsEntity, uid, typeAttributes, entityAttributes } = entity
    const columns = [
      ...typeAttributes.flatMap(attribute => [attribute.name, attribute.uid]),
      ...entityAttributes.flatMap(attribute => [attribute.foreignKeyTypeAttribute, attribute.uid]),
    ]
    this.places.push({ name, corpusPath, extendsEntity, uid, columns })
    this.keys.add(entity)
    this.#pending.push(entity)
    this.#attributes += typeAttributes.length + entityAttributes.length + 1
    if (this.#attributes >= attributesPerPack) this.#pack()
  }

  get size(): number {
    return this.places.length
  }

  /** Yields all entities in the order of `places`. Frees each pack after reading, so it runs only once. */
  *unpacked(): Generator<ImportedEntity> {
    this.#pack()
    for (const [index, { bytes, length, isPlain }] of this.#packs.entries()) {
      this.#packs[index] = { bytes: new Uint8Array(), length: 0, isPlain }
      const entities: ImportedEntity[] = JSON.parse(decoder.decode(isPlain ? bytes : inflated(bytes, length)))
      yield* entities
    }
  }

  #pack(): void {
    if (this.#pending.length === 0) return
    const bytes = encoder.encode(JSON.stringify(this.#pending))
    const { length } = bytes
    this.#plain += length
    const isPlain = this.#plain <= this.#plainBytes
    this.#packs.push({ bytes: isPlain ? bytes : deflated(bytes), length, isPlain })
    this.#pending = []
    this.#attributes = 0
  }
}

/** Encodes report lines for storage, compressed to a tenth because most lines repeat. */
export function packLines(lines: readonly FullImportLine[]): string {
  return Buffer.from(gzipped(Buffer.from(JSON.stringify(lines.map(visibleFullLine))))).toString('base64')
}

export function unpackLines(body: string): FullImportLine[] {
  return z.array(fullReportLine).parse(JSON.parse(gunzipSync(Buffer.from(body, 'base64')).toString()))
}

/** A line for an answer, which has the places of its findings in the message only. */
export function visibleLine({ severity, path, message, kind, count }: ImportLine): ImportLine {
  return { severity, path: visibleText(path), message: visibleText(message), kind, count }
}

function visibleFullLine({ text, places, ...line }: FullImportLine): FullImportLine {
  if (text === undefined) return visibleLine(line)
  const visible = places?.map(({ path, line: number, name }) => ({
    path: visibleText(path),
    line: number,
    ...(name !== undefined && { name: visibleText(name) }),
  }))
  return { ...visibleLine(line), text: visibleText(text), places: visible }
}
