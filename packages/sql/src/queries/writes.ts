import type { Operation, WireRecord } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import { statement, type Asked, type Context } from './context.ts'
import { affectedBy, isRecorded } from './cascades.ts'
import { faults } from './faults.ts'
import { fieldOf, keyOf, type Field, type Place } from './fields.ts'
import { recordChange } from './history.ts'
import { PlanFault, type BoundStatement, type SqlRows, type Steps } from './plan.ts'
import { recordOf } from './records.ts'
import type { Reading } from './reading.ts'
import { columnOf, equal, existing, parameter, read, tenantCondition, tenantSlot } from './selects.ts'
import { selecting, type Condition, type Expression, type Select } from './tree.ts'
import { readCompared, wireOf, wireOfLiteral } from './values.ts'
import { changedRecord, newRecord, type Given } from './writing.ts'

type Work<T> = Generator<BoundStatement, T, SqlRows>

/** Whether a change is one statement, which needs no transaction of its own. */
export function isOneStatement({ dialect, places }: Context, { kind, entity }: Operation): boolean {
  const place = places.of(entity)
  if (!answersRows({ dialect }) || place.table.history) return false
  return kind !== 'delete' || (place.table.cleared.length === 0 && !isRecorded(places, place))
}

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
  const slots = slotsOf(checker, given)
  const targets = targetsOf(asked, slots)
  const isChecked = answersRows(asked)
  if (!isChecked) yield* checkReferences(asked, targets, null)
  const shape = shapeOf('insert', place, slots, targets)
  const { tenant } = place.table
  const build = () => ({
    kind: 'insert' as const,
    table: place.table.name,
    values: [
      ...(tenant ? [[tenant.name, parameter(tenantSlot, tenant.type)] as const] : []),
      ...slots.map(({ field: { column }, slot }) => [column.name, parameter(slot, column.type)] as const),
    ],
    where: isChecked ? targets.map(thereIs) : [],
    anyColumn: place.fields[0]?.column.name ?? '',
    returning: returned(place, asked),
  })
  const isNumbered = dialect.returning === 'key' && place.key?.generated
  const rows = yield statement(asked, shape, build, checker.values, isNumbered ? 'key' : answerOf(asked))
  if (isChecked && rows.length === 0) yield* lostReference(asked, targets)
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
  const known = given.find(([field]) => field === key)?.[1] ?? key.column.default
  const made = dialect.lastKey && !known ? yield { text: dialect.lastKey, parameters: [], answers: 'rows' } : rows
  const literal = known ?? readCompared(key, wireOf(key.type, made[0]?.[0]))
  return (yield* storedRecord(asked, place, literal, false)) ?? knownRecord(place, given)
}

function knownRecord(place: Place, given: Given): WireRecord {
  const values = new Map(given)
  const entries = place.fields.map(field => {
    const value = values.has(field) ? (values.get(field) ?? null) : field.column.default
    return [field.name, wireOfLiteral(field.type, value)] as const
  })
  return Object.fromEntries(entries)
}

function* updated(asked: Asked, place: Place, key: Literal, given: Given): Steps {
  const { checker } = asked
  const { history } = place.table
  const missing = new PlanFault('notFound', faults.notFound(place.entity.name))
  const own = { place, field: keyOf(place), slot: checker.keep(key) }
  const slots = slotsOf(checker, given)
  const targets = targetsOf(asked, slots)
  if (!answersRows(asked)) yield* checkReferences(asked, targets, own)
  const before = history ? yield* storedRecord(asked, place, key, true) : null
  if (history && !before) throw missing
  const isSame = given.length === 0
  const after = isSame ? yield* storedRecord(asked, place, key, false) : yield* changed(asked, key, own, slots, targets)
  if (!after) {
    yield* checkReferences(asked, targets, own)
    throw missing
  }
  if (!isSame) yield* recordChange(asked, place, { operation: 'update', before, after })
  return { kind: 'record', record: after }
}

function* changed(
  asked: Asked,
  key: Literal,
  { place, field: keyField, slot: keySlot }: Target,
  slots: readonly Slotted[],
  targets: readonly Target[],
): Work<WireRecord | null> {
  const { checker } = asked
  const build = () => ({
    kind: 'update' as const,
    table: place.table.name,
    values: slots.map(({ field: { column }, slot }) => [column.name, parameter(slot, column.type)] as const),
    where: [
      equal(keyField, keySlot, ''),
      ...tenantCondition(place, ''),
      ...(answersRows(asked) ? targets.map(thereIs) : []),
    ],
    returning: returned(place, asked),
  })
  const shape = shapeOf('update', place, slots, targets)
  const rows = yield statement(asked, shape, build, checker.values, answerOf(asked))
  if (answerOf(asked) === 'count') return yield* storedRecord(asked, place, key, false)
  const [row] = rows
  return row ? recordOf(whole(place), row, false) : null
}

function* removed(asked: Asked, place: Place, key: Literal): Steps {
  const { checker } = asked
  const isTold = isRecorded(asked.places, place)
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

/** A field with the slot of its new value. */
type Slotted = { readonly field: Field; readonly value: Literal | null; readonly slot: number }

/** A record that must be there: the field of its entity that has the slot's value. */
type Target = { readonly place: Place; readonly field: Field; readonly slot: number }

function slotsOf(checker: Asked['checker'], given: Given): Slotted[] {
  return given.map(([field, value]) => ({ field, value, slot: checker.keep(value) }))
}

function targetsOf({ places }: Asked, slots: readonly Slotted[]): Target[] {
  return slots.flatMap(({ field: { references }, value, slot }) => {
    if (!references || !value) return []
    const place = places.of(references.entity)
    return [{ place, field: fieldOf(place, references.field), slot }]
  })
}

function shapeOf(kind: string, { index }: Place, slots: readonly Slotted[], targets: readonly Target[]): string {
  const fields = slots.map(({ field }) => field.index).join()
  return `${kind} ${index} ${fields} ${slots[0]?.slot} ${targets.map(({ slot }) => slot).join()}`
}

function thereIs({ place, field, slot }: Target): Condition {
  return { kind: 'exists', select: existing(place, field, slot, 'x') }
}

/** Whether the record and all that it will refer to are there: one query for all. */
function* checkReferences(asked: Asked, targets: readonly Target[], own: Target | null): Work<void> {
  const { checker } = asked
  if (targets.length === 0) return
  const all = own ? [own, ...targets] : targets
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

/** Which one it was that was not there, when nothing was inserted. */
function* lostReference(asked: Asked, targets: readonly Target[]): Work<void> {
  yield* checkReferences(asked, targets, null)
  throw new PlanFault('conflict', faults.referred)
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

function answersRows({ dialect }: Pick<Asked, 'dialect'>): boolean {
  return dialect.returning === 'rows'
}

function answerOf({ dialect }: Asked): 'rows' | 'count' {
  return dialect.returning === 'rows' || dialect.returning === 'output' ? 'rows' : 'count'
}

function whole(place: Place): Reading {
  return { place, fields: place.fields, relations: [] }
}
