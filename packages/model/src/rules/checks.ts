import { checkName } from '../checks.ts'
import { type Column, columnName, columnsOf, isTypeAttribute } from '../columns.ts'
import type { AttributeOperand, Check } from '../conditions/condition.ts'
import { type ConditionColumn, typedCondition, valueTypeOf } from '../conditions/types.ts'
import type { EntityContent } from '../entity.ts'
import { limits } from '../limits.ts'
import { checkTexts } from '../messages/checks.ts'
import { foldName } from '../paths.ts'

type Content = Pick<EntityContent, 'checks' | 'typeAttributes' | 'entityAttributes' | 'extendsEntity'>

/**
 * Every fault of the checks, each with its check; faults that the previous content had are accepted. Too many checks are a fault of the
 * entity, and are not examined.
 */
export function checkFaults(content: Content, previous?: Content): CheckFault[] {
  if (content.checks.length > Math.max(limits.checks.max, previous?.checks.length ?? 0)) return []
  const keyOf = ({ check, message }: CheckFault) => JSON.stringify([check.uid, message])
  const before = new Set(previous ? allFaults(previous).map(keyOf) : [])
  return allFaults(content).filter(fault => !before.has(keyOf(fault)))
}

/** With the name of the check. */
export function faultText({ check, message }: CheckFault): string {
  return checkTexts.inCheck(checkName(check), message)
}

export type CheckFault = { check: Check; message: string }

function allFaults(content: Content): CheckFault[] {
  if (content.checks.length === 0) return []
  const columnOf = conditionColumns(content)
  const names = new Set<string>()
  return content.checks.flatMap(check => {
    const messages = faultsOf(check, columnOf, names)
    if (check.name !== '') names.add(foldName(check.name))
    return messages.map(message => ({ check, message }))
  })
}

/** The fault of one check that is being edited, among the others of its entity; undefined if it has none. */
export function checkFault(check: Check, content: Content): string | undefined {
  const others = content.checks.filter(({ uid, name }) => uid !== check.uid && name !== '')
  return faultsOf(check, conditionColumns(content), new Set(others.map(({ name }) => foldName(name))))[0]
}

function faultsOf({ name, message, condition }: Check, columnOf: ColumnOf, names: ReadonlySet<string>): string[] {
  const { fault } = typedCondition(condition, columnOf)
  return [
    ...(name.length > limits.checks.name || /\p{Cc}/u.test(name) ? [checkTexts.name] : []),
    ...(name !== '' && names.has(foldName(name)) ? [checkTexts.sameName(name)] : []),
    ...(Array.from(message).length > limits.checks.message ? [checkTexts.message] : []),
    ...(fault === undefined ? [] : [fault]),
  ]
}

type ColumnOf = (attribute: AttributeOperand) => ConditionColumn | undefined

/** Own columns by uid or name. A column that may be inherited is of any type here; the validation of the model knows it. */
function conditionColumns(content: Content): ColumnOf {
  const columns = columnsOf(content)
  const byUid = new Map(columns.map(column => [column.uid, column]))
  const byName = new Map(columns.map(column => [foldName(columnName(column)), column]))
  return ({ uid, name }) => {
    const column = uid === '' ? byName.get(foldName(name)) : byUid.get(uid)
    if (column) return conditionColumn(column)
    return content.extendsEntity !== null && uid === '' && name.trim() !== '' ? inherited : undefined
  }
}

const inherited: ConditionColumn = { type: { kind: 'any' }, nullable: false }

/** A column of a condition, as far as its entity knows: the target of a foreign key may have fewer digits. */
export function conditionColumn(column: Column): ConditionColumn {
  const { nullable } = column
  if (isTypeAttribute(column)) return { type: valueTypeOf(column), nullable }
  const shape = { format: null, maxLength: null, precision: null, scale: null, choices: [] }
  return { type: valueTypeOf({ ...shape, dataType: column.foreignKeyDataType }), nullable }
}
