import { entityQuery } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'

/** How many attributes an entity brings, inherited ones included. Where it cannot be read, one: the server has the last word. */
export async function attributeCount(entityId: number): Promise<number> {
  try {
    const { entity } = await queryClient.ensureQueryData(entityQuery(entityId))
    return entity.resolvedAttributes?.length ?? entity.typeAttributes.length
  } catch {
    return 1
  }
}
