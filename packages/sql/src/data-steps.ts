import type { Expression } from '@cadmus/model/conditions/condition'
import { typedValue, type ValueType } from '@cadmus/model/conditions/types'
import type { AppliedStep } from '@cadmus/model/data-steps'
import { formatCount } from '@cadmus/model/display'
import { appliedStepText, dataStepTexts as texts } from '@cadmus/model/messages/data-steps'
import { foldName } from '@cadmus/model/paths'
import { isFault, type Literal, type LiteralType, readLiteral } from '@cadmus/model/values/literal'
import { readDecimal, writeDecimal } from '@cadmus/model/values/number'
import { isConvertible, textValue } from './alter-conversions.ts'
import { type DataChange, isHistory, type SchemaPairs, separated, type TablePair } from './alter-pairs.ts'
import { byKind, isNumeric, isSameType, isText } from './column-types.ts'
import { type ConditionWords, valueSql } from './condition-sql.ts'
import { databases } from './databases.ts'
import type { Dialect } from './dialect.ts'
import { checkedColumn } from './row-checks.ts'
import type { CheckedColumn, Column, ColumnType, Table } from './tree.ts'

/** `faults`: steps that cannot be taken, each as a sentence; nothing may be changed then. */
export type PairsWithData = { readonly pairs: SchemaPairs; readonly faults: readonly string[] }

/**
 * The pairs with the values that data steps give, as columns that are computed from a record before: each is then converted, tested and
 * copied like any other.
 */
export function withDataSteps(pairs: SchemaPairs, steps: readonly AppliedStep[], dialect: Dialect): PairsWithData {
  if (steps.length === 0) return { pairs, faults: [] }
  const dropped = new Set(steps.flatMap(({ kind, attribute }) => (kind === 'drop' ? attribute.uid : [])))
  const apart = separated(pairs, one => dropped.has(one.after.source.uid) && !isConvertible(one))
  const faults: string[] = []
  const changed = apart.pairs.map(pair => {
    if (isHistory(pair.before)) return pair
    const values = new ValuesOfTable(pair, dialect)
    for (const step of steps) values.take(step)
    faults.push(...values.faults())
    return values.pair()
  })
  return { pairs: { ...apart, pairs: changed }, faults: [...new Set(faults)] }
}

/** A value of a record, as SQL over the columns before. */
type Value = {
  readonly sql: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** The columns before of which it is computed. */
  readonly from: readonly Column[]
  /** Of steps; absent: the column's own. */
  readonly data?: DataChange
  readonly fault?: string
}

class ValuesOfTable {
  readonly #pair: TablePair
  readonly #dialect: Dialect
  readonly #words: ConditionWords
  readonly #values = new Map<string, Value>()
  readonly #uids = new Map<string, string>()
  /** By uid, for names in steps. */
  readonly #after: ReadonlyMap<string, Column>

  constructor(pair: TablePair, dialect: Dialect) {
    this.#pair = pair
    this.#dialect = dialect
    this.#words = wordsOf(dialect)
    this.#after = new Map(pair.after.columns.map(column => [column.source.uid, column]))
    const former = [
      ...pair.dropped.map(before => ({ before, uid: before.source.uid })),
      ...pair.columns.map(({ before, after }) => ({ before, uid: after.source.uid })),
    ]
    for (const { before, uid } of former) {
      const { type, nullable, source } = before
      const value = { sql: dialect.quote(before.name), type, nullable, from: [before] }
      for (const key of [source.uid, uid]) this.#values.set(key, value)
      this.#uids.set(foldName(source.name), uid)
    }
  }

  take(step: AppliedStep): void {
    const { uid } = step.attribute
    const old = this.#values.get(uid)
    const isOwn = old !== undefined || this.#after.has(uid)
    const value = this.#taken(step, old, isOwn)
    if (value) this.#values.set(uid, withText(value, old, appliedStepText(this.#shown(step))))
  }

