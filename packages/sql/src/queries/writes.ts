import type { Operation, Selection, WireRecord } from '@cadmus/model/api/operation'
import { isEqual } from '@cadmus/model/equal'
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
import { allFields, type FieldPair, pairsOf } from './reading.ts'
import { asRecords, relatedCondition, select } from './reads.ts'
import { recordOf } from './records.ts'
import {
  columnOf,
  equal,
  type FieldSlot,
  parameter,
  read,
  recordWith,
  sameValues,
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
  const parents = parentsOf(query, mapping, slots, null)
  const isChecked = returnsRows(query)
  if (!isChecked) yield* checkReferences(query, parents, null)
  const { tenant } = mapping.table
  const build = () => ({
    kind: 'insert' as const,
    table: mapping.table.name,
    values: [
      ...(tenant ? [[tenant.name, parameter(tenantSlot, tenant.type)] as const] : []),
      ...slots.map(({ field: { column }, slot }) => [column.name, parameter(slot, column.type)] as const),
    ],
    where: isChecked ? parents.map(existsCondition) : [],
    anyColumn: mapping.fields[0]?.column.name ?? '',
    returning: returning(),
  })
  const isNumbered = dialect.returning === 'key' && generatedKey(mapping) !== undefined
  const shape = shapeOf(`insert${mark}`, mapping, slots, parents)
  const rows = yield statement(query, shape, build, checker.values, isNumbered ? 'key' : answerKind(query))
  if (isChecked && rows.length === 0) yield* throwMissingReference(query, parents)
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
  if (!returnsRows(query)) yield* checkReferences(query, change.parents, change.own)
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
type Change = { readonly own: Target; readonly slots: readonly BoundField[]; readonly parents: readonly Parent[] }

export function changeOf(query: Query, mapping: EntityMapping, key: Key, fieldValues: FieldValues): Change {
  const { checker } = query
  const own = { mapping, on: keySlots(checker, key) }
  const slots = slotsOf(checker, fieldValues)
  return { own, slots, parents: parentsOf(query, mapping, slots, own) }
}

/** Changes a row and returns the columns requested; no rows if it or a record that it refers to is missing. */
export function* changeRow(query: Query, change: Change, { mark, returning }: Returned): Work<SqlRows> {
  const { checker } = query
  const { own, slots, parents } = change
  const { mapping, on } = own
  const build = () => ({
    kind: 'update' as const,
    table: mapping.table.name,
    values: slots.map(({ field: { column }, slot }) => [column.name, parameter(slot, column.type)] as const),
    where: [
      ...equal(on, ''),
      ...tenantCondition(mapping, ''),
      ...(returnsRows(query) ? parents.map(existsCondition) : []),
    ],
    returning: returning(),
  })
  return yield statement(
    query,
    shapeOf(`update${mark}`, mapping, slots, parents),
    build,
    checker.values,
    answerKind(query),
  )
}

/** Throws the reason why no row was changed. */
export function* nothingChanged(query: Query, { own, parents }: Change): Work<never> {
  yield* checkReferences(query, parents, own)
  // All exist by now.
  throw parents.length > 0 ? new PlanFault('conflict', faults.reference) : missing(own.mapping)
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
  parents: readonly Parent[],
): string {
  const fields = slots.map(({ field }) => field.index).join()
  return `${kind} ${index} ${fields} ${firstOf(slots)} ${parents.map(parentShape).join(' ')}`
}

/** Empties references to the record that no constraint can empty. */
function* clearReferences(query: Query, mapping: EntityMapping, key: Key): Work<void> {
  const { checker, mappings } = query
  for (const { entity, field, by, further } of mapping.table.cleared) {
    const other = mappings.of(entity)
    const pairs = [{ field, by }, ...further].map(one => ({
      field: fieldOf(mapping, one.by),
      otherField: fieldOf(other, one.field),
    }))
    const slots = keySlots(checker, key)
    const ends = pairs.map(one => `${one.otherField.index}=${one.field.index}`)
    const shape = `clear ${other.index} ${mapping.index} ${ends.join()} ${firstOf(slots)}`
    const conditions = pairs.flatMap(pair => relatedCondition(mapping, slots, pair, ''))
    const build = () => ({
      kind: 'update' as const,
      table: other.table.name,
      values: pairs.map(({ otherField: { column } }) => [column.name, null] as const),
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
    ...recordWith(
      mapping,
      slots,
      mapping.fields.map(field => read(field, 't0')),
    ),
    forUpdate,
  })
  const [row] = yield { ...statement(query, shape, build, checker.values), isInternal: forUpdate }
  return row ? recordOf(allFields(mapping), row, false) : null
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

/** A record that a change refers to. */
type Parent = Target & {
  /** The fields of the changed record, if they are several. */
  readonly fields: readonly string[]
  /** Fields that keep their values in the changed record: if it has all of them, the other record has the same. */
  readonly stored: readonly FieldPair[]
  /** The changed record; null if it is new. */
  readonly own: Target | null
}

/** The records that a change refers to. `own`: the changed record, whose other fields keep their values; null if it is new. */
function parentsOf(
  { mappings, checker }: Query,
  mapping: EntityMapping,
  slots: readonly BoundField[],
  own: Target | null,
): Parent[] {
  const single = slots.flatMap(({ field: { references }, value, slot }) => {
    if (!references || !value) return []
    const other = mappings.of(references.entity)
    return [{ mapping: other, on: [{ field: fieldOf(other, references.field), slot }], fields: [], stored: [], own }]
  })
  if (mapping.parents.length === 0) return single
  const several = mapping.parents.flatMap(relation => {
    const other = mappings.of(relation.entity)
    const pairs = pairsOf(mapping, other, relation)
    const isChanged = pairs.some(({ field }) => slots.some(one => one.field === field))
    if (own && !isChanged) return []
    const bound = pairs.map(pair => ({ ...pair, to: boundOf(checker, slots, pair.field, own) }))
    if (bound.some(({ to }) => to === null)) return []
    // A record may refer to itself.
    const isOwn = ({ to, otherField }: (typeof bound)[number]) =>
      to && isEqual(to.value, boundOf(checker, slots, otherField, own)?.value)
    if (other === mapping && bound.every(isOwn)) return []
    const on = bound.flatMap(({ otherField, to }) => (to ? { field: otherField, slot: to.slot } : []))
    const stored = bound.filter(({ to }) => to === undefined)
    return [{ mapping: other, on, fields: pairs.map(({ field }) => field.name), stored, own }]
  })
  return [...single, ...several]
}
/** The value that a field of the changed record gets; null if it has none, undefined if it keeps its own. */
function boundOf(
  checker: Query['checker'],
  slots: readonly BoundField[],
  field: Field,
  own: Target | null,
): BoundField | null | undefined {
  const given = slots.find(one => one.field === field)
  if (given) return given.value && given
  if (own) {
    const part = own.on.find(one => one.field === field)
    return part && { ...part, value: checker.values[part.slot] ?? null }
  }
  const value = literalDefault(field)
  return value && { field, value, slot: checker.addValue(value) }
}

function existsCondition(parent: Parent): Condition {
  return { kind: 'exists', select: selectParent(parent) }
}

/** Selects a row if the parent exists, or if the changed record refers to none, as a field without a change is empty. */
function selectParent({ mapping, on, stored, own }: Parent): Select {
  const parent = selectExisting(mapping, on, 'x')
  if (stored.length === 0 || !own) return parent
  const exists = {
    kind: 'exists',
    select: { ...parent, where: [...parent.where, ...sameValues(stored, 'x', 't0')] },
  } as const
  const isEmpty = stored.map(({ field }) => [{ kind: 'null', ref: columnOf(field, 't0'), isNull: true } as const])
  const record = recordWith(own.mapping, own.on, [{ kind: 'one' }])
  return { ...record, where: [...record.where, { kind: 'any', of: [...isEmpty, [exists]] }] }
}

function parentShape({ mapping, on, stored }: Parent): string {
  const others = stored.map(({ field, otherField }) => `${field.index}=${otherField.index}`)
  return [mapping.index, ...on.flatMap(({ field, slot }) => [field.index, slot]), ...others].join()
}

/** Checks in one query that the record and all records that it will refer to exist. */
function* checkReferences(
  query: Query,
  parents: readonly Parent[],
  own: Target | null,
): Generator<BoundStatement, void, SqlRows> {
  const { checker } = query
  if (parents.length === 0) return
  const shape = `there ${own ? `${own.mapping.index} ${firstOf(own.on)}` : ''} ${parents.map(parentShape).join(' ')}`
  const build = () => {
    const selects = [...(own ? [selectExisting(own.mapping, own.on, 'x')] : []), ...parents.map(selectParent)]
    return newSelect({ columns: selects.map(select => ({ kind: 'exists', select }) as const) })
  }
  const [row = []] = yield statement(query, shape, build, checker.values)
  const exists = (index: number) => Number(row[index] ?? 0) === 1
  if (own && !exists(0)) throw missing(own.mapping)
  const lost = parents.find((_, index) => !exists(index + (own ? 1 : 0)))
  if (lost) throw missingParent(lost)
}

function missingParent({ mapping: { entity }, fields }: Parent): PlanFault {
  if (fields.length === 0) return new PlanFault('invalid', faults.notFound(entity.name))
  return new PlanFault('invalid', faults.noParent(entity.name, fields), fields)
}

/** Determines the missing record after an insert that inserted nothing. */
function* throwMissingReference(query: Query, parents: readonly Parent[]): Generator<BoundStatement, void, SqlRows> {
  yield* checkReferences(query, parents, null)
  throw new PlanFault('conflict', faults.reference)
}
