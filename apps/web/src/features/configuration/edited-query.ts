import { aggregateLabels, type AggregateColumn, type AggregateQuery } from '@cadmus/model/configuration'
import { isEqual } from '@cadmus/model/equal'
import { foldName } from '@cadmus/model/paths'

/** A query is known by its entity and its name. */
export function queryId({ entity, name }: Pick<AggregateQuery, 'entity' | 'name'>): string {
  return `${foldName(entity)} ${foldName(name)}`
}

/**
 * What became of one query of a list since then: it, or where there is none of its name and entity the new one that has its name or
 * its entity and its columns, which are then called otherwise. Undefined: it is gone.
 */
export function queryNow(
  query: AggregateQuery,
  before: readonly AggregateQuery[],
  now: readonly AggregateQuery[],
): AggregateQuery | undefined {
  const same = now.find(one => queryId(one) === queryId(query))
  if (same) return same
  const known = new Set(before.map(queryId))
  const added = now.filter(one => !known.has(queryId(one)))
  const place = before.indexOf(query)
  // Of several that it may be, the one in its place.
  const found = (is: (one: AggregateQuery) => boolean) =>
    added.find(one => is(one) && now[place] === one) ?? added.find(is)
  const aliases = aliasesOf(query)
  return (
    found(one => foldName(one.name) === foldName(query.name) && isEqual(aliasesOf(one), aliases)) ??
    found(one => foldName(one.entity) === foldName(query.entity) && isEqual(one.columns, query.columns))
  )
}

/** What was made of a query, on what it is now: what only others changed is as they left it, and names are those of today. */
export function onTop(made: AggregateQuery, query: AggregateQuery, now: AggregateQuery): AggregateQuery {
  const fields = fieldsNow(query, now)
  const followed = ({ field, type, alias }: AggregateColumn) => ({ field: fields.get(field) ?? field, type, alias })
  return {
    name: made.name === query.name ? now.name : made.name,
    entity: made.entity === query.entity ? now.entity : made.entity,
    columns: isEqual(made.columns, query.columns) ? [...now.columns] : made.columns.map(followed),
  }
}

/** What others changed in it that saving `next` would replace, in words; null: nothing. */
export function replacedBy(next: AggregateQuery, query: AggregateQuery, now: AggregateQuery): string | null {
  const fields = fieldsNow(query, now)
  const columns = query.columns.map(column => ({ ...column, field: fields.get(column.field) ?? column.field }))
  const isOther = !isEqual(now.columns, columns) && !isEqual(now.columns, next.columns)
  const lost = [
    ...(now.name !== query.name && now.name !== next.name ? [now.name] : []),
    ...(isOther ? now.columns.map(({ field, type, alias }) => `${alias}: ${aggregateLabels[type]} ${field}`) : []),
  ]
  return lost.length === 0 ? null : lost.join('\n')
}

function aliasesOf({ columns }: AggregateQuery): string[] {
  return columns.map(({ alias, type }) => `${type} ${foldName(alias)}`)
}

/** By what a field was called, what the column of the same alias is about now. */
function fieldsNow(query: AggregateQuery, now: AggregateQuery): Map<string, string> {
  const byAlias = new Map(now.columns.map(({ alias, field }) => [foldName(alias), field]))
  return new Map(query.columns.map(({ alias, field }) => [field, byAlias.get(foldName(alias)) ?? field]))
}