  /** With the values that are mapped back, without those that stay. */
  #shown(step: AppliedStep): AppliedStep {
    if (step.kind !== 'undo') return step
    const { values } = this.#undone(step)
    return { ...step, values: values.flatMap(({ from, to }) => (to === null ? [] : [{ from: to, to: from }])) }
  }

  #taken(step: AppliedStep, old: Value | undefined, isOwn: boolean): Value | undefined {
    switch (step.kind) {
      case 'fill': {
        const value = this.#evaluated(step.value, isOwn)
        return value && old ? this.#filled(old, value) : value
      }
      case 'derive':
        return this.#evaluated(step.value, isOwn)
      case 'map':
      case 'undo':
        return old && this.#mapped(old, step)
      case 'drop':
        return undefined
    }
  }

  /** Undefined if it belongs to another table. */
  #evaluated(expression: Expression, isOwn: boolean): Value | undefined {
    const columns = new Map<CheckedColumn, Value>()
    let missing: string | undefined
    const { typed, fault } = typedValue(expression, ({ uid, name }) => {
      const value = this.#values.get(uid) ?? this.#values.get(this.#uids.get(foldName(name)) ?? '')
      if (!value || value.fault !== undefined) {
        missing ??= value?.fault ?? texts.noName(name)
        return undefined
      }
      const source = { kind: 'typeAttribute' as const, uid, name }
      const column = { ...checkedColumn(columnOf(value, name, source)), name: `${columns.size} ${name}` }
      columns.set(column, value)
      return column
    })
    if (!isOwn && (fault !== undefined || columns.size === 0)) return undefined
    const sql = typed && valueSql(typed, this.#words, column => columns.get(column)?.sql ?? 'NULL')
    if (!typed || sql === undefined || sql === null) {
      const isComputed = [...columns.values()].some(({ data }) => data !== undefined)
      const reason = fault ?? texts.unwritten
      return failed(missing ?? (isComputed ? texts.between(reason) : reason))
    }
    const from = [...columns.values()].flatMap(value => value.from)
    const only = typed.kind === 'column' ? columns.get(typed.column) : undefined
    const type = only?.type ?? columnTypeOf(typed.type)
    if (!type) return failed(texts.unwritten)
    return { sql: typed.kind === 'column' ? sql : `(${sql})`, type, nullable: typed.nullable, from }
  }

  #filled(old: Value, value: Value): Value {
    if (value.fault !== undefined) return value
    const { nullable } = value
    const from = [...old.from, ...value.from]
    const type = commonType(old.type, value.type)
    const isClob = old.type.kind === 'text' && this.#dialect === databases.oracle.run.dialect
    const given = isClob ? databases.oracle.run.queries.bind(value.sql, old.type) : value.sql
    if (type) return { sql: `COALESCE(${old.sql}, ${given})`, type, nullable: old.nullable && nullable, from }
    const [one, other] = [old, value].map(({ sql, type: own }) => textValue(sql, own, this.#dialect))
    if (one === undefined || one === null || other === undefined || other === null) return failed(texts.unwritten)
    return { sql: `COALESCE(${one}, ${other})`, type: { kind: 'text' }, nullable: old.nullable && nullable, from }
  }

  #mapped(old: Value, step: AppliedStep & { kind: 'map' | 'undo' }): Value {
    const text = textValue(old.sql, old.type, this.#dialect)
    if (text === null) return failed(texts.unwritten)
    const { literal, equalTexts, compares } = this.#words
    const written = (value: string) => literal({ kind: 'text', value }, 'text')
    const isWritten = isText(old.type) || !compares(old.type)
    if (isText(old.type) && !compares(old.type)) return failed(texts.unwritten)
    // Texts of numbers and moments may have zeros at their end.
    const equals = (value: string) => {
      if (isWritten) return equalTexts(text, written(value))
      const read = literalIn(old.type, value)
      return read ? `${old.sql} = ${literal(read, old.type.kind)}` : '1 = 0'
    }
    const { values, merged } = step.kind === 'map' ? { values: step.values, merged: [] } : this.#undone(step)
    if (values.length === 0 && merged.length === 0) return old
    // Numbers stay numbers, with which later steps can calculate.
    const type = values.reduce<ColumnType | undefined>(
      (wide, { to }) => (wide && to !== null ? commonNumber(wide, to) : wide),
      old.type,
    )
    const cases = values.map(({ from, to }) => {
      const value = to === null ? 'NULL' : type ? to : written(to)
      return `WHEN ${equals(from)} THEN ${value}`
    })
    const condition = merged.map(equals).join(' OR ')
    const lost = merged.length === 0 ? [] : [{ text: texts.merged(listed(merged)), condition }]
    return {
      sql: cases.length === 0 ? old.sql : `CASE ${cases.join(' ')} ELSE ${type ? old.sql : text} END`,
      type: cases.length === 0 ? old.type : (type ?? { kind: 'text' }),
      nullable: old.nullable || values.some(({ to }) => to === null),
      from: old.from,
      data: { texts: [], lost },
    }
  }

  /** The way back to a column, which has had only values of its type and its choices. */
  #undone(step: AppliedStep & { kind: 'map' | 'undo' }): Undone {
    const column = this.#after.get(step.attribute.uid)
    const check = this.#pair.after.checks.find(one => one.column === column?.name)
    const choices = check && new Set(check.values.map(({ value }) => String(value)))
    return undone(
      step.values,
      value => (!column || literalIn(column.type, value) !== undefined) && choices?.has(value) !== false,
    )
  }

  #targets(): { column: Column; value: Value }[] {
    return this.#pair.after.columns.flatMap(column => {
      const value = this.#values.get(column.source.uid)
      return value && (value.data || value.fault !== undefined) ? [{ column, value }] : []
    })
  }

  faults(): string[] {
    return this.#targets().flatMap(({ column, value: { fault } }) =>
      fault === undefined ? [] : [texts.inStep(column.source.name.trim(), fault)],
    )
  }

  pair(): TablePair {
    const targets = this.#targets().filter(({ value }) => value.fault === undefined)
    const { before, after, columns, added, dropped } = this.#pair
    if (targets.length === 0) return this.#pair
    const computed = targets.map(({ column, value }, at) => {
      const virtual: Column = { ...columnOf(value, `cadmus_data_${at}`, column.source), unchecked: true }
      return { before: virtual, after: column, data: value.data ?? { texts: [], lost: [] }, sql: value.sql }
    })
    const set = new Set(computed.map(one => one.after))
    const replaced = columns.filter(one => set.has(one.after)).map(one => one.before)
    const used = targets.flatMap(({ value }) => value.from).filter(column => dropped.includes(column))
    const table: Table = {
      ...before,
      columns: [...before.columns, ...computed.map(one => one.before)],
      computed: computed.map(({ before: { name }, sql }) => ({ name, sql })),
    }
    return {
      before: table,
      after,
      columns: [
        ...columns.filter(one => !set.has(one.after)),
        ...computed.map(({ before: old, after: now, data }) => ({ before: old, after: now, data })),
      ],
      added: added.filter(column => !set.has(column)),
      dropped: [...dropped, ...replaced],
      carried: new Map([
        ...used.map(column => [column, 'carried'] as const),
        ...replaced.map(column => [column, 'replaced'] as const),
      ]),
      isSame: false,
    }
  }
}

