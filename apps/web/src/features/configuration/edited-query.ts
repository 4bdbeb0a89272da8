import { aggregateLabels, type AggregateColumn, type AggregateQuery } from '@cadmus/model/configuration'
import { isEqual } from '@cadmus/model/equal'
import { foldName } from '@cadmus/model/paths'

/** Queries are identified by entity and name. */
export function queryId({ entity, name }: Pick<AggregateQuery, 'entity' | 'name'>): string {
  return `${foldName(entity)} ${foldName(name)}`
}

/**
 * Finds the current form of a query: the same entity and name, else a new query that shares the name, or the entity and
 * the columns. Undefined if the query was deleted.
 */
export function currentQuery(
  query: AggregateQuery,
  before: readonly AggregateQuery[],
  now: readonly AggregateQuery[],
): AggregateQuery | undefined {
  const same = now.find(one => queryId(one) === queryId(query))
  if (same) return same
  const previousIds = new Set(before.map(queryId))
  const added = now.filter(one => !previousIds.has(queryId(one)))
  const place = before.indexOf(query)
  // Prefer the candidate at the same position.
  const findAdded = (matches: (one: AggregateQuery) => boolean) =>
    added.find(one => matches(one) && now[place] === one) ?? added.find(matches)
  const aliases = aliasesOf(query)
  return (
    findAdded(one => foldName(one.name) === foldName(query.name) && isEqual(aliasesOf(one), aliases)) ??
    findAdded(one => foldName(one.entity) === foldName(query.entity) && isEqual(one.columns, query.columns))
  )
}

/** Rebases an edited query: fields changed only by other users keep their values, and names are current. */
export function rebaseQuery(edited: AggregateQuery, query: AggregateQuery, now: AggregateQuery): AggregateQuery {
  const fields = currentFields(query, now)
  const followed = ({ field, type, alias }: AggregateColumn) => ({ field: fields.get(field) ?? field, type, alias })
  return {
    name: edited.name === query.name ? now.name : edited.name,
    entity: edited.entity === query.entity ? now.entity : edited.entity,
    columns: isEqual(edited.columns, query.columns) ? [...now.columns] : edited.columns.map(followed),
  }
}

/** Describes the concurrent changes that saving `next` would replace; null if there are none. */
export function replacedBy(next: AggregateQuery, query: AggregateQuery, now: AggregateQuery): string | null {
  const fields = currentFields(query, now)
  const columns = query.columns.map(column => ({ ...column, field: fields.get(column.field) ?? column.field }))
  const isOther = !isEqual(now.columns, columns) && !isEqual(now.columns, next.columns)
  const replaced = [
    ...(now.name !== query.name && now.name !== next.name ? [now.name] : []),
    ...(isOther ? now.columns.map(({ field, type, alias }) => `${alias}: ${aggregateLabels[type]} ${field}`) : []),
  ]
  return replaced.length === 0 ? null : replaced.join('\n')
}

function aliasesOf({ columns }: AggregateQuery): string[] {
  return columns.map(({ alias, type }) => `${type} ${foldName(alias)}`)
}

/** Maps old field names to current ones by column alias. */
function currentFields(query: AggregateQuery, now: AggregateQuery): Map<string, string> {
  const byAlias = new Map(now.columns.map(({ alias, field }) => [foldName(alias), field]))
  return new Map(query.columns.map(({ alias, field }) => [field, byAlias.get(foldName(alias)) ?? field]))
}
