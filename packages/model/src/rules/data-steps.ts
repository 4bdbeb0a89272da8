import type { Expression } from '../conditions/condition.ts'
import { typedValue } from '../conditions/types.ts'
import type { DataStep } from '../data-steps.ts'
import { isEqual } from '../equal.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { dataStepTexts as texts } from '../messages/data-steps.ts'
import { contentTexts } from '../messages/values.ts'

const maxUid = 60

/** The fault of one step; undefined if it has none. Whether its values fit the columns, the migration knows. */
export function dataStepFault(step: DataStep): string | undefined {
  const { uid, name } = step.attribute
  if (step.uid === '' || step.uid.length > maxUid) return contentTexts.unusableUid
  if (uid === '' || uid.length > maxUid || name.length > limits.sqlName) return texts.noAttribute
  switch (step.kind) {
    case 'fill':
      return valueFault(step.value)
    case 'map':
      return mapFault(step.values)
    case 'derive':
      if (step.from === null && step.back === null) return texts.noDirection
      return (step.from && valueFault(step.from)) ?? (step.back ? valueFault(step.back) : undefined)
  }
}

/** Columns are of any type here. */
function valueFault(value: Expression): string | undefined {
  return typedValue(value, () => ({ type: { kind: 'any' }, nullable: false })).fault
}

function mapFault(values: (DataStep & { kind: 'map' })['values']): string | undefined {
  if (values.length === 0) return texts.noValues
  const { values: max, value: longest } = limits.dataSteps
  const isTooLong = values.some(({ from, to }) => from.length > longest || (to ?? '').length > longest)
  if (values.length > max || isTooLong) return texts.tooManyValues
  const seen = new Set<string>()
  const repeated = values.find(({ from }) => seen.size === seen.add(from).size)
  return repeated && texts.sameValue(repeated.from)
}

/** The faults of all steps; those that did not change are accepted. */
export function dataStepFaults(all: readonly DataStep[], previous: readonly DataStep[]): string[] {
  if (all.length > Math.max(limits.dataSteps.max, previous.length)) return [texts.tooMany]
  const before = new Map(previous.map(one => [one.uid, one]))
  const seen = new Set<string>()
  return all.flatMap(step => {
    const isRepeated = seen.has(step.uid)
    seen.add(step.uid)
    const fault = isRepeated
      ? messages.uidTaken(step.uid)
      : isEqual(before.get(step.uid), step)
        ? undefined
        : dataStepFault(step)
    return fault === undefined ? [] : [texts.inStep(step.attribute.name, fault)]
  })
}
