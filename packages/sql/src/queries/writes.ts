import type { Operation, WireRecord } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { statement, type Asked, type Context } from './context.ts'
import { affectedBy, isRecorded } from './cascades.ts'
import { faults } from './faults.ts'
import { fieldOf, keyOf, type Place } from './fields.ts'
import { recordChange } from './history.ts'
import { PlanFault, type BoundStatement, type SqlRows, type Steps } from './plan.ts'
import { recordOf } from './records.ts'
import { whole } from './reading.ts'
import { checkReferences, lostReference, targetsOf, thereIs, type Slotted, type Target } from './references.ts'
import { columnOf, equal, parameter, read, tenantCondition, tenantSlot } from './selects.ts'
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

/** Whether a change may answer much that was not sent with it. */
export function mayAnswerMore({ api, places }: Pick<Context, 'api' | 'places'>, operation: Operation): boolean {
  if (operation.kind !== 'update') return false
  const { record, entity } = operation
  let bytes = 0
  for (const { name, type, maxLength } of places.of(entity).fields) {
    const value = record[name]
    if (value !== undefined && (value !== null || !api.options.coalesce)) continue
    const isText = type.kind === 'text'
    if (type.kind === 'json' || type.kind === 'binary' || (isText && maxLength === null)) return true
    bytes += isText ? (maxLength ?? 0) * longestCharacter : 0
  }
  return bytes > limits.quickAnswer
}

/** Of a text in JSON, in bytes. */
const longestCharacter = 6

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
  const rows = yield* insertRow(asked, place, given, { mark: '', returning: () => returned(place, asked) })
  const record = yield* insertedRecord(asked, place, given, rows)
  yield* recordChange(asked, place, { operation: 'insert', before: null, after: record })
  return { kind: 'record', record }
}

/** What is answered of a changed row, and a mark of it for the shape. */
export type Answered = { readonly mark: string; readonly returning: () => readonly Expression[] }

/** Inserts a row and answers what was asked of it. Throws a PlanFault where it refers to what is not there. */
export function* insertRow(asked: Asked, place: Place, given: Given, { mark, returning }: Answered): Work<SqlRows> {
  const { checker, dialect } = asked
  const slots = slotsOf(checker, given)
  const targets = targetsOf(asked, slots)
  const isChecked = answersRows(asked)
  if (!isChecked) yield* checkReferences(asked, targets, null)
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
    returning: returning(),
  })
  const isNumbered = dialect.returning === 'key' && place.key?.generated
  const shape = shapeOf(`insert${mark}`, place, slots, targets)
  const rows = yield statement(asked, shape, build, checker.values, isNumbered ? 'key' : answerOf(asked))
  if (isChecked && rows.length === 0) yield* lostReference(asked, targets)
  return rows
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
  const { history } = place.table
  const change = changeOf(asked, place, key, given)
  if (!answersRows(asked)) yield* checkReferences(asked, change.targets, change.own)
  const before = history ? yield* storedRecord(asked, place, key, true) : null
  if (history && !before) throw missing(place)
  const isSame = given.length === 0
  const after = isSame ? yield* storedRecord(asked, place, key, false) : yield* changed(asked, key, change)
  if (!after) return yield* nothingChanged(asked, change)
  if (!isSame) yield* recordChange(asked, place, { operation: 'update', before, after })
  return { kind: 'record', record: after }
}

/** A change of one record: which, and the new values with what they refer to. */
type Change = { readonly own: Target; readonly slots: readonly Slotted[]; readonly targets: readonly Target[] }

export function changeOf(asked: Asked, place: Place, key: Literal, given: Given): Change {
  const { checker } = asked
  const own = { place, field: keyOf(place), slot: checker.keep(key) }
  const slots = slotsOf(checker, given)
  return { own, slots, targets: targetsOf(asked, slots) }
}

/** Changes the row and answers what was asked of it: nothing where it, or what it is to refer to, is not there. */
export function* changeRow(asked: Asked, change: Change, { mark, returning }: Answered): Work<SqlRows> {
  const { checker } = asked
  const { own, slots, targets } = change
  const { place, field: keyField, slot: keySlot } = own
  const build = () => ({
    kind: 'update' as const,
    table: place.table.name,
    values: slots.map(({ field: { column }, slot }) => [column.name, parameter(slot, column.type)] as const),
    where: [
      equal(keyField, keySlot, ''),
      ...tenantCondition(place, ''),
      ...(answersRows(asked) ? targets.map(thereIs) : []),
    ],
    returning: returning(),
  })
  return yield statement(asked, shapeOf(`update${mark}`, place, slots, targets), build, checker.values, answerOf(asked))
}

/** Why nothing was changed. */
export function* nothingChanged(asked: Asked, { own, targets }: Change): Work<never> {
  yield* checkReferences(asked, targets, own)
  throw missing(own.place)
}

function missing({ entity }: Place): PlanFault {
  return new PlanFault('notFound', faults.notFound(entity.name))
}

function* changed(asked: Asked, key: Literal, change: Change): Work<WireRecord | null> {
  const { place } = change.own
  const rows = yield* changeRow(asked, change, { mark: '', returning: () => returned(place, asked) })
  if (answerOf(asked) === 'count') return yield* storedRecord(asked, place, key, false)
  const [row] = rows
  return row ? recordOf(whole(place), row, false) : null
}

function* removed(asked: Asked, place: Place, key: Literal): Steps {
  const { checker } = asked
  const isTold = isRecorded(asked.places, place)
  const before = isTold ? yield* storedRecord(asked, place, key, true) : null
  if (isTold && !before) throw missing(place)
  const affected = before ? yield* affectedBy(asked, place, before) : []
  yield* clearReferences(asked, place, key)
  const slot = checker.keep(key)
  const build = () => ({
    kind: 'delete' as const,
    table: place.table.name,
    where: [equal(keyOf(place), slot, ''), ...tenantCondition(place, '')],
  })
  const rows = yield statement(asked, `delete ${place.index} ${slot}`, build, checker.values, 'count')
  if (Number(rows[0]?.[0] ?? 0) === 0) throw missing(place)
  yield* recordChange(asked, place, { operation: 'delete', before, after: null })
  for (const { place: other, before: was, after } of affected) {
    yield* recordChange(asked, other, { operation: after ? 'update' : 'delete', before: was, after })
  }
  return { kind: 'done' }
}

function slotsOf(checker: Asked['checker'], given: Given): Slotted[] {
  return given.map(([field, value]) => ({ field, value, slot: checker.keep(value) }))
}

function shapeOf(kind: string, { index }: Place, slots: readonly Slotted[], targets: readonly Target[]): string {
  const fields = slots.map(({ field }) => field.index).join()
  return `${kind} ${index} ${fields} ${slots[0]?.slot} ${targets.map(({ slot }) => slot).join()}`
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
