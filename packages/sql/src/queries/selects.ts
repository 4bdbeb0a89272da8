import type { Caller, LayoutMember } from '@cadmus/model/api/operation'
import type { ColumnType } from '../tree.ts'
import { comparedScale } from './dialect.ts'
import type { Field, EntityMapping } from './fields.ts'
import type { CheckedFilter, FieldPair, ListReading, Reading, RelatedReading } from './reading.ts'
import {
  newSelect,
  type Condition,
  type Expression,
  type Operator,
  type Parameter,
  type ColumnReference as Column,
  type Select,
  type Sorting,
} from './tree.ts'

/** The slot of the caller's tenant, if there are tenants. */
export const tenantSlot = 0

const anyText: ColumnType = { kind: 'text' }
const count: ColumnType = { kind: 'integer', bits: 64 }

/** Builds the queries of reads, numbering the aliases in order. */
export class SelectBuilder {
  #aliases = 0

  alias(): string {
    this.#aliases += 1
    return `t${this.#aliases}`
  }

  /** The records of a list; `conditions` apply to the alias. */
  list(reading: Reading, list: ListReading, alias: string, conditions: readonly Condition[], nested: boolean): Select {
    return this.#listOf(reading, list, alias, conditions, this.columns(reading, alias, nested))
  }

  /** Like `list`, with records as JSON objects. */
  writtenList(reading: Reading, list: ListReading, alias: string, conditions: readonly Condition[]): Expression {
    const { columns, names } = this.members(reading, alias)
    return { kind: 'objects', names, select: this.#listOf(reading, list, alias, conditions, columns) }
  }

  #listOf(
    { mapping }: Reading,
    list: ListReading,
    alias: string,
    conditions: readonly Condition[],
    columns: readonly Expression[],
  ): Select {
    return newSelect({
      columns,
      from: { table: mapping.table.name, alias },
      where: [...conditions, ...tenantCondition(mapping, alias), ...listConditions(mapping, list, alias)],
      orderBy: list.sort.map(({ field, descending }) => sorting(field, descending, alias)),
      page: {
        limit: parameter(list.limit, count),
        offset: list.offset === null ? null : parameter(list.offset, count),
      },
    })
  }

