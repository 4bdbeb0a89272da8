import type { Closure } from '@cadmus/model/closure'
import type { EntityNode } from '@cadmus/model/entity'
import { ancestorsOf } from '@cadmus/model/inherit'
import { foldName } from '@cadmus/model/paths'

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
  const byName = new Map<string, EntityNode[]>()
  for (const entity of closure.entities) {
    const name = foldName(entity.name)
    const group = byName.get(name)
    if (group) group.push(entity)
    else byName.set(name, [entity])
  }
  const standsFor = new Map<number, EntityNode>()
  for (const group of byName.values()) {
    const winner = mostDerived(group, closure)
    for (const entity of group) standsFor.set(entity.id, winner)
  }
  return { tables: closure.entities.filter(entity => standsFor.get(entity.id) === entity), standsFor }
}

function mostDerived(group: readonly EntityNode[], closure: Closure): EntityNode {
  let winner: EntityNode | undefined
  for (const entity of group) {
    if (!winner || extendsEntity(entity, winner, closure)) winner = entity
    else if (!extendsEntity(winner, entity, closure)) throw new UnrelatedNamesakes(winner, entity)
  }
  if (!winner) throw new RangeError('A group of namesakes is never empty.')
  return winner
}

function extendsEntity(child: EntityNode, parent: EntityNode, closure: Closure): boolean {
  return ancestorsOf(child, id => closure.byId.get(id)).some(ancestor => ancestor.id === parent.id)
}
