import type { EntityNode } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { isDefaultPath } from '@cadmus/model/paths'
import { sql } from 'kysely'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { readScopes } from './entity-content.ts'
import { ownScopes } from './entity-scopes.ts'
import { checkSize } from './stored-nodes.ts'

const idBatch = 500
/** Null if all together exceed the memory limit; the store omits them then. */
type Text = string | null
const maxSize = limits.modelContents
const scopes = sql<Text>`case when sum(octet_length(scopes)) over () <= ${maxSize} then scopes end`

type Cached = { stored: EntityNode; text: string; scoped: EntityNode }

/** Predefined entities with an organisation's own scopes. Unchanged ones are identical objects. */
export class ScopedNodes {
  #cached = new Map<number, Cached>()
  #size = 0

  /** Number of cached characters of scopes. */
  get size(): number {
    return this.#size
  }

  /**
   * Replaces entities that have own scopes; `held` is the size of the entities. Throws 400 if the total exceeds the
   * limit.
   */
  async waitForEnd(
    db: Db,
    organisationId: number,
    entities: ReadonlyMap<number, EntityNode>,
    held: number,
  ): Promise<ReadonlyMap<number, EntityNode>> {
    const predefined = [...entities.values()].filter(({ path }) => isDefaultPath(path)).map(({ id }) => id)
    const cached = new Map<number, Cached>()
    let size = 0
    for (const part of inBatches(predefined, idBatch)) {
      const rows = await ownScopes(db, organisationId, part)
        .select(['entity_id', scopes.as('text')])
        .execute()
      for (const { entity_id: id, text } of rows) {
        size += text?.length ?? maxSize
        checkSize(held + size, entities.size)
        const stored = entities.get(id)
        if (stored && text !== null) cached.set(id, this.#scoped(stored, text))
      }
    }
    this.#cached = cached
    this.#size = size
    if (cached.size === 0) return entities
    return new Map(Array.from(entities, ([id, stored]) => [id, cached.get(id)?.scoped ?? stored]))
  }

  #scoped(stored: EntityNode, text: string): Cached {
    const previous = this.#cached.get(stored.id)
    if (previous?.stored === stored && previous.text === text) return previous
    return { stored, text, scoped: { ...stored, operationScopes: readScopes(text) } }
  }
}
