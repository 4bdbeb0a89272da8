import { isEqual } from '../equal.ts'
import type { OperationName } from '../entity.ts'
import { apiBreakTexts as texts } from '../package-messages.ts'
import type { Api, ApiEntity, ApiField } from './api.ts'

const operations: readonly OperationName[] = ['selectAll', 'select', 'insert', 'update', 'delete']

/** What callers of an API can no longer do, or must do otherwise, a sentence each; empty where all that worked works. */
export function apiBreaks(before: Api, after: Api): string[] {
  const breaks = before.protocols
    .filter(protocol => !after.protocols.includes(protocol))
    .map(protocol => texts.protocol(protocol))
  // What nothing serves breaks for nobody.
  if (before.protocols.length === breaks.length) return breaks
  if (before.security.kind !== after.security.kind)
    breaks.push(texts.security(before.security.kind, after.security.kind))
  const entities = new Map(after.entities.map(entity => [entity.name, entity]))
  for (const entity of before.entities) {
    const same = entities.get(entity.name)
    breaks.push(...(same === undefined ? [texts.gone(entity.name)] : entityBreaks(entity, same)))
  }
  return breaks
}

function entityBreaks(before: ApiEntity, after: ApiEntity): string[] {
  const named = (name: string) => `${before.name}.${name}`
  const kept = new Set([...after.relations, ...after.aggregates].map(({ name }) => name))
  const fields = new Map(after.fields.map(field => [field.name, field]))
  const known = new Set(before.fields.map(({ name }) => name))
  return [
    ...(before.key?.name === after.key?.name ? [] : [texts.key(before.name)]),
    ...operations
      .filter(name => before.operations[name] !== undefined && after.operations[name] === undefined)
      .map(name => texts.operation(before.name, name)),
    ...before.fields.flatMap(field => {
      const same = fields.get(field.name)
      return same === undefined ? [texts.gone(named(field.name))] : fieldBreaks(named(field.name), field, same)
    }),
    ...after.fields
      .filter(field => !known.has(field.name) && isNeeded(field))
      .map(({ name }) => texts.needed(named(name))),
    ...[...before.relations, ...before.aggregates]
      .filter(({ name }) => !kept.has(name))
      .map(({ name }) => texts.gone(named(name))),
  ]
}

function fieldBreaks(name: string, before: ApiField, after: ApiField): string[] {
  const isShorter = after.maxLength !== null && (before.maxLength ?? Number.POSITIVE_INFINITY) > after.maxLength
  const takenAway = before.choices.length === 0 ? after.choices.length > 0 : missesSome(before, after)
  return [
    ...(isEqual(before.type, after.type) ? [] : [texts.type(name)]),
    ...(!isNeeded(before) && isNeeded(after) ? [texts.needed(name)] : []),
    ...(isShorter ? [texts.shorter(name, after.maxLength ?? 0)] : []),
    ...(takenAway ? [texts.choices(name)] : []),
  ]
}

function missesSome({ choices: before }: ApiField, { choices: after }: ApiField): boolean {
  return after.length > 0 && before.some(choice => !after.some(other => isEqual(choice, other)))
}

/** Whether a new record must have a value for it. */
function isNeeded({ nullable, generated, default: value }: ApiField): boolean {
  return !nullable && !generated && value === null
}
