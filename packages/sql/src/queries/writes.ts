import type { Operation, Selection, WireRecord } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { affectedBy, isRecorded, recordAffected } from './affected-records.ts'
import { checkRecord, isChecked } from './checks.ts'
import { type Context, type Query, statement, withOwnSlots } from './context.ts'
import { faults } from './faults.ts'
import { type EntityMapping, type Field, fieldOf } from './fields.ts'
import { lockHistories, recordChange, type RecordedChange } from './history.ts'
import { type Key, keyIn, keySlots, readKey } from './keys.ts'
import { type BoundStatement, PlanFault, type SqlRows, type Steps } from './plan.ts'
import { allFields } from './reading.ts'
import { asRecords, select } from './reads.ts'
import { recordOf } from './records.ts'
import {
  columnOf,
  equal,
  type FieldSlot,
  parameter,
  read,
  selectExisting,
  tenantCondition,
  tenantSlot,
} from './selects.ts'
import { type Condition, type Expression, newSelect, type Select } from './tree.ts'
import { readCompared, wireOf, wireOfLiteral } from './values.ts'
import { changedRecord, type FieldValues, literalDefault, newRecord } from './writing.ts'

type Work<T> = Generator<BoundStatement, T, SqlRows>

/** Whether a change is a single statement, which needs no transaction. */
export function isOneStatement({ dialect, mappings }: Context, operation: Operation): boolean {
  const { kind, entity } = operation
  if ('select' in operation && operation.select) return false
  const mapping = mappings.of(entity)
  if (!returnsRows({ dialect }) || mapping.table.history) return false
  if (kind === 'update' && mapping.entity.checks.length > 0) return false
  return kind !== 'delete' || (mapping.table.cleared.length === 0 && !isRecorded(mappings, mapping))
}

/** Whether the answer to a change may be large although what was sent with it is not. */
export function mayAnswerMore({ api, mappings }: Pick<Context, 'api' | 'mappings'>, operation: Operation): boolean {
  if (operation.kind !== 'update' && operation.kind !== 'insert') return false
  const { kind, record, entity } = operation
  let bytes = 0
  for (const { name, type, maxLength } of mappings.of(entity).fields) {
    const value = record[name]
    if (type.kind === 'json' && value) bytes += JSON.stringify(value).length * maxJsonGrowth
    if (kind === 'insert') continue
    if (value !== undefined && (value !== null || !api.options.coalesce)) continue
    const isText = type.kind === 'text'
    if (type.kind === 'json' || type.kind === 'binary' || (isText && maxLength === null)) return true
    bytes += isText ? (maxLength ?? 0) * maxCharacterBytes : 0
  }
  return bytes > limits.quickAnswer
}

/** Bytes of an escaped character in JSON. */
const maxCharacterBytes = 6

/** Bytes of JSON as PostgreSQL answers it, per character sent: it writes 1e308 with all 309 digits. */
const maxJsonGrowth = 64

export function insert(query: Query, operation: Operation & { kind: 'insert' }): Steps {
  const mapping = query.mappings.of(operation.entity)
  return answered(
    query,
    mapping,
    operation.select,
    insertSteps(query, mapping, newRecord(mapping, operation.record, query.caller.at)),
  )
}

export function update(query: Query, operation: Operation & { kind: 'update' }): Steps {
  const mapping = query.mappings.of(operation.entity)
  const { key, fieldValues } = changedRecord(mapping, operation.record, query.api.options.coalesce)
  return answered(query, mapping, operation.select, updateSteps(query, mapping, key, fieldValues))
}

export function remove(query: Query, operation: Operation & { kind: 'delete' }): Steps {
  const mapping = query.mappings.of(operation.entity)
  return deleteSteps(query, mapping, readKey(mapping, operation.key))
}

/** `change`: null if it leaves the record as it was. */
type Changed = { readonly record: WireRecord; readonly change: RecordedChange | null }

/**
 * Reads the selection of a changed record, then records the change: the history is locked until the end of the
 * transaction. A failure changes nothing.
 */
function* answered(
  query: Query,
  mapping: EntityMapping,
  selection: Selection | undefined,
  changing: Work<Changed>,
): Steps {
  let step = changing.next([])
  while (!step.done) step = changing.next(yield selection ? { ...step.value, isInternal: true } : step.value)
  const { record, change } = step.value
  const result = selection
    ? yield* select(withOwnSlots(query), selectionOf(mapping, record, selection), asRecords)
    : ({ kind: 'record', record } as const)
  if (change) yield* recordChange(query, mapping, change)
  return result
}

function selectionOf(mapping: EntityMapping, record: WireRecord, selection: Selection) {
  return { kind: 'select', entity: mapping.entity.name, key: keyIn(mapping, record), select: selection } as const
}