  /** `nested`: adds related records as JSON. */
  columns(reading: Reading, alias: string, nested: boolean): Expression[] {
    const own = reading.fields.map(field => read(field, alias))
    return nested ? [...own, ...reading.relations.map(one => this.#related(one, alias))] : own
  }

  /** The members of written records, by their layout. */
  members(reading: Reading, alias: string): { columns: Expression[]; names: string[] } {
    const layout =
      reading.layout ?? [...reading.fields, ...reading.relations].map(({ name }) => ({ as: name, member: name }))
    return { columns: layout.map(one => this.#member(reading, one, alias)), names: layout.map(one => one.as) }
  }

  #member({ fields, relations }: Reading, member: LayoutMember, alias: string): Expression {
    if ('text' in member) return { kind: 'constant', text: member.text }
    const field = fields.find(({ name }) => name === member.member)
    if (field) return { kind: 'wire', ref: columnOf(field, alias) }
    const relation = relations.find(({ name }) => name === member.member)
    if (!relation) throw new RangeError(`The selection has no '${member.member.slice(0, 120)}'.`)
    return this.#written(relation, alias)
  }

  #written({ pairs, reading, list }: RelatedReading, outer: string): Expression {
    const alias = this.alias()
    const same = sameValues(pairs, alias, outer)
    const { columns, names } = this.members(reading, alias)
    const where = [...same, ...tenantCondition(reading.mapping, alias)]
    if (!list)
      return {
        kind: 'object',
        names,
        select: newSelect({ columns, from: { table: reading.mapping.table.name, alias }, where }),
      }
    return { kind: 'objects', names, select: this.#listOf(reading, list, alias, same, columns) }
  }

  #related({ kind, pairs, reading, list }: RelatedReading, outer: string): Expression {
    const alias = this.alias()
    const same = sameValues(pairs, alias, outer)
    if (list) return { kind: 'rows', select: this.list(reading, list, alias, same, true) }
    const select = newSelect({
      columns: this.columns(reading, alias, true),
      from: { table: reading.mapping.table.name, alias },
      where: [...same, ...tenantCondition(reading.mapping, alias)],
    })
    return { kind: kind === 'toOne' ? 'row' : 'rows', select }
  }
}

/** Whether the records of the alias are related to that of the outer one. */
export function sameValues(pairs: readonly FieldPair[], alias: string, outer: string): Condition[] {
  return pairs.map(({ field, otherField }) => {
    return { kind: 'same', ref: columnOf(otherField, alias), other: columnOf(field, outer) }
  })
}

/** Counts the records that satisfy the conditions. */
export function countRecords(mapping: EntityMapping, alias: string, conditions: readonly Condition[]): Select {
  return newSelect({
    columns: [{ kind: 'countAll' }],
    from: { table: mapping.table.name, alias },
    where: [...conditions, ...tenantCondition(mapping, alias)],
  })
}

/** A field with the slot of a value for it. */
export type FieldSlot = { readonly field: Field; readonly slot: number }

/** Selects 1 if a record has the values in the fields. */
export function selectExisting(mapping: EntityMapping, slots: readonly FieldSlot[], alias: string): Select {
  return recordWith(mapping, slots, [{ kind: 'one' }], alias)
}

/** The columns of the records that have the values in the fields. */
export function recordWith(
  mapping: EntityMapping,
  slots: readonly FieldSlot[],
  columns: readonly Expression[],
  alias = 't0',
): Select {
  return newSelect({
    columns,
    from: { table: mapping.table.name, alias },
    where: [...equal(slots, alias), ...tenantCondition(mapping, alias)],
  })
}

export function equal(slots: readonly FieldSlot[], alias: string): Condition[] {
  return slots.map(({ field, slot }) => ({
    kind: 'compare',
    operator: '=',
    ref: columnOf(field, alias),
    value: parameter(slot, field.column.type),
  }))
}

export function tenantCondition({ table }: EntityMapping, alias: string): Condition[] {
  if (!table.tenant) return []
  const { name, type } = table.tenant
  return [{ kind: 'compare', operator: '=', ref: { of: alias, name, type }, value: parameter(tenantSlot, type) }]
}

export function listConditions(mapping: EntityMapping, { filters, search }: ListReading, alias: string): Condition[] {
  const texts = mapping.fields.filter(({ type }) => type.kind === 'text')
  const searched: Condition[] =
    search === null
      ? []
      : [
          {
            kind: 'search',
            refs: texts.map(field => columnOf(field, alias)),
            value: parameter(search, anyText),
          },
        ]
  return [...filterConditions(filters, alias), ...searched]
}

export function filterConditions(filters: readonly CheckedFilter[], alias: string): Condition[] {
  return filters.map(filter => filterCondition(filter, alias))
}

const operators: Record<'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte', Operator> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

function filterCondition(filter: CheckedFilter, alias: string): Condition {
  const ref = columnOf(filter.field, alias)
  // The compared value may exceed the column's length or precision.
  const type = comparedType(ref.type)
  switch (filter.comparison) {
    case 'null':
      return { kind: 'null', ref, isNull: filter.isNull }
    case 'in':
      if (filter.slots.length === 0) return { kind: 'never' }
      return { kind: 'in', ref, values: filter.slots.map(slot => parameter(slot, type)) }
    case 'like':
      return { kind: 'like', ref, value: parameter(filter.slot, type) }
    default:
      return {
        kind: 'compare',
        operator: operators[filter.comparison],
        ref,
        value: parameter(filter.slot, type),
      }
  }
}

/** Widens a decimal so that a compared number is not rounded. */
function comparedType(type: ColumnType): ColumnType {
  if (type.kind !== 'decimal' || type.precision === null) return type
  const { precision, scale } = type
  const wide = widenedTypes.get(type) ?? {
    kind: 'decimal',
    precision: precision - scale + comparedScale,
    scale: comparedScale,
  }
  widenedTypes.set(type, wide)
  return wide
}

/** One type per column, so that a placeholder can be shared. */
const widenedTypes = new WeakMap<ColumnType, ColumnType>()

export function sorting(field: Field, descending: boolean, alias: string): Sorting {
  return { ref: columnOf(field, alias), descending, nullable: field.nullable }
}

export function read(field: Field, alias: string): Expression {
  return { kind: 'read', ref: columnOf(field, alias) }
}

export function columnOf({ column }: Field, alias: string): Column {
  return { of: alias, name: column.name, type: column.type }
}

export function parameter(slot: number, type: ColumnType): Parameter {
  return { kind: 'parameter', slot, type }
}

export function hasTenant(caller: Caller): caller is Caller & { tenant: string } {
  return caller.tenant !== null && caller.tenant !== ''
}
