import * as z from 'zod'
import type { AggregateQuery, Configuration } from './configuration.ts'
import { exclusionOf, parseExclusion } from './operations.ts'
import { foldName } from './paths.ts'

const namedColumnSchema = z.object({ name: z.string(), uid: z.string() })

/** Identity of a name in a configuration: an entity with its columns that are named with it. */
export const namedEntitySchema = namedColumnSchema.extend({ columns: z.array(namedColumnSchema) })
export type NamedEntity = z.infer<typeof namedEntitySchema>

/** A configuration with the identities of its names; names missing in `named` have no identity. */
export type NamedConfiguration = { configuration: Configuration; named: readonly NamedEntity[] }

/** A reference to an entity by name in a configuration: its kind and its own name. */
export type NamedIn = {
  kind: 'aggregateQuery' | 'excludedOperation' | 'sotEntity'
  item: string
  entity: string
  columns: readonly string[]
}

/** All references to entities in the configuration. */
export function namesIn({ configurationBuild: build }: Configuration): NamedIn[] {
  return [
    ...build.aggregateQueries.map(({ name, entity, columns }): NamedIn => {
      return { kind: 'aggregateQuery', item: name, entity, columns: columns.map(({ field }) => field) }
    }),
    ...build.apiConfiguration.excludeOperations.map((item): NamedIn => {
      const operation = parseExclusion(item)
      const columns = operation?.key == null ? [] : [operation.key]
      return { kind: 'excludedOperation', item, entity: operation?.entity ?? '', columns }
    }),
    ...build.serviceConfiguration.sotEntities.map((item): NamedIn => {
      return { kind: 'sotEntity', item, entity: item, columns: [] }
    }),
  ]
}

/** Referenced columns by entity; all names folded. */
export function columnsByEntity(configuration: Configuration): Map<string, Set<string>> {
  const columnsOf = new Map<string, Set<string>>()
  for (const { entity, columns } of namesIn(configuration)) {
    const name = foldName(entity)
    if (name === '') continue
    const known = columnsOf.get(name) ?? new Set()
    for (const column of columns) known.add(foldName(column))
    columnsOf.set(name, known)
  }
  return columnsOf
}

/** Whether the identity of every name is recorded. */
export function isPinned({ configuration, named }: NamedConfiguration): boolean {
  const known = new Map(named.map(({ name, columns }) => [foldName(name), new Set(columns.map(namedColumn))]))
  return [...columnsByEntity(configuration)].every(([name, columns]) => {
    const there = known.get(name)
    return there !== undefined && columns.isSubsetOf(there)
  })
}

/** Old to new names; undefined for unchanged names. */
export type NewNames = {
  entity: (entity: string) => string | undefined
  /** `entity` is the old name. */
  column: (entity: string, column: string) => string | undefined
}

/**
 * Renames between two states of the same configuration, in which each place refers to the same item. Null without
 * renames, or if the configurations differ.
 */
export function renamingBetween(before: Configuration, after: Configuration): NewNames | null {
  const [was, is] = [namesIn(before), namesIn(after)]
  if (was.length !== is.length) return null
  const entities = new Map<string, string>()
  const columns = new Map<string, string>()
  for (const [index, old] of was.entries()) {
    const now = is[index]
    if (now?.kind !== old.kind || now.columns.length !== old.columns.length) return null
    if (now.entity !== old.entity) entities.set(foldName(old.entity), now.entity)
    for (const [place, column] of old.columns.entries()) {
      const called = now.columns[place] ?? column
      if (called !== column) columns.set(columnKey(old.entity, column), called)
    }
  }
  if (entities.size === 0 && columns.size === 0) return null
  return {
    entity: name => entities.get(foldName(name)),
    column: (entity, name) => columns.get(columnKey(entity, name)),
  }
}

function columnKey(entity: string, column: string): string {
  return `${foldName(entity)} ${foldName(column)}`
}

export function withNewNames(configuration: Configuration, names: NewNames): Configuration {
  const { configurationBuild: build } = configuration
  const entityNow = (name: string) => names.entity(name) ?? name
  const { apiConfiguration, serviceConfiguration } = build
  const excludeOperations = apiConfiguration.excludeOperations.map(text => exclusionNow(text, names))
  const sotEntities = serviceConfiguration.sotEntities.map(entityNow)
  return {
    ...configuration,
    configurationBuild: {
      ...build,
      aggregateQueries: build.aggregateQueries.map(query => queryNow(query, names)),
      apiConfiguration: { ...apiConfiguration, excludeOperations },
      serviceConfiguration: { ...serviceConfiguration, sotEntities },
    },
  }
}

/** The configuration without references to the entities; `names` are folded. */
export function withoutNames(configuration: Configuration, names: ReadonlySet<string>): Configuration {
  const { configurationBuild: build } = configuration
  const stays = (name: string) => !names.has(foldName(name))
  const { apiConfiguration, serviceConfiguration } = build
  const excludeOperations = apiConfiguration.excludeOperations.filter(item => stays(parseExclusion(item)?.entity ?? ''))
  return {
    ...configuration,
    configurationBuild: {
      ...build,
      aggregateQueries: build.aggregateQueries.filter(({ entity }) => stays(entity)),
      apiConfiguration: { ...apiConfiguration, excludeOperations },
      serviceConfiguration: { ...serviceConfiguration, sotEntities: serviceConfiguration.sotEntities.filter(stays) },
    },
  }
}

/** Whether a column remains in an entity; both names are folded. */
export type ColumnStays = (entity: string, column: string) => boolean

/** The configuration without removed columns; queries without remaining columns are removed. */
export function withoutColumns(configuration: Configuration, stays: ColumnStays): Configuration {
  const { configurationBuild: build } = configuration
  const aggregateQueries = build.aggregateQueries.flatMap(query => {
    const columns = query.columns.filter(({ field }) => stays(foldName(query.entity), foldName(field)))
    if (columns.length === query.columns.length) return [query]
    return columns.length === 0 ? [] : [{ ...query, columns }]
  })
  const { apiConfiguration } = build
  const excludeOperations = apiConfiguration.excludeOperations.filter(item => {
    const { entity = '', key = null } = parseExclusion(item) ?? {}
    return key === null || stays(foldName(entity), foldName(key))
  })
  return {
    ...configuration,
    configurationBuild: { ...build, aggregateQueries, apiConfiguration: { ...apiConfiguration, excludeOperations } },
  }
}

function namedColumn({ name }: { name: string }): string {
  return foldName(name)
}

function queryNow(query: AggregateQuery, names: NewNames): AggregateQuery {
  const columns = query.columns.map(column => ({
    ...column,
    field: names.column(query.entity, column.field) ?? column.field,
  }))
  return { ...query, entity: names.entity(query.entity) ?? query.entity, columns }
}

/** Keeps the original spelling if nothing in it is renamed. */
function exclusionNow(text: string, names: NewNames): string {
  const operation = parseExclusion(text)
  if (!operation) return text
  const entity = names.entity(operation.entity)
  const key = operation.key === null ? undefined : names.column(operation.entity, operation.key)
  if (entity === undefined && key === undefined) return text
  return exclusionOf({ ...operation, entity: entity ?? operation.entity, key: key ?? operation.key })
}
