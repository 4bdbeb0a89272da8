import type { Operation, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { readInteger } from '@cadmus/model/values/number'
import type { HistoryColumn } from '../instance-tables.ts'
import type { InstanceColumn, InstanceHistory } from '../instance-schema.ts'
import { statement, withOwnSlots, type Query } from './context.ts'
import { faults } from './faults.ts'
import { keyOf, type EntityMapping, type Field } from './fields.ts'
import { PlanFault, type BoundStatement, type SqlRows, type Steps } from './plan.ts'
import { put } from './records.ts'
import { isPageSize } from './reading.ts'
import { parameter, tenantSlot } from './selects.ts'
import { newSelect, type Condition } from './tree.ts'
import { readCompared, wireOf, wireOfLiteral } from './values.ts'

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
  const key = mapping.key ? keyText(mapping.key, (after ?? before)?.[mapping.key.name] ?? null) : '-'
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

/** Without the Z of an instant, so that a date and time of another format has the same text. */
function keyText({ type }: Field, key: WireValue): string {
  const text = String(key ?? '-')
  return type.kind === 'instant' ? text.replace(/Z$/, '') : text
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
  const field = keyOf(mapping)
  const { columns } = historyOf(mapping)
  const key = wireOfLiteral(field.type, readCompared(field, operation.key))
  const slot = query.checker.addValue({ kind: 'text', value: keyText(field, key) })
  const { name, type } = columns.recordKey
  const value = parameter(slot, type)
  const condition = { kind: 'compare', operator: '=', ref: { of: 'h', name, type }, value } as const
  return changesWhere(query, mapping, 'history', condition, limits.rows.all)
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
  const records = rows.map(row => changeOf(row, mapping))
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
function changeOf(row: readonly unknown[], { key }: EntityMapping): WireRecord {
  const record: Record<string, WireValue> = {}
  for (const [index, name] of columnsRead.entries()) {
    const kind = columnKinds[name]
    const value = wireOf(kind === 'integer' ? { kind, bits: 64 } : { kind }, row[index])
    if (name === 'before' || name === 'after') put(record, name, typeof value === 'string' ? JSON.parse(value) : null)
    else if (name === 'recordKey') put(record, 'key', key ? wireOf(key.type, value) : null)
    else put(record, name, value)
  }
  return record
}
