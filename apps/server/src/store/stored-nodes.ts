import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { ApiError } from '../errors/api-error.ts'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { bodiesOf, lengthsOf } from './bodies.ts'

/** Position and content hash of a node. */
export type NodePart = { id: number; path: string; hash: string }

type Kept<C> = { hash: string; path: string; length: number; node: C & { id: number; path: string } }

const atOnce = 200
/** Up to this number of new nodes, sizes are not checked. */
const few = 4

/** A cache of entities or manifests: nodes with unchanged hash and path are identical objects. */
export class StoredNodes<C extends object> {
  readonly #upgraded: (json: unknown) => C
  readonly #kept = new Map<number, Kept<C>>()
  #size = 0

  constructor(upgraded: (json: unknown) => C) {
    this.#upgraded = upgraded
  }

  /** Cached characters of contents. */
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
  ): Promise<Map<number, Kept<C>['node']>> {
    const fresh = parts.filter(({ id, hash, path }) => {
      const known = this.#kept.get(id)
      return known?.hash !== hash || known.path !== path
    })
    if (fresh.length > few) {
      const lengths = await lengthsOf(db, organisationId, fresh)
      const known = [...beside.keys(), ...parts.map(({ id }) => id)]
      checkSize(this.#sizeWith(known, fresh, lengths), beside.size + parts.length)
    }
    for (const part of inBatches(fresh, atOnce)) {
      const bodies = await bodiesOf(db, organisationId, part)
      for (const one of part) this.#keep(one, bodies.get(one.hash))
    }
    const nodes = new Map<number, Kept<C>['node']>()
    for (const { id } of parts) {
      const kept = this.#kept.get(id)
      if (kept) nodes.set(id, kept.node)
    }
    return nodes
  }

  /** Drops all other nodes. */
  keepOnly(ids: { has(id: number): boolean }): void {
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#forget(id)
  }

  #sizeWith(ids: readonly number[], fresh: readonly NodePart[], lengths: ReadonlyMap<string, number>): number {
    const anew = new Map(fresh.map(({ id, hash }) => [id, lengths.get(hash) ?? 0]))
    return ids.reduce((sum, id) => sum + (anew.get(id) ?? this.#kept.get(id)?.length ?? 0), 0)
  }

  #keep({ id, hash, path }: NodePart, body: string | undefined): void {
    if (body === undefined) throw new Error('A content that something refers to is missing.')
    this.#forget(id)
    this.#kept.set(id, { hash, path, length: body.length, node: { ...this.#upgraded(JSON.parse(body)), id, path } })
    this.#size += body.length
  }

  #forget(id: number): void {
    this.#size -= this.#kept.get(id)?.length ?? 0
    this.#kept.delete(id)
  }
}

/** Throws 400 for models that exceed a thread's memory. */
export function checkSize(size: number, count: number): void {
  if (size <= limits.modelContents) return
  const [megabytes, limit] = [size, limits.modelContents].map(bytes => Math.ceil(bytes / 1024 / 1024))
  throw new ApiError(400, 'too_large', messages.modelTooLarge(count, megabytes ?? 0, limit ?? 0))
}
