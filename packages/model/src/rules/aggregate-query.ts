import type { AggregateColumn, AggregateQuery } from '../configuration.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import { hiddenCharacters } from './hidden-characters.ts'
import { isTaken, takenNames, type TakenNames } from './taken-names.ts'

/** Requires a name, an entity and a column. `taken`: names of the entity's other queries. */
export function aggregateQuery(value: AggregateQuery, { taken }: { taken: TakenNames }): string | undefined {
  if (value.name.trim() === '' || value.entity.trim() === '') return messages.fieldRequired
  const hidden = hiddenCharacters(value.name)
  if (hidden !== undefined) return hidden
  if (isTaken(value.name, taken)) return messages.aggregateExists(value.name)
  if (value.columns.length === 0) return messages.aggregateColumns
  return aliases(value.columns)
}

/** Alias of a column to be added to `others`. */
export function alias(value: string, { others }: { others: readonly AggregateColumn[] }): string | undefined {
  return newAlias(value, takenNames(others.map(column => column.alias)))
}

function newAlias(value: string, taken: TakenNames): string | undefined {
  if (value.trim() === '') return messages.fieldRequired
  return hiddenCharacters(value) ?? (isTaken(value, taken) ? messages.aliasExists(value) : undefined)
}

function aliases(columns: readonly AggregateColumn[]): string | undefined {
  const taken = new Set<string>()
  for (const column of columns) {
    const problem = newAlias(column.alias, taken)
    if (problem !== undefined) return problem
    taken.add(foldName(column.alias))
  }
  return undefined
}
