import { entityQuery } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'

/** What a core entity brings to one that is made from it. */
export type Brought = {
  /** How many attributes, inherited ones included. */
  attributes: number
  /** The names that a copy has as its own. */
  names: readonly string[]
  /** The name of its key, inherited or its own: who extends it has that one. */
  key: string | null
}

/** While it is not known, or cannot be: one attribute that nobody knows; the server has the last word. */
export const unknownBrought: Brought = { attributes: 1, names: [], key: null }

/** What the entity brings. */
export async function broughtBy(entityId: number): Promise<Brought> {
  try {
    const { entity } = await queryClient.ensureQueryData(entityQuery(entityId))
    const { typeAttributes, entityAttributes, resolvedAttributes, primaryKey } = entity
    return {
      attributes: resolvedAttributes?.length ?? typeAttributes.length,
      names: [
        ...typeAttributes.map(({ name }) => name),
        ...entityAttributes.map(({ foreignKeyTypeAttribute }) => foreignKeyTypeAttribute),
      ],
      key: primaryKey,
    }
  } catch {
    return unknownBrought
  }
}
