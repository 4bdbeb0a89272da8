import { entityQuery } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'

export type CoreAttributes = {
  /** Number of attributes, inherited ones included. */
  attributes: number
  /** Attribute names of a copy. */
  names: readonly string[]
  /** Name of the key, own or inherited, which a subtype inherits. */
  key: string | null
}

/** Placeholder until the name is loaded, or if reading fails: the server decides. */
export const unknownCoreAttributes: CoreAttributes = { attributes: 1, names: [], key: null }

export async function readCoreAttributes(entityId: number): Promise<CoreAttributes> {
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
    return unknownCoreAttributes
  }
}
