import type { Operation, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import { readDecimal, writeDecimal } from '@cadmus/model/values/number'
import type { AggregateType } from '@cadmus/model/configuration'
import { statement, type Query } from './context.ts'
import { faults } from './faults.ts'
import { fieldOf, type Field } from './fields.ts'
import { PlanFault, type Steps } from './plan.ts'
import { put } from './records.ts'
import { columnOf, filterConditions, parameter, read, sorting, tenantCondition } from './selects.ts'
import { newSelect, type Expression, type Summary } from './tree.ts'
import { wireOf } from './values.ts'

/** Decimal places of an exact average whose field has fewer. */
const averageScale = 10

type Column = { readonly field: Field; readonly type: AggregateType; readonly alias: string }

/** Runs an aggregate query: one record per group, ordered by the groups. */
export function* aggregate(query: Query, operation: Operation & { kind: 'aggregate' }): Steps {
  const { checker, mappings } = query
  const mapping = mappings.of(operation.entity)
  const index = mapping.entity.aggregates.findIndex(({ name }) => name === operation.query)
  const definition = mapping.entity.aggregates[index]
  if (!definition) throw new PlanFault('notFound', faults.noQuery(operation.query))
  checker.addToShape('aggregate', mapping.index, index)
  const filters = checker.filters(mapping, operation.filters)
  const limit = checker.addValue({ kind: 'number', value: String(limits.rows.all) })
  const columns: Column[] = definition.columns.map(column => ({ ...column, field: fieldOf(mapping, column.field) }))
  const groups = columns.filter(({ type }) => type === 'GROUPBY').map(({ field }) => field)
  const build = () =>
    newSelect({
      columns: columns.flatMap(column => expressionsOf(column)),
      from: { table: mapping.table.name, alias: 't1' },
      where: [...filterConditions(filters, 't1'), ...tenantCondition(mapping, 't1')],
      groupBy: groups.map(field => columnOf(field, 't1')),
      orderBy: groups.map(field => sorting(field, false, 't1')),
      page: groups.length === 0 ? null : { limit: parameter(limit, { kind: 'integer', bits: 64 }), offset: null },
    })
  const rows = yield statement(query, checker.shape, build, checker.values)
  const records = rows.map(row => recordOf(columns, row))
  return { kind: 'list', records, total: records.length, totalNotFiltered: records.length }
}

/** An exact average is computed from the sum and the count, as databases would round it differently. */
function expressionsOf({ field, type }: Column): Expression[] {
  const summary = (name: Summary): Expression => ({ kind: 'summary', name, ref: columnOf(field, 't1') })
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
    return raw === null || raw === undefined ? null : wireOf({ kind: 'integer', bits: 64 }, integerText(String(raw)))
  }
  // Sums and averages of numbers of single precision have double precision.
  return wireOf(
    field.type.kind === 'double' && (type === 'SUM' || type === 'AVG') ? { kind: 'double' } : field.type,
    raw,
  )
}

/** Removes the decimal point that some databases append to an integer. */
function integerText(text: string): string {
  const number = readDecimal(text)
  return number ? writeDecimal(number) : text
}

/** Rounds half away from zero to at least `averageScale` decimal places. */
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
