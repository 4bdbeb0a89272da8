import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { mapReferences } from '@cadmus/model/references'
import type { ModelSource } from '@cadmus/model/resolved-model'
import type { Db } from '../../store/database.ts'
import { entitiesByUids } from '../../store/entity-refresh.ts'
import { referencesIn } from '../../store/open-reference.ts'
import { entityPartsByIds } from '../../store/resolved-rows.ts'

/** Entities of a state; `areCurrent`: the store has them all, with these ids. */
type Source = { entities: ModelSource['entities']; areCurrent: boolean }

/**
 * Finds the current entities of those of several states, by id, then by uid. Entities that do not exist now have negative ids, the same
 * in all states.
 */
export async function currentPlaces(db: Db, organisationId: number, sources: readonly Source[]): Promise<Places> {
  const existing = new Set(sources.flatMap(({ entities, areCurrent }) => (areCurrent ? [...entities.keys()] : [])))
  const nodes = sources.flatMap(({ entities }) => [...entities.values()])
  const references = nodes.flatMap(referencesIn)
  const unknown = new Set([...nodes, ...references].map(({ id }) => id).filter(id => id > 0 && !existing.has(id)))
  for (const { id } of await entityPartsByIds(db, organisationId, [...unknown])) existing.add(id)
  const missing = [...nodes, ...references].filter(({ id }) => !existing.has(id)).flatMap(({ uid }) => uid ?? [])
  return new Places(existing, await entitiesByUids(db, organisationId, missing))
}

/** The id for a reference to nothing. */
const nothing = -1

class Places {
  readonly #existing: ReadonlySet<number>
  readonly #byUid: ReadonlyMap<string, EntityReference>
  readonly #missing = new Map<string, number>()
  readonly #placed = new WeakMap<EntityNode, EntityNode>()

  constructor(existing: ReadonlySet<number>, byUid: ReadonlyMap<string, EntityReference>) {
    this.#existing = existing
    this.#byUid = byUid
  }

  idOf({ id, uid }: { id: number; uid: string }): number {
    return this.#existing.has(id) ? id : (this.#byUid.get(uid)?.id ?? this.#missingId(uid))
  }

  /** The entities with these ids, in references too. Unchanged ones remain the same objects. */
  placed(entities: ModelSource['entities']): Map<number, EntityNode> {
    const reference = (item: EntityReference): EntityReference => {
      if (this.#existing.has(item.id)) return item
      const uid = entities.get(item.id)?.uid ?? item.uid
      const id = uid === undefined ? nothing : this.idOf({ id: item.id, uid })
      return { ...item, id, ...(uid === undefined ? {} : { uid }) }
    }
    const nodes = Array.from(entities.values(), entity => this.#node(entity, reference))
    return new Map(nodes.map(node => [node.id, node]))
  }

  #node(entity: EntityNode, reference: (item: EntityReference) => EntityReference): EntityNode {
    const id = this.idOf(entity)
    const isCurrent = id === entity.id && referencesIn(entity).every(item => this.#existing.has(item.id))
    if (isCurrent) return entity
    const node = this.#placed.get(entity) ?? {
      ...mapReferences(entity, { entity: reference, column: column => column }),
      id,
      path: entity.path,
    }
    this.#placed.set(entity, node)
    return node
  }

  #missingId(uid: string): number {
    const id = this.#missing.get(uid) ?? nothing - 1 - this.#missing.size
    this.#missing.set(uid, id)
    return id
  }
}
