import type { ApiFieldType } from '@cadmus/model/api/api'
import type {
  Caller,
  Filter,
  Listing,
  Operation,
  OperationFault,
  OperationResult,
  Selection,
  WireKey,
  WireRecord,
  WireValue,
} from '@cadmus/model/api/operation'
import { compare, entityOf, isSame, type Naive, type NaiveEntity, type Row, wireInteger } from './state.ts'

export type Outcome = OperationResult | { readonly fault: OperationFault }

export function evaluateRead(naive: Naive, operation: Operation, { tenant }: Caller): Outcome {
  const entity = entityOf(naive, operation.entity)
  const own = entity.rows.filter(row => row.tenant === tenant)
  switch (operation.kind) {
    case 'selectAll':
      return listOf(naive, entity, own, operation, operation.select)
    case 'select': {
      const row = own.find(one => hasKey(entity, one, operation.key))
      return row ? { kind: 'record', record: recordOf(naive, entity, row, operation.select) } : missing(entity)
    }
    case 'related':
      return related(naive, entity, own, operation)
    case 'aggregate':
      return aggregateOf(naive, entity, own, operation)
    case 'history':
    case 'changes':
      return changesOf(entity, operation, tenant)
    default:
      throw new RangeError(operation.kind)
  }
}

export function missing({ api }: NaiveEntity): Outcome {
  return { fault: { kind: 'notFound', message: `'${api.name}' record not found.` } }
}

export function hasKey({ api }: NaiveEntity, { values }: Row, key: WireKey): boolean {
  return (
    api.key.length > 0 && api.key.every(({ type, name }, at) => isSame(type, values[name] ?? null, key[at] ?? null))
  )
}

export function recordOf(naive: Naive, entity: NaiveEntity, row: Row, select: Selection): WireRecord {
  const names = select.fields ?? entity.fields.map(({ name }) => name)
  const fields = names.map(name => [name, row.values[name] ?? null])
  const relations = select.relations.map(({ name, select: inner, listing }) => {
    const relation = entity.api.relations.find(one => one.name === name)
    if (!relation) throw new RangeError(name)
    const other = entityOf(naive, relation.entity)
    const rows = relatedRows(naive, entity, row, name)
    if (relation.kind === 'toOne') return [name, rows[0] ? recordOf(naive, other, rows[0], inner) : null]
    const list = listing ?? { filters: [], search: '', sort: [], limit: 1000, offset: 0 }
    const page = pageOf(naive, other, rows, list, 1000)
    return [name, page.map(one => recordOf(naive, other, one, inner))]
  })
  return Object.fromEntries([...fields, ...relations])
}

function relatedRows(naive: Naive, entity: NaiveEntity, row: Row, name: string): Row[] {
  const relation = entity.api.relations.find(one => one.name === name)
  if (!relation) throw new RangeError(name)
  const other = entityOf(naive, relation.entity)
  const isRelated = (one: Row) =>
    relation.pairs.every(({ field, otherField }) => {
      const type = other.fields.find(({ name: own }) => own === otherField)?.type ?? { kind: 'text' }
      return isSame(type, one.values[otherField] ?? null, row.values[field] ?? null)
    })
  return other.rows.filter(one => one.tenant === row.tenant && isRelated(one))
}

function related(naive: Naive, entity: NaiveEntity, own: Row[], operation: Operation & { kind: 'related' }): Outcome {
  const row = own.find(one => hasKey(entity, one, operation.key))
  if (!row) return missing(entity)
  const relation = entity.api.relations.find(({ name }) => name === operation.relation)
  if (!relation) throw new RangeError(operation.relation)
  const other = entityOf(naive, relation.entity)
  const rows = relatedRows(naive, entity, row, operation.relation)
  if (relation.kind === 'toMany') return listOf(naive, other, rows, operation, operation.select)
  return rows[0] ? { kind: 'record', record: recordOf(naive, other, rows[0], operation.select) } : missing(other)
}