/** HSQLDB pads the shorter ones of literals between which it chooses. */
function wordsOf(dialect: Dialect): ConditionWords {
  const { condition } = dialect
  const { run } = databases.hsql
  if (dialect !== run.dialect) return condition
  const literal: ConditionWords['literal'] = (value, kind) =>
    kind === 'text'
      ? run.queries.bind(condition.literal(value, kind), { kind: 'text' })
      : condition.literal(value, kind)
  return { ...condition, literal }
}

function columnOf({ type, nullable }: Value, name: string, source: Column['source']): Column {
  return { name, type, nullable, default: null, identity: false, comment: '', source }
}

function failed(fault: string): Value {
  return { sql: 'NULL', type: { kind: 'text' }, nullable: true, from: [], fault }
}

function withText(value: Value, old: Value | undefined, text: string): Value {
  const { texts: own = [], lost = [] } = old?.data ?? {}
  return { ...value, data: { texts: [...own, text], lost: [...lost, ...(value.data?.lost ?? [])] } }
}

type Mapped = readonly { readonly from: string; readonly to: string | null }[]
type Undone = { values: Mapped; merged: string[] }

/**
 * The way back, and the values that several ones became: one that is itself among them stays. A value that was not mapped became itself, too,
 * if it was possible.
 */
function undone(values: Mapped, isPossible: (value: string) => boolean): Undone {
  const sources = new Map<string, string[]>()
  for (const { from, to } of values) if (to !== null) sources.set(to, [...(sources.get(to) ?? []), from])
  const mapped = new Set(values.map(({ from }) => from))
  const all = Array.from(sources, ([to, froms]) => {
    const wasItself = !mapped.has(to) && isPossible(to)
    return { from: to, to: wasItself ? to : (froms[0] ?? to), isMerged: wasItself || froms.length > 1 }
  })
  return {
    values: all.filter(({ from, to }) => from !== to).map(({ from, to }) => ({ from, to })),
    merged: all.flatMap(({ from, isMerged }) => (isMerged ? from : [])),
  }
}

