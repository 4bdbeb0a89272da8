import type {
  Caller,
  Filter,
  Listing,
  Operation,
  Selection,
  WireKey,
  WireRecord,
  WireValue,
} from '@cadmus/model/api/operation'
import type { Random } from '@cadmus/model/testing/seeded-random'
import { arbitraryFault, arbitraryValue, isFillable, type Drawn } from './arbitrary-values.ts'
import { isOrdered } from './reads.ts'
import { entityOf, type Naive, type NaiveEntity, type NaiveField } from './state.ts'

/** An operation as sent, the same with normalized values, and the message if it must be rejected before any query. */
export type GeneratedOperation = {
  readonly sent: Operation
  readonly normalized: Operation
  readonly refused: string | null
  readonly caller: Caller
}

export function arbitraryOperation(naive: Naive, random: Random): GeneratedOperation | null {
  const caller = {
    name: random.pick(['ann', 'Бob']),
    tenant: naive.api.options.tenancy ? random.pick(['a', 'b ']) : null,
  }
  const entity = random.pick([...naive.entities.values()])
  const lot = random.next()
  const { operations, aggregates, history, relations } = entity.api
  if (lot < 0.45 && operations.insert) return insertOf(naive, entity, caller, random)
  if (lot < 0.55 && operations.update) return updateOf(naive, entity, caller, random)
  if (lot < 0.6 && operations.delete) return onKey('delete', naive, entity, caller, random)
  if (lot < 0.7 && operations.select) return onKey('select', naive, entity, caller, random)
  if (lot < 0.78 && relations.length > 0 && entity.api.key.length > 0)
    return onKey('related', naive, entity, caller, random)
  if (lot < 0.85 && aggregates.length > 0) return aggregateOf(naive, entity, caller, random)
  if (lot < 0.9 && history) return historyOf(naive, entity, caller, random)
  return operations.selectAll ? selectAllOf(naive, entity, caller, random) : null
}

function insertOf(naive: Naive, entity: NaiveEntity, caller: Caller, random: Random): GeneratedOperation | null {
  // What is computed cannot be foreseen, so it is sent.
  const isNeeded = (field: NaiveField) =>
    field.default?.kind === 'computed' || (!field.nullable && !field.columnDefault)
  if (entity.fields.some(field => isNeeded(field) && !isFillable(field))) return null
  const selected = entity.fields.filter(field => {
    if (field.generated || !isFillable(field)) return false
    return isNeeded(field) || random.chance(0.7)
  })
  return changeOf('insert', entity, valuesOf(naive, entity, selected, caller, random), caller, random)
}

function updateOf(naive: Naive, entity: NaiveEntity, caller: Caller, random: Random): GeneratedOperation | null {
  const { key } = entity.api
  if (key.length === 0) return null
  const isKey = ({ name }: NaiveField) => key.some(part => part.name === name)
  const selected = entity.fields.filter(field => !isKey(field) && isFillable(field) && random.chance(0.4))
  const drawn = [
    ...keyValues(entity, caller, random).map((value, at) => [key[at]?.name ?? '', value] as const),
    ...valuesOf(naive, entity, selected, caller, random),
  ]
  return changeOf('update', entity, drawn, caller, random)
}

type Values = readonly (readonly [name: string, value: Drawn])[]

function changeOf(
  kind: 'insert' | 'update',
  entity: NaiveEntity,
  drawn: Values,
  caller: Caller,
  random: Random,
): GeneratedOperation {
  const record = (part: keyof Drawn): WireRecord =>
    Object.fromEntries(drawn.map(([name, value]) => [name, value[part]]))
  const name = entity.api.name
  const generated = {
    sent: { kind, entity: name, record: record('sent') },
    normalized: { kind, entity: name, record: record('normalized') },
    caller,
  }
  const invalid = random.chance(0.08) ? invalidate(entity, record('sent'), random) : null
  if (!invalid) return { ...generated, refused: null }
  return { ...generated, sent: { kind, entity: name, record: invalid.record }, refused: invalid.message }
}

function invalidate(
  entity: NaiveEntity,
  record: WireRecord,
  random: Random,
): { record: WireRecord; message: string } | null {
  if (random.chance(0.2)) return { record: { ...record, 'no such': 1 }, message: 'There is no field "no such".' }
  const field = random.pick(
    entity.fields.filter(({ name }) => name in record && !isCustom(name, entity)).concat(entity.fields.slice(0, 1)),
  )
  const fault = arbitraryFault(field, random)
  return fault && !field.generated && field.name in record
    ? { record: { ...record, [field.name]: fault.sent }, message: fault.message }
    : null
}