function listOf(naive: Naive, entity: NaiveEntity, rows: Row[], listing: Listing, select: Selection): Outcome {
  const page = pageOf(naive, entity, rows, listing, null)
  return {
    kind: 'list',
    records: page.map(row => recordOf(naive, entity, row, select)),
    total: matching(naive, entity, rows, listing).length,
    totalNotFiltered: rows.length,
  }
}

function matching(naive: Naive, entity: NaiveEntity, rows: Row[], { filters, search }: Listing): Row[] {
  const texts = entity.fields.filter(({ type }) => type.kind === 'text')
  const contains = (row: Row) =>
    texts.some(({ name }) => {
      const value = row.values[name]
      return typeof value === 'string' && value.toLowerCase().includes(search.toLowerCase())
    })
  const selected = rows.filter(row => filters.every(filter => passes(naive, entity, row, filter)))
  return search === '' ? selected : selected.filter(contains)
}

function pageOf(naive: Naive, entity: NaiveEntity, rows: Row[], listing: Listing, nested: number | null): Row[] {
  const selected = matching(naive, entity, rows, listing).toSorted((a, b) => compareRows(naive, entity, listing, a, b))
  if (!naive.api.options.limitOffset) return selected.slice(0, nested ?? 10_000)
  return selected.slice(listing.offset, listing.offset + (listing.limit ?? nested ?? 20))
}

function compareRows(naive: Naive, { api, fields }: NaiveEntity, { sort }: Listing, a: Row, b: Row): number {
  const last = (api.key.length > 0 ? api.key : fields.filter(isOrdered)).map(({ name }) => name)
  for (const { field, descending } of [...sort, ...last.map(name => ({ field: name, descending: false }))]) {
    const type = fields.find(({ name }) => name === field)?.type ?? { kind: 'text' }
    const order = compareNullsLast(type, a.values[field] ?? null, b.values[field] ?? null, naive.byUnits)
    if (order !== 0) return descending ? -order : order
  }
  return 0
}

function compareNullsLast(type: ApiFieldType, a: WireValue, b: WireValue, byUnits: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compare(type, a, b, byUnits)
}

export function isOrdered({ type }: { type: ApiFieldType }): boolean {
  return type.kind !== 'json' && type.kind !== 'binary'
}

function passes(naive: Naive, { fields }: NaiveEntity, { values }: Row, { field, comparison, value }: Filter): boolean {
  const stored = values[field] ?? null
  if (comparison === 'null') return (stored === null) === (value === true)
  const type = fields.find(({ name }) => name === field)?.type ?? { kind: 'text' }
  if (stored === null) return false
  if (comparison === 'in') return Array.isArray(value) && value.some(one => isSame(type, stored, one))
  if (comparison === 'like') return matches(String(stored), String(value))
  const order = compare(type, stored, value, naive.byUnits)
  const outcomes = { eq: order === 0, ne: order !== 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }
  return outcomes[comparison]
}

/** % matches any text, _ any character. */
function matches(text: string, pattern: string): boolean {
  const source = Array.from(pattern, sign => (sign === '%' ? '[^]*' : sign === '_' ? '[^]' : RegExp.escape(sign))).join(
    '',
  )
  return new RegExp(`^${source}$`, 'u').test(text)
}

