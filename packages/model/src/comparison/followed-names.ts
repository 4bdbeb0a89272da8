import { columnName } from '../columns.ts'
import { withNewNames } from '../configuration-names.ts'
import type { Configuration } from '../configuration.ts'
import type { EntityNode } from '../entity.ts'
import { foldName } from '../paths.ts'
import { ColumnLookup } from './column-lookup.ts'

type Entities = ReadonlyMap<number, EntityNode>

/** The configuration with the names that entities and columns have after a change, as a save of the change writes it. */
export function withFollowedNames(configuration: Configuration, before: Entities, after: Entities): Configuration {
  const ids = new Map(Array.from(before.values(), ({ id, name }) => [foldName(name), id]))
  const [was, is] = [new ColumnLookup(before), new ColumnLookup(after)]
  return withNewNames(configuration, {
    entity: name => after.get(ids.get(foldName(name)) ?? Number.NaN)?.name,
    column(entity, name) {
      const id = ids.get(foldName(entity))
      const column = id === undefined ? undefined : was.byName(id, name)?.column
      const place = id === undefined || column === undefined ? undefined : is.byUid(id, column.uid)
      return place && columnName(place.column)
    },
  })
}