function isCustom(name: string, { fields }: NaiveEntity): boolean {
  return fields.some(field => field.name === name && field.uid === '')
}

function valuesOf(
  naive: Naive,
  entity: NaiveEntity,
  fields: readonly NaiveField[],
  caller: Caller,
  random: Random,
): Values {
  const drawn = new Map(fields.map(field => [field.name, draw(naive, field, caller, random)]))
  // Values of foreign keys over several fields belong together.
  for (const { from, to, pairs } of naive.keys) {
    if (from !== entity.api.name || pairs.length < 2 || random.chance(0.2)) continue
    const rows = entityOf(naive, to).rows.filter(row => row.tenant === caller.tenant)
    if (rows.length === 0) continue
    const { values } = random.pick(rows)
    for (const { field, target } of pairs) {
      const value = values[target] ?? null
      if (drawn.has(field) && value !== null) drawn.set(field, { sent: value, normalized: value })
    }
  }
  return [...drawn]
}

function draw(naive: Naive, field: NaiveField, caller: Caller, random: Random): Drawn {
  if (field.nullable && random.chance(0.2)) return { sent: null, normalized: null }
  const { references } = field
  if (!references || random.chance(0.1)) return arbitraryValue(field, random)
  const rows = entityOf(naive, references.entity).rows.filter(row => row.tenant === caller.tenant)
  const values = rows.flatMap(({ values: stored }) => stored[references.field] ?? [])
  const value = values.length === 0 ? null : random.pick(values)
  if (value !== null) return { sent: value, normalized: value }
  return field.nullable ? { sent: null, normalized: null } : arbitraryValue(field, random)
}

function keyValues(entity: NaiveEntity, caller: Caller, random: Random): Drawn[] {
  const rows = entity.rows.filter(row => row.tenant === caller.tenant || random.chance(0.1))
  const row = rows.length > 0 && random.chance(0.85) ? random.pick(rows) : null
  return entity.api.key.map(({ name }) => {
    const field = entity.fields.find(one => one.name === name)
    if (!field) throw new RangeError(entity.api.name)
    const value = row?.values[name] ?? null
    return value === null ? arbitraryValue(field, random) : { sent: value, normalized: value }
  })
}

function keyOf(entity: NaiveEntity, caller: Caller, random: Random): Variants<WireKey> {
  const values = keyValues(entity, caller, random)
  return { sent: values.map(({ sent }) => sent), normalized: values.map(({ normalized }) => normalized) }
}

function onKey(
  kind: 'delete' | 'select' | 'related',
  naive: Naive,
  entity: NaiveEntity,
  caller: Caller,
  random: Random,
): GeneratedOperation {
  const key = keyOf(entity, caller, random)
  const name = entity.api.name
  const both = (sent: Operation, normalized: Operation): GeneratedOperation => ({
    sent,
    normalized,
    refused: null,
    caller,
  })
  if (kind === 'delete') return both({ kind, entity: name, key: key.sent }, { kind, entity: name, key: key.normalized })
  if (kind === 'select') {
    const select = selection(naive, entity, 2, random)
    return both(
      { kind, entity: name, key: key.sent, select: select.sent },
      { kind, entity: name, key: key.normalized, select: select.normalized },
    )
  }
  const relation = random.pick(entity.api.relations)
  const other = entityOf(naive, relation.entity)
  const select = selection(naive, other, 1, random)
  const list = listingOf(naive, other, random)
  const common = { kind, entity: name, relation: relation.name }
  return both(
    { ...common, key: key.sent, select: select.sent, ...list.sent },
    { ...common, key: key.normalized, select: select.normalized, ...list.normalized },
  )
}

function selectAllOf(naive: Naive, entity: NaiveEntity, caller: Caller, random: Random): GeneratedOperation {
  const select = selection(naive, entity, 2, random)
  const list = listingOf(naive, entity, random)
  const common = { kind: 'selectAll', entity: entity.api.name } as const
  return {
    sent: { ...common, select: select.sent, ...list.sent },
    normalized: { ...common, select: select.normalized, ...list.normalized },
    refused: null,
    caller,
  }
}

function aggregateOf(naive: Naive, entity: NaiveEntity, caller: Caller, random: Random): GeneratedOperation {
  const { name } = random.pick(entity.api.aggregates)
  const filters = filtersOf(naive, entity, random)
  const common = { kind: 'aggregate', entity: entity.api.name, query: name } as const
  return {
    sent: { ...common, filters: filters.sent },
    normalized: { ...common, filters: filters.normalized },
    refused: null,
    caller,
  }
}

