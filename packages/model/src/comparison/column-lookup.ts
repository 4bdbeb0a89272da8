import { type Column, columnName, columnsOf } from '../columns.ts'
import type { EntityNode } from '../entity.ts'
import { foldName } from '../paths.ts'

type Place = { entity: EntityNode; column: Column }
type Columns = { byUid: ReadonlyMap<string, Column>; byName: ReadonlyMap<string, Column> }

/** Finds columns of entities, own or inherited. Each entity is indexed once. */
export class ColumnLookup {
  readonly #entities: ReadonlyMap<number, EntityNode>
  readonly #columns = new Map<EntityNode, Columns>()

  constructor(entities: ReadonlyMap<number, EntityNode>) {
    this.#entities = entities
  }

  byUid(entityId: number, uid: string): Place | undefined {
    return this.#nearest(entityId, ({ byUid }) => byUid.get(uid))
  }

  byName(entityId: number, name: string): Place | undefined {
    return this.#nearest(entityId, ({ byName }) => byName.get(foldName(name)))
  }

  #nearest(entityId: number, find: (columns: Columns) => Column | undefined): Place | undefined {
    const passed = new Set<EntityNode>()
    let entity = this.#entities.get(entityId)
    while (entity && !passed.has(entity)) {
      const column = find(this.#columnsOf(entity))
      if (column) return { entity, column }
      passed.add(entity)
      entity = entity.extendsEntity ? this.#entities.get(entity.extendsEntity.id) : undefined
    }
    return undefined
  }

  #columnsOf(entity: EntityNode): Columns {
    const indexed = this.#columns.get(entity)
    if (indexed) return indexed
    const columns = columnsOf(entity)
    const index = {
      byUid: new Map(columns.map(column => [column.uid, column])),
      byName: new Map(columns.map(column => [foldName(columnName(column)), column])),
    }
    this.#columns.set(entity, index)
    return index
  }
}
