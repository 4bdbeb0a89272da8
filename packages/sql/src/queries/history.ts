import type { Operation, WireKey, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { readInteger } from '@cadmus/model/values/number'
import { hashOf } from '../names.ts'
import type { HistoryColumn } from '../instance-tables.ts'
import type { InstanceColumn, InstanceHistory } from '../instance-schema.ts'
import { statement, withOwnSlots, type Query } from './context.ts'
import { faults } from './faults.ts'
import type { EntityMapping, Field } from './fields.ts'
import { keyIn, readKey } from './keys.ts'
import { PlanFault, type BoundStatement, type SqlRows, type Steps } from './plan.ts'
import { put } from './records.ts'
import { isPageSize } from './reading.ts'
import { parameter, tenantSlot } from './selects.ts'
import { newSelect, type Condition } from './tree.ts'
import { wireOf, wireOfLiteral } from './values.ts'

export type RecordedChange = {
  readonly operation: 'insert' | 'update' | 'delete'
  readonly before: WireRecord | null
  readonly after: WireRecord | null
}

/** Records a change in the entity's history, with user and time. */
export function* recordChange(
  query: Query,
  mapping: EntityMapping,
  change: RecordedChange,
): Generator<BoundStatement, void, SqlRows> {
  const { history } = mapping.table
  if (!history) return
  yield* lockHistories(query, [mapping])
  const { checker, caller } = withOwnSlots(query)
  const { operation, before, after } = change
  const key = recordKeyText(mapping, history, keyIn(mapping, after ?? before))
  const text = (value: string): Literal => ({ kind: 'text', value })
  const json = (record: WireRecord | null) => (record ? text(JSON.stringify(record)) : null)
  const values: readonly (readonly [InstanceColumn, Literal | null])[] = [
    [history.columns.operation, text(operation)],
    [history.columns.recordKey, text(key)],
    [history.columns.before, json(before)],
    [history.columns.after, json(after)],
    [history.columns.changedBy, text(Array.from(caller.name).slice(0, limits.keyedText).join(''))],
    [history.columns.changedAt, { kind: 'timestamp', value: new Date().toISOString().slice(0, -1) }],
  ]
  const slots = values.map(([column, value]) => [column, checker.addValue(value)] as const)
  const build = () => ({
    kind: 'insert' as const,
    table: history.name,
    values: [
      ...(history.tenant ? [[history.tenant.name, parameter(tenantSlot, history.tenant.type)] as const] : []),
      ...slots.map(([column, slot]) => [column.name, parameter(slot, column.type)] as const),
    ],
    where: [],
    anyColumn: history.columns.operation.name,
    returning: [],
  })
  yield { ...statement(query, `record ${mapping.index}`, build, checker.values, 'count'), isInternal: true }
}

/**
 * The text under which the changes of a record are found. Of several values it is a hash, the same in any order of the key and cut to the
 * room of the column, which is as long as the first of them.
 */
function recordKeyText({ key }: EntityMapping, { columns: { recordKey } }: InstanceHistory, values: WireKey): string {
  const texts = key.map((field, at) => keyText(field, values[at] ?? null))
  if (texts.length < 2) return texts[0] ?? '-'
  const room = recordKey.type.kind === 'varchar' ? recordKey.type.length : Infinity
  return hashOf(JSON.stringify(texts.toSorted())).slice(0, room)
}

/** The text and those of versions in which the column was shorter. */
function formerTexts({ key }: EntityMapping, text: string): readonly string[] {
  return key.length < 2 ? [text] : Array.from(text, (_, at) => text.slice(0, at + 1))
}

/** The key of a changed record. Several parts are read from the record, as their text is a hash. */
function keyOfChange({ key }: EntityMapping, text: WireValue, record: WireRecord | null): WireValue {
  const [field, ...others] = key
  if (!field) return null
  if (others.length === 0) return wireOf(field.type, text)
  return key.map(part => {
    const own = record?.[part.name] ?? null
    return own === null ? null : wireOf(part.type, keyText(part, own))
  })
}

/** Without the Z of an instant, so that a date and time of another format has the same text. */
function keyText({ type }: Field, key: WireValue): string {
  const text = String(key ?? '-')
  return type.kind === 'instant' || type.kind === 'local' ? text.replace(/Z$/, '') : text
}

/**
 * Serializes writers, so that sequence numbers become visible in ascending order and readers miss no change. Call it
 * once for all histories of a transaction, because locks in the order of their names cannot deadlock.
 */
export function* lockHistories(
  { dialect, locked }: Query,
  mappings: readonly EntityMapping[],
): Generator<BoundStatement, void, SqlRows> {
  if (!dialect.lockTable) return
  const names = new Set(mappings.map(({ table }) => table.history?.name).filter(name => name !== undefined))
  for (const name of [...names].toSorted()) {
    if (locked.has(name)) continue
    locked.add(name)
    yield { text: dialect.lockTable(dialect.quote(name)), parameters: [], answers: 'count' }
  }
}

/** Changes of one record, oldest first. */
export function history(query: Query, operation: Operation & { kind: 'history' }): Steps {
  const mapping = query.mappings.of(operation.entity)
  const key = readKey(mapping, operation.key).map(([{ type }, value]) => wireOfLiteral(type, value))
  const table = historyOf(mapping)
  const { columns } = table
  const { name, type } = columns.recordKey
  const values = formerTexts(mapping, recordKeyText(mapping, table, key)).map(text =>
    parameter(query.checker.addValue({ kind: 'text', value: text }), type),
  )
  const condition = { kind: 'in', ref: { of: 'h', name, type }, values } as const
  return changesWhere(query, mapping, 'history', condition, limits.rows.all, key)
}

/** Changes of all records after a sequence number. */
export function changes(query: Query, operation: Operation & { kind: 'changes' }): Steps {
  const mapping = query.mappings.of(operation.entity)
  const { columns } = historyOf(mapping)
  const after = readInteger(operation.after, 64)
  if (after === null || after < 0n) throw new PlanFault('invalid', faults.sequence)
  if (!isPageSize(operation.limit)) throw new PlanFault('invalid', faults.limit)
  const slot = query.checker.addValue({ kind: 'number', value: String(after) })
  const { name, type } = columns.sequence
  const value = parameter(slot, type)
  const condition = { kind: 'compare', operator: '>', ref: { of: 'h', name, type }, value } as const
  return changesWhere(query, mapping, 'changes', condition, operation.limit)
}

function historyOf({ entity, table }: EntityMapping): InstanceHistory {
  if (!table.history) throw new PlanFault('notFound', faults.noHistory(entity.name))
  return table.history
}

const columnsRead = ['sequence', 'operation', 'recordKey', 'before', 'after', 'changedBy', 'changedAt'] as const

function* changesWhere(
  query: Query,
  mapping: EntityMapping,
  shape: string,
  condition: Condition,
  limit: number,
  ofKey: WireKey = [],
): Steps {
  const { checker } = query
  const table = historyOf(mapping)
  const limitSlot = checker.addValue({ kind: 'number', value: String(limit) })
  const at = ({ name, type }: InstanceColumn) => ({ of: 'h', name, type })
  const { tenant, columns } = table
  const ofTenant: Condition[] = tenant
    ? [{ kind: 'compare', operator: '=', ref: at(tenant), value: parameter(tenantSlot, tenant.type) }]
    : []
  const build = () =>
    newSelect({
      columns: columnsRead.map(name => ({ kind: 'read', ref: at(columns[name]) }) as const),
      from: { table: table.name, alias: 'h' },
      where: [condition, ...ofTenant],
      orderBy: [{ ref: at(columns.sequence), descending: false, nullable: false }],
      page: { limit: parameter(limitSlot, { kind: 'integer', bits: 64 }), offset: null },
    })
  const rows = yield statement(query, `${shape} ${mapping.index}`, build, checker.values)
  // Hashes of different keys can be equal. A record without a part, which has another name now, is not known to have another key.
  const isOther = (own: WireValue) => Array.isArray(own) && own.some((one, at) => one !== null && one !== ofKey[at])
  const all = rows.map(row => changeOf(row, mapping))
  const records =
    ofKey.length < 2 ? all : all.flatMap(change => (isOther(change['key'] ?? null) ? [] : { ...change, key: ofKey }))
  return { kind: 'list', records, total: records.length, totalNotFiltered: records.length }
}

const columnKinds: Readonly<Record<HistoryColumn, 'integer' | 'text' | 'timestamp'>> = {
  sequence: 'integer',
  operation: 'text',
  recordKey: 'text',
  before: 'text',
  after: 'text',
  changedBy: 'text',
  changedAt: 'timestamp',
}

/** Properties: `sequence`, `operation`, `key`, `before`, `after`, `changedBy`, `changedAt`. */
function changeOf(row: readonly unknown[], mapping: EntityMapping): WireRecord {
  const values = new Map(
    columnsRead.map((name, index) => {
      const kind = columnKinds[name]
      return [name, wireOf(kind === 'integer' ? { kind, bits: 64 } : { kind }, row[index])] as const
    }),
  )
  const recordIn = (name: 'before' | 'after'): WireRecord | null => {
    const text = values.get(name)
    return typeof text === 'string' ? JSON.parse(text) : null
  }
  const [before, after] = [recordIn('before'), recordIn('after')]
  const record: Record<string, WireValue> = {}
  for (const [name, value] of values) {
    if (name === 'before') put(record, name, before)
    else if (name === 'after') put(record, name, after)
    else if (name === 'recordKey') put(record, 'key', keyOfChange(mapping, value, after ?? before))
    else put(record, name, value)
  }
  return record
}
