import type { EntityContent } from '@cadmus/model/entity'
import type { Db } from './database.ts'
import { entityRowsByIds } from './entity.ts'

/** Returns the parent's id of each entity and of all ancestors; 0 = none. `made` holds contents about to be stored. */
export async function ancestry(
  db: Db,
  organisationId: number,
  ids: readonly number[],
  made: ReadonlyMap<number, EntityContent> = new Map(),
): Promise<Map<number, number>> {
  const parents = new Map<number, number>()
  for (let level = ids; level.length > 0;) {
    const result: [id: number, parent: number][] = []
    for (const id of level) {
      const content = made.get(id)
      if (content) result.push([id, content.extendsEntity?.id ?? 0])
    }
    const rows = await entityRowsByIds(
      db,
      organisationId,
      level.filter(id => !made.has(id)),
    )
    for (const row of rows.values()) result.push([row.id, row.extends_id])
    for (const [id, parent] of result) parents.set(id, parent)
    level = result.map(([, parent]) => parent).filter(id => id > 0 && !parents.has(id))
  }
  return parents
}