function aggregateOf(
  naive: Naive,
  entity: NaiveEntity,
  own: Row[],
  operation: Operation & { kind: 'aggregate' },
): Outcome {
  const query = entity.api.aggregates.find(({ name }) => name === operation.query)
  if (!query) throw new RangeError(operation.query)
  const rows = own.filter(row => operation.filters.every(filter => passes(naive, entity, row, filter)))
  const groupFields = query.columns.filter(({ type }) => type === 'GROUPBY').map(({ field }) => field)
  const groups = new Map<string, Row[]>(groupFields.length === 0 ? [['', rows]] : [])
  if (groupFields.length > 0) {
    for (const row of rows) {
      const name = JSON.stringify(groupFields.map(field => row.values[field] ?? null))
      groups.set(name, [...(groups.get(name) ?? []), row])
    }
  }
  const listing = {
    filters: [],
    search: '',
    sort: groupFields.map(field => ({ field, descending: false })),
    limit: null,
    offset: 0,
  }
  const sorted = [...groups.values()].toSorted(([a], [b]) => (a && b ? compareRows(naive, entity, listing, a, b) : 0))
  const records = sorted.map(group =>
    Object.fromEntries(
      query.columns.map(({ field, type, alias }) => [alias, summary(naive, entity, group, field, type)]),
    ),
  )
  return { kind: 'list', records, total: records.length, totalNotFiltered: records.length }
}

function summary(naive: Naive, entity: NaiveEntity, group: Row[], field: string, kind: string): WireValue {
  const type = entity.fields.find(({ name }) => name === field)?.type ?? { kind: 'text' }
  const values = group.map(({ values: stored }) => stored[field] ?? null).filter(value => value !== null)
  if (kind === 'COUNT') return values.length
  if (kind === 'GROUPBY') return group[0]?.values[field] ?? null
  const sorted = values.toSorted((a, b) => compare(type, a, b, naive.byUnits))
  if (kind === 'MIN') return sorted[0] ?? null
  if (kind === 'MAX') return sorted.at(-1) ?? null
  return values.length === 0 ? null : exact(values.map(String), kind === 'AVG' ? values.length : 1, type)
}

/** Sums with 1,100 decimal places; an average has as many as its sum or its field, at least 10. */
function exact(texts: readonly string[], count: number, type: ApiFieldType): WireValue {
  const digits = 1100
  const numbers = texts.map(text => {
    const [whole = '0', fraction = ''] = text.split('.')
    return BigInt(`${whole}${fraction.padEnd(digits, '0')}`)
  })
  const sum = numbers.reduce((a, b) => a + b, 0n)
  const of = (value: bigint, scale: number) => {
    const unit = 10n ** BigInt(digits - scale)
    const size = value < 0n ? -value : value
    const rounded = (size + unit / 2n) / unit
    const text = String(rounded).padStart(scale + 1, '0')
    const fraction = text.slice(text.length - scale).replace(/0+$/, '')
    const whole = `${value < 0n && rounded > 0n ? '-' : ''}${text.slice(0, text.length - scale)}`
    return scale === 0 || fraction === '' ? whole : `${whole}.${fraction}`
  }
  const total = of(sum, digits - 1)
  if (count === 1 && type.kind === 'integer') return wireInteger(BigInt(total))
  if (count === 1) return total
  const scale = Math.max(10, total.split('.')[1]?.length ?? 0, type.kind === 'decimal' ? type.scale : 0)
  return of(sum / BigInt(count), scale)
}

function changesOf(
  entity: NaiveEntity,
  operation: Operation & { kind: 'history' | 'changes' },
  tenant: string | null,
): Outcome {
  const numbered = entity.history.map((change, index) => ({ change, sequence: index + 1 }))
  const selected = numbered.filter(({ change, sequence }) => {
    if (change.tenant !== tenant) return false
    if (operation.kind === 'changes') return sequence > Number(operation.after)
    const { key } = entity.api
    return (
      key.length > 0 && key.every(({ type }, at) => isSame(type, change.key[at] ?? null, operation.key[at] ?? null))
    )
  })
  const list = operation.kind === 'changes' ? selected.slice(0, operation.limit) : selected
  const records = list.map(({ change: { by, operation: kind, key, before, after } }) => {
    return { operation: kind, key: key.length < 2 ? (key[0] ?? null) : key, before, after, changedBy: by }
  })
  return { kind: 'list', records, total: records.length, totalNotFiltered: records.length }
}