function* insertSteps(query: Query, mapping: EntityMapping, fieldValues: FieldValues): Work<Changed> {
  const rows = yield* insertRow(query, mapping, fieldValues, {
    mark: '',
    returning: () => returnedColumns(mapping, query),
  })
  const record = yield* insertedRecord(query, mapping, fieldValues, rows)
  return { record, change: { operation: 'insert', before: null, after: record } }
}

/** The returned columns of a changed row, and a mark of them for the shape. */
export type Returned = { readonly mark: string; readonly returning: () => readonly Expression[] }

/** Inserts a row and returns the columns requested. Throws a PlanFault if it refers to a missing record. */
export function* insertRow(
  query: Query,
  mapping: EntityMapping,
  fieldValues: FieldValues,
  { mark, returning }: Returned,
): Work<SqlRows> {
  const { checker, dialect } = query
  const slots = slotsOf(checker, fieldValues)
  const targets = targetsOf(query, mapping, slots)
  const isChecked = returnsRows(query)
  if (!isChecked) yield* checkReferences(query, targets, null)
  const { tenant } = mapping.table
  const build = () => ({
    kind: 'insert' as const,
    table: mapping.table.name,
    values: [
      ...(tenant ? [[tenant.name, parameter(tenantSlot, tenant.type)] as const] : []),
      ...slots.map(({ field: { column }, slot }) => [column.name, parameter(slot, column.type)] as const),
    ],
    where: isChecked ? targets.map(existsCondition) : [],
    anyColumn: mapping.fields[0]?.column.name ?? '',
    returning: returning(),
  })
  const isNumbered = dialect.returning === 'key' && generatedKey(mapping) !== undefined
  const shape = shapeOf(`insert${mark}`, mapping, slots, targets)
  const rows = yield statement(query, shape, build, checker.values, isNumbered ? 'key' : answerKind(query))
  if (isChecked && rows.length === 0) yield* throwMissingReference(query, targets)
  return rows
}

/** The new record as stored; without a key, only the fields known from the input. */
function* insertedRecord(
  query: Query,
  mapping: EntityMapping,
  fieldValues: FieldValues,
  rows: SqlRows,
): Work<WireRecord> {
  const { dialect } = query
  const [row] = rows
  if (answerKind(query) === 'rows' && row) return recordOf(allFields(mapping), row, false)
  if (mapping.key.length === 0) return recordFromValues(mapping, fieldValues)
  const key: (readonly [Field, Literal])[] = []
  for (const field of mapping.key) {
    const value = fieldValues.find(([one]) => one === field)?.[1] ?? literalDefault(field)
    const keyRows = dialect.lastKey && !value ? yield { text: dialect.lastKey, parameters: [], answers: 'rows' } : rows
    key.push([field, value ?? readCompared(field, wireOf(field.type, keyRows[0]?.[0]))])
  }
  return (yield* storedRecord(query, mapping, key, false)) ?? recordFromValues(mapping, fieldValues)
}

function recordFromValues(mapping: EntityMapping, fieldValues: FieldValues): WireRecord {
  const values = new Map(fieldValues)
  const entries = mapping.fields.map(field => {
    const value = values.has(field) ? (values.get(field) ?? null) : literalDefault(field)
    return [field.name, wireOfLiteral(field.type, value)] as const
  })
  return Object.fromEntries(entries)
}

function* updateSteps(query: Query, mapping: EntityMapping, key: Key, fieldValues: FieldValues): Work<Changed> {
  const { history } = mapping.table
  yield* checkChange(query, mapping, key, fieldValues)
  const change = changeOf(query, mapping, key, fieldValues)
  if (!returnsRows(query)) yield* checkReferences(query, change.targets, change.own)
  const before = history ? yield* storedRecord(query, mapping, key, true) : null
  if (history && !before) throw missing(mapping)
  const isSame = fieldValues.length === 0
  const after = isSame ? yield* storedRecord(query, mapping, key, false) : yield* changeRecord(query, key, change)
  if (!after) return yield* nothingChanged(query, change)
  return { record: after, change: isSame ? null : { operation: 'update', before, after } }
}

/** Checks the record that the change would leave, with the stored values of other fields, which are locked. */
export function* checkChange(query: Query, mapping: EntityMapping, key: Key, fieldValues: FieldValues): Work<void> {
  const changed = new Map(fieldValues)
  if (!isChecked(mapping, [...changed.keys()])) return
  const stored = yield* storedRecord(withOwnSlots(query), mapping, key, true)
  // The change itself says that there is none.
  if (!stored) return
  checkRecord(mapping, field => {
    if (changed.has(field)) return changed.get(field) ?? null
    const value = stored[field.name] ?? null
    return value === null ? null : readCompared(field, value)
  })
}

