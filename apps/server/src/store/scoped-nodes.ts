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
const most = limits.modelContents
const scopes = sql<Text>`case when sum(octet_length(scopes)) over () <= ${most} then scopes end`

type Kept = { stored: EntityNode; text: string; scoped: EntityNode }

/** Predefined entities with an organisation's own scopes. Unchanged ones are identical objects. */
export class ScopedNodes {
  #kept = new Map<number, Kept>()
  #size = 0

  /** Cached characters of scopes. */
  get size(): number {
    return this.#size
  }

  /**
   * Replaces entities that have own scopes; `held` is the size of the entities. Throws 400 if the total exceeds the
   * limit.
   */
  async over(
    db: Db,
    organisationId: number,
    entities: ReadonlyMap<number, EntityNode>,
    held: number,
  ): Promise<ReadonlyMap<number, EntityNode>> {
    const predefined = [...entities.values()].filter(({ path }) => isDefaultPath(path)).map(({ id }) => id)
    const kept = new Map<number, Kept>()
    let size = 0
    for (const part of inBatches(predefined, idBatch)) {
      const rows = await ownScopes(db, organisationId, part)
        .select(['entity_id', scopes.as('text')])
        .execute()
      for (const { entity_id: id, text } of rows) {
        size += text?.length ?? most
        checkSize(held + size, entities.size)
        const stored = entities.get(id)
        if (stored && text !== null) kept.set(id, this.#scoped(stored, text))
      }
    }
    this.#kept = kept
    this.#size = size
    if (kept.size === 0) return entities
    return new Map(Array.from(entities, ([id, stored]) => [id, kept.get(id)?.scoped ?? stored]))
  }

  #scoped(stored: EntityNode, text: string): Kept {
    const known = this.#kept.get(stored.id)
    if (known?.stored === stored && known.text === text) return known
    return { stored, text, scoped: { ...stored, operationScopes: readScopes(text) } }
  }
}
