import { isEqual } from '../equal.ts'
import { apiBreakTexts as texts } from '../messages/packages.ts'
import { withColumns } from '../conditions/types.ts'
import type { Api, ApiAggregate, ApiCheck, ApiEntity, ApiField, ApiOptions, ApiSecurity } from './api.ts'
import { apiOperations as operations } from '../required-scopes.ts'
import { matchByIdentity, matchRelation, nameNow, scopesFor } from './api-pairs.ts'

/** Breaking changes between two APIs, a sentence each; empty if all calls still work. Renamed items are matched by uid. */
export function apiBreaks(before: Api, after: Api): string[] {
  const removed = before.protocols.filter(protocol => !after.protocols.includes(protocol)).map(texts.protocol)
  // Without a common protocol all callers break, so no other change matters.
  if (before.protocols.length === removed.length) return removed
  const names = matchByIdentity(before.entities, after.entities)
  return [
    ...removed,
    ...securityBreaks(before.security, after.security),
    ...optionBreaks(before.options, after.options),
    ...before.entities.flatMap(entity => {
      const same = names.get(entity.name)
      if (same === undefined) return [texts.gone(entity.name)]
      if (same.name !== entity.name) return [texts.renamed(entity.name, same.name)]
      return [
        ...entityBreaks(entity, same, names),
        // Relations are served only with joins.
        ...(before.options.join && after.options.join ? relationsBreaks(entity, same, names) : []),
        ...scopeBreaks([before, entity], [after, same]),
      ]
    }),
  ]
}

/** Removing authentication breaks nothing: credentials are ignored. */
function securityBreaks(before: ApiSecurity, after: ApiSecurity): string[] {
  if (after.kind === 'NONE') return []
  if (before.kind !== after.kind) return [texts.security(before.kind, after.kind)]
  return before.identityProvider === after.identityProvider ? [] : [texts.provider]
}

function optionBreaks(before: ApiOptions, after: ApiOptions): string[] {
  const changed = (['limitOffset', 'coalesce', 'tenancy'] as const).filter(name => before[name] !== after[name])
  const lost = (['join', 'customFields'] as const).filter(name => before[name] && !after[name])
  return [
    ...changed.map(name => (after[name] ? texts.options[name].on : texts.options[name].off)),
    ...lost.map(name => texts.options[name]),
  ]
}

/** Operations whose former scopes no longer suffice. */
function scopeBreaks([apiBefore, before]: [Api, ApiEntity], [apiAfter, after]: [Api, ApiEntity]): string[] {
  return operations.flatMap(name => {
    if (before.operations[name] === undefined || after.operations[name] === undefined) return []
    const enough = scopesFor(apiBefore, before, name)
    const needed = scopesFor(apiAfter, after, name)
    const isCompatible = needed === null || (enough !== null && enough.every(scope => needed.includes(scope)))
    return isCompatible ? [] : [texts.scopes(before.name, name, needed)]
  })
}

function entityBreaks(before: ApiEntity, after: ApiEntity, entities: ReadonlyMap<string, ApiEntity>): string[] {
  const named = (name: string) => `${before.name}.${name}`
  const fields = matchByIdentity(before.fields, after.fields)
  const knownNames = new Set([...fields.values()].map(({ name }) => name))
  const keyNow = before.key.map(({ name }) => fields.get(name)?.name)
  return [
    ...(isEqual(
      keyNow,
      after.key.map(({ name }) => name),
    )
      ? []
      : [texts.key(before.name)]),
    ...operations
      .filter(name => before.operations[name] !== undefined && after.operations[name] === undefined)
      .map(name => texts.operation(before.name, name)),
    ...before.fields.flatMap(field => {
      const same = fields.get(field.name)
      if (same === undefined) return [texts.gone(named(field.name))]
      const renamed = same.name === field.name ? [] : [texts.renamed(named(field.name), same.name)]
      return [...renamed, ...fieldBreaks(named(field.name), field, same, entities)]
    }),
    ...after.fields
      .filter(field => !knownNames.has(field.name) && isNeeded(field))
      .map(({ name }) => texts.needed(named(name))),
    ...newUniques(before, after, fields).map(names => texts.uniqueTogether(before.name, names)),
    ...newChecks(before, after, fields).map(({ text }) => texts.checked(before.name, text)),
    ...before.aggregates.flatMap(one => aggregateBreaks(named(one.name), one, after, fields)),
    ...(before.history && !after.history ? [texts.history(before.name)] : []),
  ]
}