function historyOf(naive: Naive, entity: NaiveEntity, caller: Caller, random: Random): GeneratedOperation {
  const name = entity.api.name
  if (entity.api.key.length === 0 || random.chance(0.5)) {
    const operation = {
      kind: 'changes',
      entity: name,
      after: '0',
      limit: 1000,
    } as const
    return { sent: operation, normalized: operation, refused: null, caller }
  }
  const key = keyOf(entity, caller, random)
  return {
    sent: { kind: 'history', entity: name, key: key.sent },
    normalized: { kind: 'history', entity: name, key: key.normalized },
    refused: null,
    caller,
  }
}

type Variants<T> = { readonly sent: T; readonly normalized: T }

function selection(naive: Naive, entity: NaiveEntity, depth: number, random: Random): Variants<Selection> {
  const fields = random.chance(0.6) ? null : entity.fields.filter(() => random.chance(0.5)).map(({ name }) => name)
  const selected = depth === 0 ? [] : entity.api.relations.filter(() => random.chance(0.4)).slice(0, 3)
  const relations = selected.map(({ name, entity: to, kind }) => {
    const other = entityOf(naive, to)
    const select = selection(naive, other, depth - 1, random)
    const list =
      kind === 'toMany' && random.chance(0.6) && hasTotalOrder(other) ? listingOf(naive, other, random) : null
    const one = (part: keyof Variants<unknown>) => ({
      name,
      select: select[part],
      ...(list && { listing: list[part] }),
    })
    return { sent: one('sent'), normalized: one('normalized') }
  })
  return {
    sent: { fields, relations: relations.map(({ sent }) => sent) },
    normalized: { fields, relations: relations.map(({ normalized }) => normalized) },
  }
}

/** Whether the order of the records of a list is defined. */
export function hasTotalOrder({ api, fields }: NaiveEntity): boolean {
  return api.key.length > 0 || fields.every(isOrdered)
}

function listingOf(naive: Naive, entity: NaiveEntity, random: Random): Variants<Listing> {
  const filters = filtersOf(naive, entity, random)
  const sortable = entity.fields.filter(isOrdered)
  const common = {
    search: random.chance(0.3) ? random.pick(['a', 'É', 'ключ', '%', "'", '_', ' ', 'ZO', '😀', '\\', 'x']) : '',
    sort: Array.from({ length: sortable.length === 0 ? 0 : random.between(0, 2) }, () => {
      return { field: random.pick(sortable).name, descending: random.chance(0.5) }
    }),
    limit: random.chance(0.5) && hasTotalOrder(entity) ? random.pick([1, 2, 3, 1000]) : null,
    offset: random.chance(0.3) && hasTotalOrder(entity) ? random.between(0, 4) : 0,
  }
  return { sent: { ...common, filters: filters.sent }, normalized: { ...common, filters: filters.normalized } }
}

function filtersOf(naive: Naive, entity: NaiveEntity, random: Random): Variants<Filter[]> {
  const usable = entity.fields.filter(({ name }) => !isCustom(name, entity))
  const count = usable.length === 0 ? 0 : random.pick([0, 0, 1, 1, 2])
  const drawnFilters = Array.from({ length: count }, () => filterOf(entity, random.pick(usable), random))
  return { sent: drawnFilters.map(({ sent }) => sent), normalized: drawnFilters.map(({ normalized }) => normalized) }
}

function filterOf(entity: NaiveEntity, field: NaiveField, random: Random): Variants<Filter> {
  const { name, type } = field
  const one = (comparison: Filter['comparison'], sent: WireValue, normalized: WireValue = sent) => {
    return {
      sent: { field: name, comparison, value: sent },
      normalized: { field: name, comparison, value: normalized },
    }
  }
  const lot = random.next()
  if (lot < 0.15 || !isOrdered(field)) return one('null', random.chance(0.5))
  if (type.kind === 'text' && lot < 0.35) {
    return one(
      'like',
      random.pick(['%', 'a%', '%e%', '%ю%', '_b', 'back\\%', '100%', '[x]%', '*%', '%\n%', '', '%_%', "%'%", 'A']),
    )
  }
  const value = (): Drawn => {
    const stored = entity.rows.length > 0 && random.chance(0.6) ? (random.pick(entity.rows).values[name] ?? null) : null
    return stored === null ? arbitraryValue(field, random) : { sent: stored, normalized: stored }
  }
  if (lot < 0.5) {
    const values = Array.from({ length: random.between(0, 5) }, value)
    return one(
      'in',
      values.map(({ sent }) => sent),
      values.map(({ normalized }) => normalized),
    )
  }
  const { sent, normalized } = value()
  return one(
    random.pick(type.kind === 'boolean' ? ['eq', 'ne'] : ['eq', 'ne', 'gt', 'gte', 'lt', 'lte']),
    sent,
    normalized,
  )
}
