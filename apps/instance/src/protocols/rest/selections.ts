import type { Selection } from '@cadmus/model/api/operation'
import type { Admitted, Need } from '../../auth/admitted.ts'
import type { RestEntity, RestSurface } from './surface.ts'

/**
 * The selection for a caller: the requested fields, or all fields with those joined records that the caller may read.
 */
export function selectionFor(
  { api: { security } }: RestSurface,
  { relations: relationsByName }: RestEntity,
  whole: Selection,
  fields: readonly string[] | null,
  caller: Admitted,
): Selection {
  if (fields !== null) return { fields, relations: [] }
  if (!security.rbac) return whole
  const relations = whole.relations.filter(({ name }) => {
    const relation = relationsByName.get(name)
    return relation !== undefined && caller.may(permissionFor(relation.entity, relation.kind))
  })
  // Returns the shared selection, which is already validated.
  return relations.length === whole.relations.length ? whole : { fields: null, relations }
}

/** The permission for the records of a relation. */
export function permissionFor(entity: string, kind: 'toOne' | 'toMany'): Need {
  return { entity, operation: kind === 'toOne' ? 'select' : 'selectAll' }
}
