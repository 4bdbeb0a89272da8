import type { Selection } from '@cadmus/model/api/operation'
import type { Admitted, Need } from '../../auth/admitted.ts'
import type { RestEntity, RestSurface } from './surface.ts'

/** What is read of a record for a caller: the fields that were asked for, else all with the joined records that the caller may read. */
export function selectionFor(
  { api: { security } }: RestSurface,
  { relations: known }: RestEntity,
  whole: Selection,
  fields: readonly string[] | null,
  caller: Admitted,
): Selection {
  if (fields !== null) return { fields, relations: [] }
  if (!security.rbac) return whole
  const relations = whole.relations.filter(({ name }) => {
    const relation = known.get(name)
    return relation !== undefined && caller.may(needFor(relation.entity, relation.kind))
  })
  // The one that is always the same was checked before.
  return relations.length === whole.relations.length ? whole : { fields: null, relations }
}

/** What is needed for the records that a relation leads to. */
export function needFor(entity: string, kind: 'toOne' | 'toMany'): Need {
  return { entity, operation: kind === 'toOne' ? 'select' : 'selectAll' }
}
