import type { Configuration } from './configuration.ts'
import { isRecord } from './equal.ts'
import { queryKey } from './merge-configuration.ts'
import type { Conflict } from './merge-fields.ts'

const queriesAt = 'configurationBuild.aggregateQueries.'
const propertiesAt = 'packageProperties.customProperties.'

/** The value of a configuration at the place of a conflict; undefined if the place is missing. */
export function conflictValue(
  { path, field }: Pick<Conflict, 'path' | 'field'>,
  configuration: Configuration,
): unknown {
  const place = placeAt(path, configuration)
  if (field === 'deleted') return place
  return isRecord(place) ? place[field] : undefined
}

/** Finds queries and properties by name, everything else by path. */
function placeAt(path: string, configuration: Configuration): unknown {
  const { configurationBuild, packageProperties } = configuration
  if (path.startsWith(queriesAt))
    return configurationBuild.aggregateQueries.find(query => queryKey(query) === path.slice(queriesAt.length))
  if (path.startsWith(propertiesAt))
    return packageProperties.customProperties.find(({ name }) => name === path.slice(propertiesAt.length))
  if (path === '') return configuration
  return path.split('.').reduce<unknown>((place, part) => (isRecord(place) ? place[part] : undefined), configuration)
}
