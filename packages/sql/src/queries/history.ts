import type { Operation, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { readInteger } from '@cadmus/model/values/number'
import type { HistoryColumn } from '../instance-tables.ts'
import type { InstanceColumn, InstanceHistory } from '../instance-schema.ts'
import { statement, type Asked } from './context.ts'
import { faults } from './faults.ts'
import { keyOf, type Place } from './fields.ts'
import { PlanFault, type BoundStatement, type SqlRows, type Steps } from './plan.ts'
import { put } from './records.ts'
import { isPageSize } from './reading.ts'
import { parameter, tenantSlot } from './selects.ts'
import { selecting, type Condition } from './tree.ts'
import { readCompared, wireOf, wireOfLiteral } from './values.ts'

type Change = {
  readonly operation: 'insert' | 'update' | 'delete'
  readonly before: WireRecord | null
  readonly after: WireRecord | null
}

/** Tells the history of a recorded entity what was changed, by whom and when. */
export function* recordChange(asked: Asked, place: Place, change: Change): Generator<BoundStatement, void, SqlRows> {
  const { history } = place.table
  if (!history) return
  yield* lockHistory(asked, history)
  const { checker, caller } = asked
  const { operation, before, after } = change
  const key = place.key ? ((after ?? before)?.[place.key.name] ?? null) : null
  const text = (value: string): Literal => ({ kind: 'text', value })
  const json = (record: WireRecord | null) => (record ? text(JSON.stringify(record)) : null)
  const values: readonly (readonly [InstanceColumn, Literal | null])[] = [
    [history.columns.operation, text(operation)],
    [history.columns.recordKey, text(String(key ?? '-'))],
    [history.columns.before, json(before)],
    [history.columns.after, json(after)],
    [history.columns.changedBy, text(Array.from(caller.name).slice(0, limits.keyedText).join(''))],
    [history.columns.changedAt, { kind: 'timestamp', value: new Date().toISOString().slice(0, -1) }],
  ]
  const slots = values.map(([column, value]) => [column, checker.keep(value)] as const)
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
  yield statement(asked, `record ${place.index} ${slots[0]?.[1]}`, build, checker.values, 'count')
}

/** A change with a smaller number is never seen after one with a larger: who reads what is new misses none. */
function* lockHistory({ dialect, locked }: Asked, { name }: InstanceHistory): Generator<BoundStatement, void, SqlRows> {
  if (!dialect.lockTable || locked.has(name)) return
  locked.add(name)
  yield { text: dialect.lockTable(dialect.quote(name)), parameters: [], answers: 'count' }
}

/** Changes of one record, the oldest first. */
export function history(asked: Asked, operation: Operation & { kind: 'history' }): Steps {
  const place = asked.places.of(operation.entity)
  const field = keyOf(place)
  const { columns } = historyOf(place)
  const key = wireOfLiteral(field.type, readCompared(field, operation.key))
  const slot = asked.checker.keep({ kind: 'text', value: String(key) })
  const { name, type } = columns.recordKey
  const value = parameter(slot, type)
  const condition = { kind: 'compare', operator: '=', place: { of: 'h', name, type }, value } as const
  return changesWhere(asked, place, 'history', condition, limits.rows.all)
}

/** Changes of all records behind one of them. */
export function changes(asked: Asked, operation: Operation & { kind: 'changes' }): Steps {
  const place = asked.places.of(operation.entity)
  const { columns } = historyOf(place)
  const after = readInteger(operation.after, 64)
  if (after === null || after < 0n) throw new PlanFault('invalid', faults.sequence)
  if (!isPageSize(operation.limit)) throw new PlanFault('invalid', faults.limit)
  const slot = asked.checker.keep({ kind: 'number', value: String(after) })
  const { name, type } = columns.sequence
  const value = parameter(slot, type)
  const condition = { kind: 'compare', operator: '>', place: { of: 'h', name, type }, value } as const
  return changesWhere(asked, place, 'changes', condition, operation.limit)
}

function historyOf({ entity, table }: Place): InstanceHistory {
  if (!table.history) throw new PlanFault('notFound', faults.noHistory(entity.name))
  return table.history
}

const read = ['sequence', 'operation', 'recordKey', 'before', 'after', 'changedBy', 'changedAt'] as const

function* changesWhere(asked: Asked, place: Place, shape: string, condition: Condition, limit: number): Steps {
  const { checker } = asked
  const table = historyOf(place)
  const limitSlot = checker.keep({ kind: 'number', value: String(limit) })
  const at = ({ name, type }: InstanceColumn) => ({ of: 'h', name, type })
  const { tenant, columns } = table
  const ofTenant: Condition[] = tenant
    ? [{ kind: 'compare', operator: '=', place: at(tenant), value: parameter(tenantSlot, tenant.type) }]
    : []
  const build = () =>
    selecting({
      columns: read.map(name => ({ kind: 'read', place: at(columns[name]) }) as const),
      from: { table: table.name, alias: 'h' },
      where: [condition, ...ofTenant],
      orderBy: [{ place: at(columns.sequence), descending: false, nullable: false }],
      page: { limit: parameter(limitSlot, { kind: 'integer', bits: 64 }), offset: null },
    })
  const rows = yield statement(asked, `${shape} ${place.index}`, build, checker.values)
  const records = rows.map(row => changeOf(row, place))
  return { kind: 'list', records, total: records.length, totalNotFiltered: records.length }
}

const kinds: Readonly<Record<HistoryColumn, 'integer' | 'text' | 'timestamp'>> = {
  sequence: 'integer',
  operation: 'text',
  recordKey: 'text',
  before: 'text',
  after: 'text',
  changedBy: 'text',
  changedAt: 'timestamp',
}

/** `sequence`, `operation`, `key`, `before`, `after`, `changedBy`, `changedAt`. */
function changeOf(row: readonly unknown[], { key }: Place): WireRecord {
  const record: Record<string, WireValue> = {}
  for (const [index, name] of read.entries()) {
    const kind = kinds[name]
    const value = wireOf(kind === 'integer' ? { kind, bits: 64 } : { kind }, row[index])
    if (name === 'before' || name === 'after') put(record, name, typeof value === 'string' ? JSON.parse(value) : null)
    else if (name === 'recordKey') put(record, 'key', key ? wireOf(key.type, value) : null)
    else put(record, name, value)
  }
  return record
}
