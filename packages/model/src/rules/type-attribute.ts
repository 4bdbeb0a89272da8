import {
  type DataType,
  type DefaultKind,
  type Format,
  type KeyDataType,
  keyDataTypes,
  longestFixed,
} from '../data-types.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { computedKindOf } from '../values/computed.ts'
import {
  decimalShape,
  type DefaultType,
  fixedLength,
  isFault,
  type LiteralType,
  readDefault,
} from '../values/literal.ts'
import { allProblems, boundedName, hiddenCharacters, isTaken, type TakenNames } from './names.ts'

/** `taken`: the entity's other type attributes; `foreignKeys`: its foreign keys, which are columns too. */
export function typeAttributeName(
  value: string,
  { taken, foreignKeys }: { taken: TakenNames; foreignKeys?: TakenNames },
): string | undefined {
  const problem = boundedName(value, limits.attributeName)
  if (problem) return problem
  if (isTaken(value, taken)) return messages.attributeExists(value)
  return foreignKeys && isTaken(value, foreignKeys) ? messages.foreignKeyExists(value) : undefined
}

export function keyDataType(value: DataType, { isKey }: { isKey: boolean }): string | undefined {
  return isKey && !isKeyDataType(value) ? messages.keyDataType : undefined
}

/** Whether a primary key may have the data type. */
export function isKeyDataType(value: string): value is KeyDataType {
  return keyDataTypes.some(type => type === value)
}

/** Whether databases and APIs can identify rows by values of the type: also by moments and exact numbers, as imported schemas do. */
export function canIdentify(type: LiteralType): boolean {
  const { dataType } = type
  return isKeyDataType(dataType) || dataType === 'dateTime' || (takesScale(dataType) && decimalShape(type) !== null)
}

/** A max length as typed: digits only. Empty: no limit. */
export function maxLength(text: string): string | undefined {
  const digits = text.trim()
  if (digits === '') return undefined
  if (!/^\d+$/.test(digits)) return messages.maxLengthDigits
  const { min, max } = limits.maxLength
  const value = Number(digits)
  return value >= min && value <= max ? undefined : messages.numberRange(min, max)
}

/** Parses a typed max length: `080` is 80, empty is null; any other characters give NaN, which the rule refuses. */
export function parseMaxLength(text: string): number | null {
  const digits = text.trim()
  if (digits === '') return null
  return /^\d+$/.test(digits) ? Math.min(Number(digits), Number.MAX_SAFE_INTEGER) : Number.NaN
}

/** Total number of decimal digits; for numbers only, and for integers without a format, which has bits. Null: none. */
export function precision(
  value: number | null,
  { dataType, format }: { dataType: DataType; format: Format | null },
): string | undefined {
  if (value === null) return undefined
  if (!takesPrecision(dataType)) return messages.precisionType
  const { min, max } = limits.precision
  if (!Number.isInteger(value) || value < min || value > max) return messages.numberRange(min, max)
  if (format === 'single') return messages.precisionSingle
  return dataType === 'integer' && format !== null ? messages.precisionFormat : undefined
}

export function takesPrecision(dataType: DataType): boolean {
  return dataType === 'integer' || takesScale(dataType)
}

export function takesScale(dataType: DataType): boolean {
  return dataType === 'double' || dataType === 'float'
}

/** Digits after the decimal point; requires a precision and cannot exceed it. */
export function scale(
  value: number | null,
  { dataType, precision }: { dataType: DataType; precision: number | null },
): string | undefined {
  if (value === null) return undefined
  if (dataType === 'integer') return messages.scaleType
  if (precision === null) return messages.scalePrecision
  return Number.isInteger(value) && value >= 0 && value <= precision ? undefined : messages.numberRange(0, precision)
}

/** Formats that refine a data type, in the order of the form. */
export const formatsOf = {
  boolean: [],
  dateTime: ['date', 'time', 'instant', 'local'],
  double: ['decimal'],
  float: ['decimal', 'single'],
  integer: ['int16', 'int32', 'int64'],
  object: ['json', 'binary', 'text'],
  string: ['guid', 'fixed', 'text', 'json', 'binary', 'date', 'time'],
} as const satisfies Record<DataType, readonly Format[]>

export function format(
  value: Format | null,
  { dataType, maxLength: length }: { dataType: DataType; maxLength: number | null },
): string | undefined {
  const offered: readonly Format[] = formatsOf[dataType]
  if (value !== null && !offered.includes(value)) return messages.formatType(value, dataType)
  return value === 'fixed' && fixedLength({ format: value, maxLength: length }) === null
    ? messages.fixedLength(longestFixed)
    : undefined
}

/** A default value must be a value of its attribute. Null: no default. */
export function defaultValue(text: string | null, type: DefaultType): string | undefined {
  if (text === null) return undefined
  const read = readDefault(text, type)
  return isFault(read) ? read.fault : undefined
}

/** A computed default is the one of its type, and the only source of the value. */
export function defaultKind(
  kind: DefaultKind,
  type: Pick<DefaultType, 'dataType' | 'format' | 'choices' | 'defaultValue'>,
): string | undefined {
  if (kind === 'literal') return undefined
  if (kind !== computedKindOf(type)) return kind === 'uuid' ? messages.randomUuid : messages.nowAndToday
  if (type.choices.length > 0) return messages.computedChoices
  return type.defaultValue === null ? undefined : messages.computedValue
}

/** A choice to be added to `others`. Choices are values, so they are case-sensitive. */
export function choice(value: string, { others }: { others: readonly string[] }): string | undefined {
  const trimmed = value.trim()
  if (trimmed === '') return messages.fieldRequired
  const isTaken = others.some(other => other.trim() === trimmed)
  return allProblems(textProblems(value), isTaken ? messages.duplicateChoice(trimmed) : undefined)
}

/** A complete list of choices: none empty or repeated; none with surrounding spaces or invisible characters, except `existing` ones. */
export function choices(values: readonly string[], existing: readonly string[] = []): string | undefined {
  const seen = new Set<string>()
  const accepted = new Set(existing)
  for (const value of values) {
    const trimmed = value.trim()
    if (trimmed === '') return messages.fieldRequired
    const problem = allProblems(
      accepted.has(value) ? undefined : textProblems(value),
      seen.has(trimmed) ? messages.duplicateChoice(trimmed) : undefined,
    )
    if (problem !== undefined) return problem
    seen.add(trimmed)
  }
  return undefined
}

function textProblems(value: string): string | undefined {
  return allProblems(value === value.trim() ? undefined : messages.choiceSpaces(value), hiddenCharacters(value))
}
