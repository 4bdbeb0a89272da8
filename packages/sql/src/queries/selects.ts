import type { Caller, LayoutMember } from '@cadmus/model/api/operation'
import type { ColumnType } from '../tree.ts'
import { comparedScale } from './dialect.ts'
import type { Field, Place } from './fields.ts'
import type { CheckedFilter, ListReading, Reading, RelatedReading } from './reading.ts'
import {
  selecting,
  type Condition,
  type Expression,
  type Operator,
  type Parameter,
  type Place as Column,
  type Select,
  type Sorting,
} from './tree.ts'

/** The slot of the caller's tenant, where there are any: the first of all. */
export const tenantSlot = 0

const anyText: ColumnType = { kind: 'text' }
const count: ColumnType = { kind: 'integer', bits: 64 }

/** Builds the queries of reads; aliases are given in the order of building. */
export class SelectBuilder {
  #aliases = 0

  alias(): string {
    this.#aliases += 1
    return `t${this.#aliases}`
  }

  /** The records of a list; `conditions` are about the alias. */
  list(reading: Reading, list: ListReading, alias: string, conditions: readonly Condition[], nested: boolean): Select {
    return this.#listOf(reading, list, alias, conditions, this.columns(reading, alias, nested))
  }

  /** The same as objects. */
  writtenList(reading: Reading, list: ListReading, alias: string, conditions: readonly Condition[]): Expression {
    const { columns, names } = this.members(reading, alias)
    return { kind: 'objects', names, select: this.#listOf(reading, list, alias, conditions, columns) }
  }

  #listOf(
    { place }: Reading,
    list: ListReading,
    alias: string,
    conditions: readonly Condition[],
    columns: readonly Expression[],
  ): Select {
    return selecting({
      columns,
      from: { table: place.table.name, alias },
      where: [...conditions, ...tenantCondition(place, alias), ...listConditions(place, list, alias)],
      orderBy: list.sort.map(({ field, descending }) => sorting(field, descending, alias)),
      page: {
        limit: parameter(list.limit, count),
        offset: list.offset === null ? null : parameter(list.offset, count),
      },
    })
  }

  /** `nested`: related records as JSON beside the fields. */
  columns(reading: Reading, alias: string, nested: boolean): Expression[] {
    const own = reading.fields.map(field => read(field, alias))
    return nested ? [...own, ...reading.relations.map(one => this.#related(one, alias))] : own
  }

  /** The members of records that are written, in their layout. */
  members(reading: Reading, alias: string): { columns: Expression[]; names: string[] } {
    const layout =
      reading.layout ?? [...reading.fields, ...reading.relations].map(({ name }) => ({ as: name, member: name }))
    return { columns: layout.map(one => this.#member(reading, one, alias)), names: layout.map(one => one.as) }
  }

  #member({ fields, relations }: Reading, member: LayoutMember, alias: string): Expression {
    if ('text' in member) return { kind: 'constant', text: member.text }
    const field = fields.find(({ name }) => name === member.member)
    if (field) return { kind: 'wire', place: columnOf(field, alias) }
    const relation = relations.find(({ name }) => name === member.member)
    if (!relation) throw new RangeError(`What is written has no '${member.member.slice(0, 120)}'.`)
    return this.#written(relation, alias)
  }

  #written({ field, otherField, reading, list }: RelatedReading, outer: string): Expression {
    const alias = this.alias()
    const same: Condition = { kind: 'same', place: columnOf(otherField, alias), other: columnOf(field, outer) }
    const { columns, names } = this.members(reading, alias)
    const where = [same, ...tenantCondition(reading.place, alias)]
    if (!list)
      return {
        kind: 'object',
        names,
        select: selecting({ columns, from: { table: reading.place.table.name, alias }, where }),
      }
    return { kind: 'objects', names, select: this.#listOf(reading, list, alias, [same], columns) }
  }

  #related({ kind, field, otherField, reading, list }: RelatedReading, outer: string): Expression {
    const alias = this.alias()
    const same: Condition = { kind: 'same', place: columnOf(otherField, alias), other: columnOf(field, outer) }
    if (list) return { kind: 'rows', select: this.list(reading, list, alias, [same], true) }
    const select = selecting({
      columns: this.columns(reading, alias, true),
      from: { table: reading.place.table.name, alias },
      where: [same, ...tenantCondition(reading.place, alias)],
    })
    return { kind: kind === 'toOne' ? 'row' : 'rows', select }
  }
}

/** How many records there are that the conditions leave. */
export function counting(place: Place, alias: string, conditions: readonly Condition[]): Select {
  return selecting({
    columns: [{ kind: 'countAll' }],
    from: { table: place.table.name, alias },
    where: [...conditions, ...tenantCondition(place, alias)],
  })
}

/** 1 where there is a record whose field has the value. */
export function existing(place: Place, field: Field, slot: number, alias: string): Select {
  return selecting({
    columns: [{ kind: 'one' }],
    from: { table: place.table.name, alias },
    where: [equal(field, slot, alias), ...tenantCondition(place, alias)],
  })
}

export function equal(field: Field, slot: number, alias: string): Condition {
  return { kind: 'compare', operator: '=', place: columnOf(field, alias), value: parameter(slot, field.column.type) }
}

export function tenantCondition({ table }: Place, alias: string): Condition[] {
  if (!table.tenant) return []
  const { name, type } = table.tenant
  return [{ kind: 'compare', operator: '=', place: { of: alias, name, type }, value: parameter(tenantSlot, type) }]
}

export function listConditions(place: Place, { filters, search }: ListReading, alias: string): Condition[] {
  const texts = place.fields.filter(({ type }) => type.kind === 'text')
  const searched: Condition[] =
    search === null
      ? []
      : [
          {
            kind: 'search',
            places: texts.map(field => columnOf(field, alias)),
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
  const place = columnOf(filter.field, alias)
  // A text that is compared may be longer than any in the column, a number larger.
  const type = comparedType(place.type)
  switch (filter.comparison) {
    case 'null':
      return { kind: 'null', place, isNull: filter.isNull }
    case 'in':
      if (filter.slots.length === 0) return { kind: 'never' }
      return { kind: 'in', place, values: filter.slots.map(slot => parameter(slot, type)) }
    case 'like':
      return { kind: 'like', place, value: parameter(filter.slot, type) }
    default:
      return {
        kind: 'compare',
        operator: operators[filter.comparison],
        place,
        value: parameter(filter.slot, type),
      }
  }
}

/** A number that is compared may have digits that the column has no room for. */
function comparedType(type: ColumnType): ColumnType {
  if (type.kind !== 'decimal' || type.precision === null) return type
  const { precision, scale } = type
  const wide = widened.get(type) ?? {
    kind: 'decimal',
    precision: precision - scale + comparedScale,
    scale: comparedScale,
  }
  widened.set(type, wide)
  return wide
}

/** One type for each column: one placeholder may then stand in several places. */
const widened = new WeakMap<ColumnType, ColumnType>()

export function sorting(field: Field, descending: boolean, alias: string): Sorting {
  return { place: columnOf(field, alias), descending, nullable: field.nullable }
}

export function read(field: Field, alias: string): Expression {
  return { kind: 'read', place: columnOf(field, alias) }
}

export function columnOf({ column }: Field, alias: string): Column {
  return { of: alias, name: column.name, type: column.type }
}

export function parameter(slot: number, type: ColumnType): Parameter {
  return { kind: 'parameter', slot, type }
}

/** Whether the caller's tenant is asked for at all. */
export function hasTenant(caller: Caller): caller is Caller & { tenant: string } {
  return caller.tenant !== null && caller.tenant !== ''
}
