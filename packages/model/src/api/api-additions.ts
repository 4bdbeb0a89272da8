import { apiAdditionTexts as texts } from '../messages/compare-consequences.ts'
import type { Api, ApiEntity, ApiOptions } from './api.ts'
import { apiOperations } from '../required-scopes.ts'
import { matchByIdentity, matchRelation } from './api-pairs.ts'

/** What clients can use only after the change, a sentence each. Renamed items are matched by uid. */
export function apiAdditions(before: Api, after: Api): string[] {
  const added = after.protocols.filter(protocol => !before.protocols.includes(protocol)).map(texts.protocol)
  // Without a common protocol all of the API is new to its callers.
  if (after.protocols.length === added.length) return added
  const entities = matchByIdentity(before.entities, after.entities)
  const formerly = new Map(before.entities.map(entity => [entities.get(entity.name), entity]))
  return [
    ...added,
    ...(before.security.kind !== 'NONE' && after.security.kind === 'NONE' ? [texts.anyone] : []),
    ...optionAdditions(before.options, after.options),
    ...after.entities.flatMap(entity => {
      const same = formerly.get(entity)
      if (same === undefined) return [texts.added(entity.name)]
      // Relations are served only with joins.
      const hasRelations = before.options.join && after.options.join
      return [...entityAdditions(same, entity), ...(hasRelations ? relationAdditions(same, entity, entities) : [])]
    }),
  ]
}

function optionAdditions(before: ApiOptions, after: ApiOptions): string[] {
  const names = ['limitOffset', 'join', 'customFields'] as const
  return names.filter(name => after[name] && !before[name]).map(name => texts.options[name])
}

function entityAdditions(before: ApiEntity, after: ApiEntity): string[] {
  const added = (name: string) => texts.added(`${after.name}.${name}`)
  const fields = new Set(matchByIdentity(before.fields, after.fields).values())
  const queries = new Set(before.aggregates.map(({ name }) => name))
  return [
    ...apiOperations
      .filter(name => before.operations[name] === undefined && after.operations[name] !== undefined)
      .map(name => texts.operation(after.name, name)),
    ...after.fields.filter(field => !fields.has(field)).map(({ name }) => added(name)),
    ...after.aggregates.filter(({ name }) => !queries.has(name)).map(({ name }) => added(name)),
    ...(!before.history && after.history ? [texts.history(after.name)] : []),
  ]
}

function relationAdditions(before: ApiEntity, after: ApiEntity, entities: ReadonlyMap<string, ApiEntity>): string[] {
  const existing = new Set(before.relations.map(relation => matchRelation(relation, after, entities)?.relation))
  return after.relations
    .filter(relation => !existing.has(relation))
    .map(({ name }) => texts.added(`${after.name}.${name}`))
}
