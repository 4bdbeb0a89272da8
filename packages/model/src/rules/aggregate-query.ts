import type { AggregateColumn, AggregateQuery } from '../configuration.ts'
import { messages } from '../messages.ts'
import { isTaken, takenNames, type TakenNames } from './taken-names.ts'

/** `taken`: the names of the other queries of the same entity. A query needs a name, an entity and a column. */
export function aggregateQuery(value: AggregateQuery, { taken }: { taken: TakenNames }): string | undefined {
  if (value.name.trim() === '' || value.entity.trim() === '') return messages.fieldRequired
  if (isTaken(value.name, taken)) return messages.aggregateExists(value.name)
  if (value.columns.length === 0) return messages.aggregateColumns
  return aliases(value.columns)
}

/** The alias of a column about to be added to the others. */
export function alias(value: string, { others }: { others: readonly AggregateColumn[] }): string | undefined {
  if (value.trim() === '') return messages.fieldRequired
  return isTaken(value, takenNames(others.map(column => column.alias))) ? messages.aliasExists(value) : undefined
}

function aliases(columns: readonly AggregateColumn[]): string | undefined {
  const problems = columns.map((column, index) => alias(column.alias, { others: columns.slice(0, index) }))
  return problems.find(problem => problem !== undefined)
}
