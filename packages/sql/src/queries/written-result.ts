import type {
  Operation,
  OperationResult,
  Selection,
  WireRecord,
  WireValue,
  WrittenResult,
} from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'

/** A result as it is answered where no database wrote it. */
export function writtenResult(operation: Operation, result: OperationResult): WrittenResult {
  const select =
    'select' in operation
      ? operation.select
      : 'layout' in operation
        ? { fields: null, relations: [], layout: operation.layout }
        : null
  if (result.kind === 'record') return { kind: 'record', record: JSON.stringify(laidOut(result.record, select)) }
  if (result.kind === 'done') return result
  return { ...result, records: JSON.stringify(result.records.map(record => laidOut(record, select))) }
}

function laidOut(record: WireRecord, select: Selection | null): WireRecord {
  if (select === null || !hasLayout(select)) return record
  const { layout, relations } = select
  const members = layout ?? Object.keys(record).map(name => ({ as: name, member: name }))
  return Object.fromEntries(
    members.map(one => {
      if ('text' in one) return [one.as, one.text]
      const below = relations.find(({ name }) => name === one.member)
      const value = record[one.member] ?? null
      return [one.as, below ? related(value, below.select) : value]
    }),
  )
}

function related(value: WireValue, select: Selection): WireValue {
  if (Array.isArray(value)) return value.map(one => related(one, select))
  return isWireRecord(value) ? laidOut(value, select) : value
}

function isWireRecord(value: WireValue): value is WireRecord {
  return isRecord(value)
}

function hasLayout({ layout, relations }: Selection): boolean {
  return layout !== undefined || relations.some(({ select }) => hasLayout(select))
}
