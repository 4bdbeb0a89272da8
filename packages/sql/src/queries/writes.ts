import type { Operation, WireRecord } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import { statement, type Asked } from './context.ts'
import { affectedBy } from './cascades.ts'
import { faults } from './faults.ts'
import { fieldOf, keyOf, type Place } from './fields.ts'
import { recordChange } from './history.ts'
import { PlanFault, type BoundStatement, type SqlRows } from './plan.ts'
import { recordOf } from './records.ts'
import type { Reading } from './reading.ts'
import type { Steps } from './reads.ts'
import { columnOf, equal, existing, parameter, read, tenantCondition, tenantSlot } from './selects.ts'
import { selecting, type Condition, type Expression, type Select } from './tree.ts'
import { readCompared, wireOf, wireOfLiteral } from './values.ts'
import { changedRecord, newRecord, type Given } from './writing.ts'

type Work<T> = Generator<BoundStatement, T, SqlRows>

export function insert(asked: Asked, operation: Operation & { kind: 'insert' }): Steps {
  const place = asked.places.of(operation.entity)
  return inserted(asked, place, newRecord(place, operation.record))
}

export function update(asked: Asked, operation: Operation & { kind: 'update' }): Steps {
  const place = asked.places.of(operation.entity)
  const { key, given } = changedRecord(place, operation.record, asked.api.options.coalesce)
  return updated(asked, place, key, given)
}

export function remove(asked: Asked, operation: Operation & { kind: 'delete' }): Steps {
  const place = asked.places.of(operation.entity)
  return removed(asked, place, readCompared(keyOf(place), operation.key))
}

function* inserted(asked: Asked, place: Place, given: Given): Steps {
  const { checker, dialect } = asked
  yield* checkReferences(asked, given, null)
  const slots = given.map(([field, value]) => [field, checker.keep(value)] as const)
  const shape = `insert ${place.index} ${given.map(([{ index }]) => index).join()} ${checker.values.length}`
  const { tenant } = place.table
  const build = () => ({
    kind: 'insert' as const,
    table: place.table.name,
    values: [
      ...(tenant ? [[tenant.name, parameter(tenantSlot, tenant.type)] as const] : []),
      ...slots.map(([{ column }, slot]) => [column.name, parameter(slot, column.type)] as const),
    ],
    anyColumn: place.fields[0]?.column.name ?? '',
    returning: returned(place, asked),
  })
  const isNumbered = dialect.returning === 'key' && place.key?.generated
  const rows = yield statement(asked, shape, build, checker.values, isNumbered ? 'key' : answerOf(asked))
  const record = yield* insertedRecord(asked, place, given, rows)
  yield* recordChange(asked, place, { operation: 'insert', before: null, after: record })
  return { kind: 'record', record }
}

/** The new record as it is stored; of one without a key what is known of it. */
function* insertedRecord(asked: Asked, place: Place, given: Given, rows: SqlRows): Work<WireRecord> {
  const { dialect } = asked
  const [row] = rows
  if (answerOf(asked) === 'rows' && row) return recordOf(whole(place), row, false)
  const { key } = place
  if (!key) return knownRecord(place, given)
  const known = given.find(([field]) => field === key)?.[1] ?? key.default
  const made = dialect.lastKey && !known ? yield { text: dialect.lastKey, parameters: [], answers: 'rows' } : rows
  const literal = known ?? readCompared(key, wireOf(key.type, made[0]?.[0]))
  return (yield* storedRecord(asked, place, literal, false)) ?? knownRecord(place, given)
}

function knownRecord(place: Place, given: Given): WireRecord {
  const values = new Map(given)
  const entries = place.fields.map(field => {
    const value = values.has(field) ? (values.get(field) ?? null) : field.default
    return [field.name, wireOfLiteral(field.type, value)] as const
  })
  return Object.fromEntries(entries)
}

function* updated(asked: Asked, place: Place, key: Literal, given: Given): Steps {
  const { history } = place.table
  yield* checkReferences(asked, given, { place, key })
  const before = history ? yield* storedRecord(asked, place, key, true) : null
  if (history && !before) throw new PlanFault('notFound', faults.notFound(place.entity.name))
  const after =
    given.length === 0 ? yield* storedRecord(asked, place, key, false) : yield* changed(asked, place, key, given)
  if (!after) throw new PlanFault('notFound', faults.notFound(place.entity.name))
  if (given.length > 0) yield* recordChange(asked, place, { operation: 'update', before, after })
  return { kind: 'record', record: after }
}

function* changed(asked: Asked, place: Place, key: Literal, given: Given): Work<WireRecord | null> {
  const { checker } = asked
  const keySlot = checker.keep(key)
  const slots = given.map(([field, value]) => [field, checker.keep(value)] as const)
  const shape = `update ${place.index} ${given.map(([{ index }]) => index).join()} ${checker.values.length}`
  const build = () => ({
    kind: 'update' as const,
    table: place.table.name,
    values: slots.map(([{ column }, slot]) => [column.name, parameter(slot, column.type)] as const),
    where: [equal(keyOf(place), keySlot, ''), ...tenantCondition(place, '')],
    returning: returned(place, asked),
  })
  const rows = yield statement(asked, shape, build, checker.values, answerOf(asked))
  if (answerOf(asked) === 'count') return yield* storedRecord(asked, place, key, false)
  const [row] = rows
  return row ? recordOf(whole(place), row, false) : null
}