/** Sets of existing fields that become unique together; a new field has no values that could be refused. */
function newUniques(before: ApiEntity, after: ApiEntity, fields: ReadonlyMap<string, ApiField>): (readonly string[])[] {
  const setOf = (names: readonly string[]) => JSON.stringify(names.toSorted())
  const now = new Set([...fields.values()].map(({ name }) => name))
  const known = new Set(before.uniqueTogether.map(names => setOf(names.map(name => fields.get(name)?.name ?? ''))))
  return after.uniqueTogether.filter(names => !known.has(setOf(names)) && names.every(name => now.has(name)))
}

/** Checks that existing fields did not have to meet. Whether one condition implies another is not known. */
function newChecks(before: ApiEntity, after: ApiEntity, fields: ReadonlyMap<string, ApiField>): ApiCheck[] {
  const keyOf = ({ condition }: ApiCheck, nameOf: (name: string) => string) =>
    JSON.stringify(withColumns(condition, ({ name }) => nameOf(name)))
  const now = new Set([...fields.values()].map(({ name }) => name))
  const known = new Set(before.checks.map(check => keyOf(check, name => fields.get(name)?.name ?? '')))
  return after.checks.filter(
    check => !known.has(keyOf(check, name => name)) && check.fields.some(name => now.has(name)),
  )
}

function relationsBreaks(before: ApiEntity, after: ApiEntity, entities: ReadonlyMap<string, ApiEntity>): string[] {
  return before.relations.flatMap(relation => {
    const name = `${before.name}.${relation.name}`
    const now = matchRelation(relation, after, entities)
    if (now === undefined) return [texts.gone(name)]
    if (now.relation.name !== relation.name) return [texts.renamed(name, now.relation.name)]
    return now.isSame ? [] : [texts.refers(name)]
  })
}

/** Callers know columns by their aliases: a renamed field breaks none. */
function aggregateBreaks(
  name: string,
  before: ApiAggregate,
  { aggregates }: ApiEntity,
  fields: ReadonlyMap<string, ApiField>,
): string[] {
  const same = aggregates.find(one => one.name === before.name)
  if (same === undefined) return [texts.gone(name)]
  const isCompatible = before.columns.every(column => {
    const now = { ...column, field: fields.get(column.field)?.name ?? column.field }
    return same.columns.some(other => isEqual(now, other))
  })
  return isCompatible ? [] : [texts.columns(name)]
}

function fieldBreaks(
  name: string,
  before: ApiField,
  after: ApiField,
  entities: ReadonlyMap<string, ApiEntity>,
): string[] {
  const isShorter = after.maxLength !== null && (before.maxLength ?? Number.POSITIVE_INFINITY) > after.maxLength
  const isFixed = after.type.kind === 'text' && after.type.isFixed === true
  const lengthText = isFixed ? texts.otherLength : texts.shorter
  const isNarrowed = before.choices.length === 0 ? after.choices.length > 0 : missesSome(before, after)
  const target = before.references && nameNow(before.references.entity, entities)
  const hasOtherTarget = after.references !== null && after.references.entity !== target
  return [
    ...(isEqual(before.type, after.type) ? [] : [texts.type(name)]),
    ...(!isNeeded(before) && isNeeded(after) ? [texts.needed(name)] : []),
    ...(!before.nullable && after.nullable ? [texts.missing(name)] : []),
    ...(!before.generated && after.generated ? [texts.generated(name)] : []),
    ...(!before.unique && after.unique ? [texts.unique(name)] : []),
    ...(isShorter || (isFixed && before.maxLength !== after.maxLength) ? [lengthText(name, after.maxLength ?? 0)] : []),
    ...(isNarrowed ? [texts.choices(name)] : []),
    ...(hasOtherTarget ? [texts.refers(name)] : []),
  ]
}

function missesSome({ choices: before }: ApiField, { choices: after }: ApiField): boolean {
  return after.length > 0 && before.some(choice => !after.some(other => isEqual(choice, other)))
}

/** Whether a new record must have a value for the field. */
function isNeeded({ nullable, generated, default: value }: ApiField): boolean {
  return !nullable && !generated && value === null
}
