import { enumerationLimits } from '../data-types.ts'
import { visibleText } from '../display.ts'
import type { Enumeration } from '../enumeration.ts'
import { valuesOf } from '../enumeration.ts'
import { isEqual } from '../equal.ts'
import { messages } from '../messages.ts'
import { enumerationTexts as texts } from '../messages/enumerations.ts'
import { contentTexts } from '../messages/values.ts'
import { foldName } from '../paths.ts'
import { isUid } from '../uid.ts'
import { choices } from './type-attribute.ts'

/** The fault of one enumeration among the others; undefined if it has none. */
export function enumerationFault(
  { name, values }: Pick<Enumeration, 'name' | 'values'>,
  others: readonly Pick<Enumeration, 'name'>[],
): { field: 'name' | 'values'; message: string } | undefined {
  const inName = nameFault(name, others)
  if (inName !== undefined) return { field: 'name', message: inName }
  const message = valuesFault(values)
  return message === undefined ? undefined : { field: 'values', message }
}

function nameFault(name: string, others: readonly Pick<Enumeration, 'name'>[]): string | undefined {
  if (name.trim() === '') return messages.fieldRequired
  if (Array.from(name).length > enumerationLimits.name || /[\p{Cc}\u2028\u2029]/u.test(name)) return texts.name
  return others.some(other => foldName(other.name) === foldName(name)) ? texts.exists(name) : undefined
}

function valuesFault(values: Enumeration['values']): string | undefined {
  if (values.length === 0) return texts.noValues
  if (values.length > enumerationLimits.values) return texts.tooManyValues
  return valueFaults(values).find(fault => fault !== undefined)?.message
}

/** The fault of each value among those before it. */
export function valueFaults(
  values: readonly Pick<Enumeration['values'][number], 'value' | 'label'>[],
): ({ field: 'value' | 'label'; message: string } | undefined)[] {
  const seen = new Set<string>()
  return values.map(({ value, label }) => {
    const inValue = valueFault(value, seen.has(value.trim()))
    seen.add(value.trim())
    if (inValue !== undefined) return { field: 'value', message: inValue }
    const isOdd = label.length > enumerationLimits.label || /\p{Cc}/u.test(label)
    return isOdd ? { field: 'label', message: texts.label } : undefined
  })
}

function valueFault(value: string, isRepeated: boolean): string | undefined {
  if (isRepeated && value.trim() !== '') return messages.duplicateChoice(visibleText(value.trim().slice(0, 120)))
  return value.length > enumerationLimits.value ? texts.longValue : choices([value])
}

/** The faults of all enumerations; those that did not change are accepted. */
export function enumerationFaults(all: readonly Enumeration[], previous: readonly Enumeration[]): string[] {
  if (all.length > Math.max(enumerationLimits.max, previous.length)) return [texts.tooMany]
  const before = new Map(previous.map(one => [one.uid, one]))
  const seen = new Set<string>()
  return all.flatMap((enumeration, index) => {
    const isRepeated = seen.has(enumeration.uid)
    seen.add(enumeration.uid)
    if (isRepeated) return [texts.inEnumeration(enumeration.name, messages.uidTaken(enumeration.uid))]
    if (isEqual(before.get(enumeration.uid), enumeration)) return []
    const fault = newEnumerationFault(enumeration, all.slice(0, index))
    return fault === undefined ? [] : [texts.inEnumeration(enumeration.name, fault)]
  })
}

/** The fault of one that is stored for the first time; also of its uids, by which renamed values are recognised in records. */
export function newEnumerationFault(
  enumeration: Enumeration,
  others: readonly Pick<Enumeration, 'name'>[],
): string | undefined {
  const { uid, description, values } = enumeration
  if (description.length > enumerationLimits.description) return texts.description
  const uids = new Set(values.map(one => one.uid))
  const isUsable = uids.size === values.length && [uid, ...uids].every(isUid)
  return isUsable ? enumerationFault(enumeration, others)?.message : contentTexts.unusableUid
}

/** Whether attributes of the enumeration change with it. */
export function changesAttributes(before: Enumeration, after: Enumeration | undefined): boolean {
  return after === undefined || before.name !== after.name || !isEqual(valuesOf(before), valuesOf(after))
}
