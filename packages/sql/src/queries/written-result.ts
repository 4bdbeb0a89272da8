import type {
  Operation,
  OperationResult,
  Selection,
  WireRecord,
  WireValue,
  WrittenResult,
} from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import { joined, jsonPieces, listed, type TextPieces } from '@cadmus/model/text-pieces'

/** The result as JSON, for databases that do not write it themselves. */
export function writtenResult(operation: Operation, result: OperationResult): WrittenResult {
  const layout = 'layout' in operation ? { fields: null, relations: [], layout: operation.layout } : null
  const select = ('select' in operation ? operation.select : undefined) ?? layout
  if (result.kind === 'record') return { kind: 'record', record: recordJson(result.record, select) }
  if (result.kind === 'done') return result
  return { ...result, records: listJson(result.records, select) }
}

/** Only related records can be large enough to be split. */
function recordJson(record: WireRecord, select: Selection | null): TextPieces {
  const written = applyLayout(record, select)
  return select === null || select.relations.length === 0 ? JSON.stringify(written) : jsonPieces(written)
}

/** One record at a time, as all together may be large. */
function listJson(records: readonly WireRecord[], select: Selection | null): TextPieces {
  const members = listed(records, (record, at) => joined(at === 0 ? '' : ',', recordJson(record, select)))
  return joined('[', members, ']')
}

function applyLayout(record: WireRecord, select: Selection | null): WireRecord {
  if (select === null || !hasLayout(select)) return record
  const { layout, relations } = select
  const members = layout ?? Object.keys(record).map(name => ({ as: name, member: name }))
  return Object.fromEntries(
    members.map(one => {
      if ('text' in one) return [one.as, one.text]
      const relation = relations.find(({ name }) => name === one.member)
      const value = record[one.member] ?? null
      return [one.as, relation ? related(value, relation.select) : value]
    }),
  )
}

function related(value: WireValue, select: Selection): WireValue {
  if (Array.isArray(value)) return value.map(one => related(one, select))
  return isWireRecord(value) ? applyLayout(value, select) : value
}

function isWireRecord(value: WireValue): value is WireRecord {
  return isRecord(value)
}

function hasLayout({ layout, relations }: Selection): boolean {
  return layout !== undefined || relations.some(({ select }) => hasLayout(select))
}
