import type { Closure } from '@cadmus/model/closure'
import type { EntityNode } from '@cadmus/model/entity'
import { namesakesOf } from '@cadmus/model/namesakes'

/** Two entities of one name where neither extends the other: no table can be both. */
export class UnrelatedNamesakes extends Error {
  readonly paths: readonly [string, string]

  constructor(first: EntityNode, second: EntityNode) {
    super(`Two entities named '${first.name.slice(0, 120)}' cannot be one table: ${first.path} and ${second.path}.`)
    this.name = 'UnrelatedNamesakes'
    this.paths = [first.path, second.path]
  }
}

export type TableEntities = {
  /** The entities that become tables, in the closure's order. */
  tables: readonly EntityNode[]
  /** Of every entity of the closure the one whose table stands for it: itself, or its most derived namesake. */
  standsFor: ReadonlyMap<number, EntityNode>
}

/** Which entities become tables: of namesakes that extend one another the most derived one. Throws UnrelatedNamesakes. */
export function tableEntities(closure: Closure): TableEntities {
  const { standsFor, unrelated } = namesakesOf(closure)
  const [clash] = unrelated
  if (clash) throw new UnrelatedNamesakes(...clash)
  return { tables: closure.entities.filter(entity => standsFor.get(entity.id) === entity), standsFor }
}
