import { columnName, columnsOf } from '../columns.ts'
import type { EntityNode } from '../entity.ts'
import { limits } from '../limits.ts'
import { foldName } from '../paths.ts'
import { newForeignKeyName } from '../rules/relationship.ts'
import type { Fix } from './fix.ts'
import type { FixedProblem, FixState } from './fix-state.ts'
import { validName } from './offered-name.ts'

type NewName = (name: string, place: { entity: EntityNode | null; word: string; root: string }) => string

/** Renames an entity or column. `offer`: the new name before it is shortened and made unique. */
function renaming(kind: Fix['kind'], offer: NewName): Fix {
  return { kind, apply: (problem, state) => renamed(problem, state, offer) }
}

function renamed(problem: FixedProblem, state: FixState, offer: NewName): string | undefined {
  const entity = state.entity(problem.entity)
  if (!entity) return undefined
  const { databases, model } = state
  const root = model.root.name
  if (problem.row === null) {
    const offered = offer(entity.name, { entity: null, word: 'Entity', root })
    const taken = state.entityNames.difference(new Set([foldName(entity.name)]))
    const name = validName(offered, 'Entity', { bounds: limits.entityName, taken, databases })
    return state.change(entity.id, content => ({ ...content, name })) ? name : undefined
  }
  const column = columnsOf(entity).find(({ uid }) => uid === problem.row)
  if (!column) return undefined
  const taken = state.columnNames(entity, column)
  const offered = offer(columnName(column), { entity, word: 'attribute', root })
  const name = validName(offered, 'attribute', { bounds: limits.attributeName, taken, databases })
  return state.renameColumn(problem, name) ? name : undefined
}

const asItIs: NewName = name => name

/** A reserved word is preceded by its entity's name, the name of an entity by that of the manifest. */
const longer: NewName = (name, { entity, root }) =>
  entity ? newForeignKeyName(entity.name, name, []) : `${root}_${name}`

export const useValidName = renaming('useValidName', asItIs)
export const shorten = renaming('shortenName', asItIs)
export const avoidReserved = renaming('avoidReserved', longer)
export const numberName = renaming('numberName', asItIs)
