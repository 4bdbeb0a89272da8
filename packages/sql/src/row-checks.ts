import { type Check, checkName, type ResolvedCheck } from '@cadmus/model/checks'
import { type ConditionColumn, type Typed, typedCondition, type ValueType } from '@cadmus/model/conditions/types'
import { conditionText } from '@cadmus/model/conditions/text'
import type { EntityNode } from '@cadmus/model/entity'
import type { ResolvedAttribute } from '@cadmus/model/inherit'
import { digitsOf } from './column-types.ts'
import { type Notes, noteTexts } from './notes.ts'
import type { CheckedColumn, Column, ColumnType, EntitySource, RowCheck } from './tree.ts'

/** The checks of an entity as conditions on the columns of its table; those that do not fit are left out, with a note. */
export function rowChecks(
  { checks, entity }: { readonly checks: readonly ResolvedCheck[]; readonly entity: EntityNode },
  columns: readonly { attribute: ResolvedAttribute; column: Column }[],
  source: EntitySource,
  notes: Notes,
): RowCheck[] {
  if (checks.length === 0) return []
  const byAttribute = new Map(columns.map(({ attribute, column }) => [attribute, checkedColumn(column)]))
  const names = new Set<string>()
  return checks.flatMap(({ check, columnOf }) => {
    const { typed, fault } = typedCondition(check.condition, one => {
      const attribute = columnOf(one)
      return attribute && byAttribute.get(attribute)
    })
    if (!typed) {
      notes.about('checkLeftOut', noteTexts.checkLeftOut(checkName(check), fault), source)
      return []
    }
    const own = columnsIn(typed)
    const name = freeName(nameOf(check, entity, own), names)
    const text = conditionText(check.condition)
    return [{ name, uid: check.uid, message: check.message, text, condition: typed, columns: own }]
  })
}

/** In the table of a subtype, an inherited name is followed by the table's. */
function nameOf(check: Check, { name, checks }: EntityNode, columns: readonly string[]): string {
  const table = name.trim()
  if (check.name === '')
    return automaticCheckName(
      table,
      columns.map(column => ({ name: column })),
    )
  return checks.includes(check) ? check.name : `${check.name}_${table}`
}

function freeName(whole: string, names: Set<string>): string {
  let name = whole
  for (let number = 2; names.has(name.toLowerCase()); number += 1) name = `${whole}_${number}`
  names.add(name.toLowerCase())
  return name
}

/** The name of the constraint of a check without one. */
export function automaticCheckName(table: string, columns: readonly { name: string }[]): string {
  return `ck_${table}_${[...new Set(columns.map(({ name }) => name))].join('_')}`
}

export function checkedColumn({ name, type, nullable }: Column): ConditionColumn & CheckedColumn {
  return { name, columnType: type, type: valueTypeOf(type), nullable }
}

/** The values of a column. */
function valueTypeOf(type: ColumnType): ValueType {
  switch (type.kind) {
    case 'integer':
      return { kind: 'number', whole: digitsOf(type), scale: 0 }
    case 'decimal':
      return {
        kind: 'number',
        whole: type.precision === null ? null : type.precision - type.scale,
        scale: type.scale,
      }
    case 'varchar':
      return { kind: 'text' }
    case 'double':
      return { kind: type.isSingle ? 'single' : 'double' }
    case 'timestamp':
      return { kind: type.isLocal ? 'local' : 'timestamp' }
    case 'json':
    case 'binary':
      return { kind: 'other' }
    default:
      return { kind: type.kind }
  }
}

/** The names of the columns of a condition, each once, in order. */
export function columnsIn(condition: Typed<CheckedColumn>): string[] {
  const names = new Set<string>()
  const open: Typed<CheckedColumn>[] = [condition]
  for (let one = open.pop(); one; one = open.pop()) {
    if (one.kind === 'column') names.add(one.column.name)
    if (one.kind === 'call') open.push(...one.operands.toReversed())
  }
  return [...names]
}