/** A change of one record with its new values and the records that they refer to. */
type Change = { readonly own: Target; readonly slots: readonly BoundField[]; readonly targets: readonly Target[] }

export function changeOf(query: Query, mapping: EntityMapping, key: Key, fieldValues: FieldValues): Change {
  const { checker } = query
  const own = { mapping, on: keySlots(checker, key) }
  const slots = slotsOf(checker, fieldValues)
  return { own, slots, targets: targetsOf(query, mapping, slots) }
}

/** Changes a row and returns the columns requested; no rows if it or a record that it refers to is missing. */
export function* changeRow(query: Query, change: Change, { mark, returning }: Returned): Work<SqlRows> {
  const { checker } = query
  const { own, slots, targets } = change
  const { mapping, on } = own
  const build = () => ({
    kind: 'update' as const,
    table: mapping.table.name,
    values: slots.map(({ field: { column }, slot }) => [column.name, parameter(slot, column.type)] as const),
    where: [
      ...equal(on, ''),
      ...tenantCondition(mapping, ''),
      ...(returnsRows(query) ? targets.map(existsCondition) : []),
    ],
    returning: returning(),
  })
  return yield statement(
    query,
    shapeOf(`update${mark}`, mapping, slots, targets),
    build,
    checker.values,
    answerKind(query),
  )
}

/** Throws the reason why no row was changed. */
export function* nothingChanged(query: Query, { own, targets }: Change): Work<never> {
  yield* checkReferences(query, targets, own)
  throw missing(own.mapping)
}

function missing({ entity }: EntityMapping): PlanFault {
  return new PlanFault('notFound', faults.notFound(entity.name))
}

function* changeRecord(query: Query, key: Key, change: Change): Work<WireRecord | null> {
  const { mapping } = change.own
  const rows = yield* changeRow(query, change, { mark: '', returning: () => returnedColumns(mapping, query) })
  if (answerKind(query) === 'count') return yield* storedRecord(query, mapping, key, false)
  const [row] = rows
  return row ? recordOf(allFields(mapping), row, false) : null
}

function* deleteSteps(query: Query, mapping: EntityMapping, key: Key): Steps {
  const { checker } = query
  const isRecordedChange = isRecorded(query.mappings, mapping)
  const before = isRecordedChange ? yield* storedRecord(query, mapping, key, true) : null
  if (isRecordedChange && !before) throw missing(mapping)
  if (before) {
    // Read before the delete, and recorded at once, as all together may be large.
    const affected = yield* affectedBy(query, mapping, before)
    yield* lockHistories(query, [mapping, ...affected.map(one => one.mapping)])
    yield* recordChange(query, mapping, { operation: 'delete', before, after: null })
    yield* recordAffected(query, affected)
  }
  yield* clearReferences(query, mapping, key)
  const slots = keySlots(checker, key)
  const build = () => ({
    kind: 'delete' as const,
    table: mapping.table.name,
    where: [...equal(slots, ''), ...tenantCondition(mapping, '')],
  })
  const rows = yield statement(query, `delete ${mapping.index} ${firstOf(slots)}`, build, checker.values, 'count')
  if (Number(rows[0]?.[0] ?? 0) === 0) throw missing(mapping)
  return { kind: 'done' }
}

function slotsOf(checker: Query['checker'], fieldValues: FieldValues): BoundField[] {
  return fieldValues.map(([field, value]) => ({ field, value, slot: checker.addValue(value) }))
}

function shapeOf(
  kind: string,
  { index }: EntityMapping,
  slots: readonly BoundField[],
  targets: readonly Target[],
): string {
  const fields = slots.map(({ field }) => field.index).join()
  return `${kind} ${index} ${fields} ${firstOf(slots)} ${targets.map(({ on }) => on.map(({ slot }) => slot).join('-')).join()}`
}

/** Empties references to the record that no constraint can empty. */
function* clearReferences(query: Query, mapping: EntityMapping, key: Key): Work<void> {
  const { checker, mappings } = query
  for (const { entity, field: name, by } of mapping.table.cleared) {
    const other = mappings.of(entity)
    const field = fieldOf(other, name)
    const target = fieldOf(mapping, by)
    const slots = keySlots(checker, key)
    const shape = `clear ${other.index} ${field.index} ${mapping.index} ${target.index} ${firstOf(slots)}`
    const part = slots.find(one => one.field === target)
    const conditions: readonly Condition[] = part
      ? equal([{ field, slot: part.slot }], '')
      : [
          {
            kind: 'is',
            ref: columnOf(field, ''),
            select: selectOf(mapping, slots, [{ kind: 'column', ref: columnOf(target, 't0') }]),
          },
        ]
    const build = () => ({
      kind: 'update' as const,
      table: other.table.name,
      values: [[field.column.name, null]] as const,
      where: [...conditions, ...tenantCondition(other, '')],
      returning: [],
    })
    yield statement(query, shape, build, checker.values, 'count')
  }
}

