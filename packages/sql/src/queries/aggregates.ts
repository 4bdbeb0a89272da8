import type { Operation, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import { readDecimal, writeDecimal } from '@cadmus/model/values/number'
import type { AggregateType } from '@cadmus/model/configuration'
import { statement, type Asked } from './context.ts'
import { faults } from './faults.ts'
import { fieldOf, type Field } from './fields.ts'
import { PlanFault, type Steps } from './plan.ts'
import { put } from './records.ts'
import { columnOf, filterConditions, parameter, read, sorting, tenantCondition } from './selects.ts'
import { selecting, type Expression, type Summary } from './tree.ts'
import { wireOf } from './values.ts'

/** Digits behind the point of an exact average, where its field has no more. */
const averageScale = 10

type Column = { readonly field: Field; readonly type: AggregateType; readonly alias: string }

/** An aggregate query: a record for each group, in the order of the groups. */
export function* aggregate(asked: Asked, operation: Operation & { kind: 'aggregate' }): Steps {
  const { checker, places } = asked
  const place = places.of(operation.entity)
  const index = place.entity.aggregates.findIndex(({ name }) => name === operation.query)
  const query = place.entity.aggregates[index]
  if (!query) throw new PlanFault('notFound', faults.noQuery(operation.query))
  checker.say('aggregate', place.index, index)
  const filters = checker.filters(place, operation.filters)
  const limit = checker.keep({ kind: 'number', value: String(limits.rows.all) })
  const columns: Column[] = query.columns.map(column => ({ ...column, field: fieldOf(place, column.field) }))
  const groups = columns.filter(({ type }) => type === 'GROUPBY').map(({ field }) => field)
  const build = () =>
    selecting({
      columns: columns.flatMap(column => expressionsOf(column)),
      from: { table: place.table.name, alias: 't1' },
      where: [...filterConditions(filters, 't1'), ...tenantCondition(place, 't1')],
      groupBy: groups.map(field => columnOf(field, 't1')),
      orderBy: groups.map(field => sorting(field, false, 't1')),
      page: groups.length === 0 ? null : { limit: parameter(limit, { kind: 'integer', bits: 64 }), offset: null },
    })
  const rows = yield statement(asked, checker.shape, build, checker.values)
  const records = rows.map(row => recordOf(columns, row))
  return { kind: 'list', records, total: records.length, totalNotFiltered: records.length }
}

/** An average of exact numbers is their sum and how many they are. */
function expressionsOf({ field, type }: Column): Expression[] {
  const summary = (name: Summary): Expression => ({ kind: 'summary', name, place: columnOf(field, 't1') })
  if (type === 'GROUPBY') return [read(field, 't1')]
  return isExactAverage({ field, type }) ? [summary('SUM'), summary('COUNT')] : [summary(type)]
}

function isExactAverage({ field, type }: Pick<Column, 'field' | 'type'>): boolean {
  return type === 'AVG' && field.type.kind !== 'double'
}

function recordOf(columns: readonly Column[], row: readonly unknown[]): WireRecord {
  const record: Record<string, WireValue> = {}
  let at = 0
  for (const column of columns) {
    put(record, column.alias, valueOf(column, row.slice(at, at + 2)))
    at += isExactAverage(column) ? 2 : 1
  }
  return record
}

function valueOf(column: Column, [raw, count]: readonly unknown[]): WireValue {
  const { field, type } = column
  if (isExactAverage(column)) return averageOf(raw, Number(count ?? 0), field)
  if (type === 'COUNT') return wireOf({ kind: 'integer', bits: 64 }, raw ?? 0)
  if (type === 'SUM' && field.type.kind === 'integer') {
    return raw === null || raw === undefined ? null : wireOf({ kind: 'integer', bits: 64 }, wholeOf(String(raw)))
  }
  return wireOf(field.type, raw)
}

/** A whole number without a point that a database may write behind it. */
function wholeOf(text: string): string {
  const number = readDecimal(text)
  return number ? writeDecimal(number) : text
}

/** Rounded to so many digits behind the point, halves away from zero. */
function averageOf(sum: unknown, count: number, { type }: Field): string | null {
  const number = sum === null || sum === undefined ? null : readDecimal(String(sum))
  if (!number || count === 0) return null
  const scale = Math.max(averageScale, number.fraction.length, type.kind === 'decimal' ? type.scale : 0)
  const digits = BigInt(`${number.whole}${number.fraction.padEnd(scale, '0')}0`)
  const divided = (digits / BigInt(count) + 5n) / 10n
  const text = String(divided).padStart(scale + 1, '0')
  const read = readDecimal(`${number.negative ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`)
  return read ? writeDecimal(read) : null
}
