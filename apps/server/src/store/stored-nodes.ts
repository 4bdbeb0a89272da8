import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import { ApiError } from '../errors/api-error.ts'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { bodiesOf, lengthsOf } from './bodies.ts'

/** Position and content hash of a node. */
export type NodePart = { id: number; path: string; hash: string }

type Cached<C> = { hash: string; path: string; length: number; node: C & { id: number; path: string } }

const atOnce = 200
/** Up to this number of new nodes, sizes are not checked. */
const few = 4

/** A cache of entities or manifests: nodes with unchanged hash and path are identical objects. */
export class StoredNodes<C extends object> {
  readonly #form: StoredForm<C>
  readonly #cached = new Map<number, Cached<C>>()
  #size = 0

  constructor(form: StoredForm<C>) {
    this.#form = form
  }

  /** Number of cached characters of contents. */
  get size(): number {
    return this.#size
  }

  /**
   * Returns the nodes by id, in the order of the parts. `beside` are nodes of the same model already read. Throws 400
   * before reading if the total exceeds the limit.
   */
  async read(
    db: Db,
    organisationId: number,
    parts: readonly NodePart[],
    beside: ReadonlyMap<number, unknown> = new Map(),
  ): Promise<Map<number, Cached<C>['node']>> {
    const changedParts = parts.filter(({ id, hash, path }) => {
      const cached = this.#cached.get(id)
      return cached?.hash !== hash || cached.path !== path
    })
    if (changedParts.length > few) {
      const lengths = await lengthsOf(db, organisationId, changedParts)
      const cached = [...beside.keys(), ...parts.map(({ id }) => id)]
      checkSize(this.#sizeWith(cached, changedParts, lengths), beside.size + parts.length)
    }
    for (const part of inBatches(changedParts, atOnce)) {
      const bodies = await bodiesOf(db, organisationId, part)
      for (const one of part) this.#store(one, bodies.get(one.hash))
    }
    const nodes = new Map<number, Cached<C>['node']>()
    for (const { id } of parts) {
      const cached = this.#cached.get(id)
      if (cached) nodes.set(id, cached.node)
    }
    return nodes
  }

  /** Drops all other nodes. */
  keepOnly(ids: { has(id: number): boolean }): void {
    for (const id of this.#cached.keys()) if (!ids.has(id)) this.#drop(id)
  }

  #sizeWith(ids: readonly number[], changedParts: readonly NodePart[], lengths: ReadonlyMap<string, number>): number {
    const newSizes = new Map(changedParts.map(({ id, hash }) => [id, lengths.get(hash) ?? 0]))
    return ids.reduce((sum, id) => sum + (newSizes.get(id) ?? this.#cached.get(id)?.length ?? 0), 0)
  }

  #store({ id, hash, path }: NodePart, body: string | undefined): void {
    if (body === undefined) throw new Error('A referenced content is missing.')
    this.#drop(id)
    const content = readStored(this.#form, JSON.parse(body))
    this.#cached.set(id, { hash, path, length: body.length, node: { ...content, id, path } })
    this.#size += body.length
  }

  #drop(id: number): void {
    this.#size -= this.#cached.get(id)?.length ?? 0
    this.#cached.delete(id)
  }
}

/** Throws 400 for models that exceed a thread's memory. */
export function checkSize(size: number, count: number): void {
  if (size <= limits.modelContents) return
  const [megabytes, limit] = [size, limits.modelContents].map(bytes => Math.ceil(bytes / 1024 / 1024))
  throw new ApiError(400, 'too_large', messages.modelTooLarge(count, megabytes ?? 0, limit ?? 0))
}