/** `forUpdate`: reads it for the history and locks it. */
function* storedRecord(query: Query, mapping: EntityMapping, key: Key, forUpdate: boolean): Work<WireRecord | null> {
  const { checker } = query
  const slots = keySlots(checker, key)
  const shape = `stored ${mapping.index} ${firstOf(slots)} ${forUpdate}`
  const build = () => ({
    ...selectOf(
      mapping,
      slots,
      mapping.fields.map(field => read(field, 't0')),
    ),
    forUpdate,
  })
  const [row] = yield { ...statement(query, shape, build, checker.values), isInternal: forUpdate }
  return row ? recordOf(allFields(mapping), row, false) : null
}

function selectOf(mapping: EntityMapping, slots: readonly FieldSlot[], columns: readonly Expression[]): Select {
  return newSelect({
    columns,
    from: { table: mapping.table.name, alias: 't0' },
    where: [...equal(slots, 't0'), ...tenantCondition(mapping, 't0')],
  })
}

function generatedKey({ key }: EntityMapping): Field | undefined {
  return key.find(({ generated }) => generated)
}

/** The first slot stands for all in a shape, as they follow one another. */
function firstOf(slots: readonly FieldSlot[]): number | undefined {
  return slots[0]?.slot
}

/** All fields of a changed row, if the database returns it. */
function returnedColumns(mapping: EntityMapping, { dialect }: Query): Expression[] {
  if (dialect.returning === 'key') {
    const key = generatedKey(mapping)
    return key ? [{ kind: 'column', ref: columnOf(key, '') }] : []
  }
  return dialect.returning === 'none'
    ? []
    : mapping.fields.map(field => read(field, dialect.returning === 'output' ? 'INSERTED' : ''))
}

function returnsRows({ dialect }: Pick<Query, 'dialect'>): boolean {
  return dialect.returning === 'rows'
}

function answerKind({ dialect }: Query): 'rows' | 'count' {
  return dialect.returning === 'rows' || dialect.returning === 'output' ? 'rows' : 'count'
}

type BoundField = { readonly field: Field; readonly value: Literal | null; readonly slot: number }

/** A record that must exist: the one whose fields have the slots' values. */
type Target = { readonly mapping: EntityMapping; readonly on: readonly FieldSlot[] }

/** Of a foreign key over several columns only if all of them get values. */
function targetsOf({ mappings }: Query, { table }: EntityMapping, slots: readonly BoundField[]): Target[] {
  const single = slots.flatMap(({ field: { references }, value, slot }) => {
    if (!references || !value) return []
    const mapping = mappings.of(references.entity)
    return [{ mapping, on: [{ field: fieldOf(mapping, references.field), slot }] }]
  })
  const together = table.parents.flatMap(({ entity, pairs }) => {
    const mapping = mappings.of(entity)
    const on = pairs.flatMap(({ field: name, by }) => {
      const given = slots.find(({ field, value }) => field.name === name && value)
      return given ? [{ field: fieldOf(mapping, by), slot: given.slot }] : []
    })
    return on.length === pairs.length ? [{ mapping, on }] : []
  })
  return [...single, ...together]
}

function existsCondition({ mapping, on }: Target): Condition {
  return { kind: 'exists', select: selectExisting(mapping, on, 'x') }
}

/** Checks in one query that the record and all records that it will refer to exist. */
function* checkReferences(
  query: Query,
  targets: readonly Target[],
  own: Target | null,
): Generator<BoundStatement, void, SqlRows> {
  const { checker } = query
  if (targets.length === 0) return
  const all = own ? [own, ...targets] : targets
  const shape = `there ${all.map(({ mapping, on }) => [mapping.index, ...on.flatMap(({ field, slot }) => [field.index, slot])].join()).join(' ')}`
  const build = () =>
    newSelect({
      columns: all.map(({ mapping, on }) => ({ kind: 'exists', select: selectExisting(mapping, on, 'x') }) as const),
    })
  const [row = []] = yield statement(query, shape, build, checker.values)
  const missing = all.findIndex((_, index) => Number(row[index] ?? 0) === 0)
  const name = all[missing]?.mapping.entity.name
  if (name === undefined) return
  throw new PlanFault(own && missing === 0 ? 'notFound' : 'invalid', faults.notFound(name))
}

/** Determines the missing record after an insert that inserted nothing. */
function* throwMissingReference(query: Query, targets: readonly Target[]): Generator<BoundStatement, void, SqlRows> {
  yield* checkReferences(query, targets, null)
  throw new PlanFault('conflict', faults.reference)
}