const shown = 5

function listed(values: readonly string[]): string {
  const more = values.length - shown
  return [
    ...values.slice(0, shown).map(value => `'${value.slice(0, 60)}'`),
    ...(more > 0 ? [`and ${formatCount(more)} more`] : []),
  ].join(', ')
}

/** The type that holds the values of both; undefined if they are written as texts before. */
function commonType(one: ColumnType, other: ColumnType): ColumnType | undefined {
  if (isSameType(one, other)) return one
  if (isText(one) && isText(other)) return { kind: 'text' }
  if (!isNumeric(one) || !isNumeric(other) || one.kind === 'double' || other.kind === 'double') return undefined
  const [a, b] = [shapeOf(one), shapeOf(other)]
  return a && b && numberType(Math.max(a.whole, b.whole), Math.max(a.scale, b.scale))
}

/** The type that holds a number, too; undefined if one of both is none, or not in the form of an API. */
function commonNumber(type: ColumnType, value: string): ColumnType | undefined {
  const read = readDecimal(value)
  if (!read || writeDecimal(read) !== value || !isNumeric(type)) return undefined
  return commonType(type, numberType(Math.max(read.whole.length, 1), read.fraction.length))
}

/** A value in the form of an API as one of a type that is no text; undefined if it is none. */
function literalIn(type: ColumnType, value: string): Literal | undefined {
  const shape = { maxLength: null, precision: null, scale: null }
  const read = readLiteral(value, { ...shape, ...literalTypes(type) })
  return isFault(read) ? undefined : read
}

const literalTypes = byKind<Pick<LiteralType, 'dataType' | 'format'>>(
  {
    integer: { dataType: 'double', format: 'decimal' },
    decimal: { dataType: 'double', format: 'decimal' },
    double: { dataType: 'double', format: null },
    boolean: { dataType: 'boolean', format: null },
    date: { dataType: 'dateTime', format: 'date' },
    time: { dataType: 'dateTime', format: 'time' },
    timestamp: { dataType: 'dateTime', format: null },
    instant: { dataType: 'dateTime', format: 'instant' },
    guid: { dataType: 'string', format: 'guid' },
  },
  { dataType: 'string', format: null },
)

type Exact = ColumnType & { kind: 'integer' | 'decimal' }

function shapeOf(type: Exact): { whole: number; scale: number } | undefined {
  if (type.kind === 'integer') return { whole: type.digits ?? { 16: 5, 32: 10, 64: 19 }[type.bits], scale: 0 }
  return type.precision === null ? undefined : { whole: type.precision - type.scale, scale: type.scale }
}

function numberType(whole: number, scale: number): ColumnType {
  if (scale > 0 || whole > 18) return { kind: 'decimal', precision: whole + scale, scale }
  return { kind: 'integer', bits: whole <= 9 ? 32 : 64 }
}

/** Undefined: no column has such values. */
function columnTypeOf(type: ValueType): ColumnType | undefined {
  switch (type.kind) {
    case 'number':
      return type.whole === null ? undefined : numberType(type.whole, type.scale)
    case 'single':
      return { kind: 'double', isSingle: true }
    case 'local':
      return { kind: 'timestamp', isLocal: true }
    case 'other':
    case 'condition':
    case 'any':
      return undefined
    default:
      return { kind: type.kind }
  }
}
