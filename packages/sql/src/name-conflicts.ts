import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import { nameConflictsOf } from '@cadmus/model/name-conflicts'

/** Two entities have the same name, but neither extends the other, so they cannot share a table. */
export class NameConflictError extends Error {
  readonly paths: readonly [string, string]

  constructor(first: EntityNode, second: EntityNode) {
    super(`Two entities named '${first.name.slice(0, 120)}' cannot be one table: ${first.path} and ${second.path}.`)
    this.name = 'NameConflictError'
    this.paths = [first.path, second.path]
  }
}

export type TableEntities = {
  /** The entities that become tables, in the resolved model's order. */
  tables: readonly EntityNode[]
  /** For each entity of the resolved model, the one whose table represents it: itself or the most derived one of its name. */
  standsFor: ReadonlyMap<number, EntityNode>
}

/**
 * Determines the entities that become tables: of several with the same name the most derived one. Throws
 * NameConflictError.
 */
export function tableEntities(resolvedModel: ResolvedModel): TableEntities {
  const { standsFor, unrelated } = nameConflictsOf(resolvedModel)
  const [conflict] = unrelated
  if (conflict) throw new NameConflictError(...conflict)
  return { tables: resolvedModel.entities.filter(entity => standsFor.get(entity.id) === entity), standsFor }
}