function* removed(asked: Asked, place: Place, key: Literal): Steps {
  const { checker } = asked
  const isTold = place.table.history !== null || place.table.dependents.length + place.table.cleared.length > 0
  const before = isTold ? yield* storedRecord(asked, place, key, true) : null
  if (isTold && !before) throw new PlanFault('notFound', faults.notFound(place.entity.name))
  const affected = before ? yield* affectedBy(asked, place, before) : []
  yield* clearReferences(asked, place, key)
  const slot = checker.keep(key)
  const build = () => ({
    kind: 'delete' as const,
    table: place.table.name,
    where: [equal(keyOf(place), slot, ''), ...tenantCondition(place, '')],
  })
  const rows = yield statement(asked, `delete ${place.index} ${slot}`, build, checker.values, 'count')
  if (Number(rows[0]?.[0] ?? 0) === 0) throw new PlanFault('notFound', faults.notFound(place.entity.name))
  yield* recordChange(asked, place, { operation: 'delete', before, after: null })
  for (const { place: other, before: was, after } of affected) {
    yield* recordChange(asked, other, { operation: after ? 'update' : 'delete', before: was, after })
  }
  return { kind: 'done' }
}

/** Whether the record and all that it will refer to are there: one query for all. */
function* checkReferences(
  asked: Asked,
  given: Given,
  own: { readonly place: Place; readonly key: Literal } | null,
): Work<void> {
  const { checker, places } = asked
  const targets = given.flatMap(([{ references }, value]) => {
    if (!references || !value) return []
    const place = places.of(references.entity)
    return [{ place, field: fieldOf(place, references.field), slot: checker.keep(value) }]
  })
  if (targets.length === 0) return
  const all = own ? [{ place: own.place, field: keyOf(own.place), slot: checker.keep(own.key) }, ...targets] : targets
  const shape = `there ${all.map(({ place, field, slot }) => [place.index, field.index, slot].join()).join(' ')}`
  const build = () =>
    selecting({
      columns: all.map(
        ({ place, field, slot }) => ({ kind: 'exists', select: existing(place, field, slot, 'x') }) as const,
      ),
    })
  const [row = []] = yield statement(asked, shape, build, checker.values)
  const missing = all.findIndex((_, index) => Number(row[index] ?? 0) === 0)
  const name = all[missing]?.place.entity.name
  if (name === undefined) return
  throw new PlanFault(own && missing === 0 ? 'notFound' : 'invalid', faults.notFound(name))
}

/** What refers to the record, and no constraint can empty. */
function* clearReferences(asked: Asked, place: Place, key: Literal): Work<void> {
  const { checker, places } = asked
  for (const { entity, field: name, by } of place.table.cleared) {
    const other = places.of(entity)
    const field = fieldOf(other, name)
    const target = fieldOf(place, by)
    const slot = checker.keep(key)
    const shape = `clear ${other.index} ${field.index} ${place.index} ${target.index} ${slot}`
    const named: Condition =
      target === place.key
        ? equal(field, slot, '')
        : {
            kind: 'is',
            place: columnOf(field, ''),
            select: selectOf(
              place,
              slot,
              [columnOf(target, 't0')].map(one => ({ kind: 'column', place: one }) as const),
            ),
          }
    const build = () => ({
      kind: 'update' as const,
      table: other.table.name,
      values: [[field.column.name, null]] as const,
      where: [named, ...tenantCondition(other, '')],
      returning: [],
    })
    yield statement(asked, shape, build, checker.values, 'count')
  }
}

function* storedRecord(asked: Asked, place: Place, key: Literal, forUpdate: boolean): Work<WireRecord | null> {
  const { checker } = asked
  const slot = checker.keep(key)
  const shape = `stored ${place.index} ${slot} ${forUpdate}`
  const build = () => ({
    ...selectOf(
      place,
      slot,
      place.fields.map(field => read(field, 't0')),
    ),
    forUpdate,
  })
  const [row] = yield statement(asked, shape, build, checker.values)
  return row ? recordOf(whole(place), row, false) : null
}

function selectOf(place: Place, slot: number, columns: readonly Expression[]): Select {
  return selecting({
    columns,
    from: { table: place.table.name, alias: 't0' },
    where: [equal(keyOf(place), slot, 't0'), ...tenantCondition(place, 't0')],
  })
}

/** A changed row with all its fields, where the database answers it. */
function returned(place: Place, { dialect }: Asked): Expression[] {
  if (dialect.returning === 'key')
    return place.key?.generated ? [{ kind: 'column', place: columnOf(place.key, '') }] : []
  return dialect.returning === 'none'
    ? []
    : place.fields.map(field => read(field, dialect.returning === 'output' ? 'INSERTED' : ''))
}

function answerOf({ dialect }: Asked): 'rows' | 'count' {
  return dialect.returning === 'rows' || dialect.returning === 'output' ? 'rows' : 'count'
}

function whole(place: Place): Reading {
  return { place, fields: place.fields, relations: [] }
}
