import { evaluated } from '@cadmus/model/conditions/evaluate'
import type { Literal } from '@cadmus/model/values/literal'
import { checkTexts } from '@cadmus/model/messages/checks'
import { type EntityMapping, type Field, fieldOf } from './fields.ts'
import { PlanFault } from './plan.ts'

/** Throws a PlanFault for the first check that the record would violate; unknown passes. */
export function checkRecord(mapping: EntityMapping, valueOf: (field: Field) => Literal | null): void {
  for (const { condition, message, text, fields } of mapping.entity.checks) {
    const truth = evaluated(condition, ({ name }) => valueOf(fieldOf(mapping, name)))
    if (truth === false) throw new PlanFault('invalid', message === '' ? checkTexts.violated(text) : message, fields)
  }
}

/** Whether some check compares one of the fields. */
export function isChecked({ entity }: EntityMapping, fields: readonly Field[]): boolean {
  return entity.checks.some(check => fields.some(({ name }) => check.fields.includes(name)))
}
