import { dataTypes, type DataType, type Format, formats } from '../data-types.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { textTexts } from '../messages/text.ts'
import { takesPrecision, takesScale } from '../rules/type-attribute.ts'
import { readTypeWord, typeWord } from '../sheet/words.ts'
import type { TypeText } from './parsed-text.ts'
import { type EnumsByName, isTypeName } from './named-values.ts'
import { nameText, quoted } from './tokens.ts'

/** What the type of a line shows of an attribute. */
export type Shape = {
  dataType: DataType
  format: Format | null
  maxLength: number | null
  precision: number | null
  scale: number | null
  choices: string[]
  /** Of which the choices are a copy. */
  enumeration: { uid: string; name: string } | null
}

/** Such as `string(40)`, `date`, `double(10, 2)`, `object(json)`, `string('open', 'paid')`, or the name of an enumeration. */
export function typeText(shape: Shape): string {
  const { dataType, format, maxLength, precision, scale, choices, enumeration } = shape
  if (enumeration && isType(shape)) return nameText(enumeration.name)
  const digits = dataType === 'string' ? [maxLength] : takesPrecision(dataType) ? [precision, precision && scale] : []
  const numbers = digits.filter(one => one !== null).map(String)
  // The word of a format is shorter, where it means nothing else.
  const word = numbers.length === 0 ? typeWord({ dataType, format }) : dataType
  const args = [
    ...(format === null || word === format ? [] : [format]),
    ...numbers,
    ...(enumeration ? [] : choices.map(one => quoted(one, "'"))),
  ]
  return `${word}${args.length === 0 ? '' : `(${args.join(', ')})`}`
}

/** Whether the type of an attribute is the name of its enumeration; otherwise that stands in a setting. */
export function isType({ dataType, format, maxLength, enumeration }: Shape): boolean {
  if (enumeration === null || !isTypeName(enumeration.name)) return false
  return dataType === 'string' && format === null && maxLength === null
}

/** The type that a text names, in the words of the model or of a database. */
export function readType(type: TypeText, enums: EnumsByName): Shape | { reason: string } {
  const named = isTypeName(type.word) ? enums(type.word) : undefined
  if (named) return { ...shapeOf({ dataType: 'string' }, [...named.values]), enumeration: named.enumeration }
  const strings = type.args.filter(({ kind }) => kind === 'string').map(({ text }) => text)
  const words = type.args.filter(({ kind }) => kind !== 'string').map(({ text }) => text)
  const numbers = words.filter(word => /^\d+$/.test(word))
  const own = dataTypes.find(one => one.toLowerCase() === type.word.toLowerCase())
  // Other words may be several, such as `double precision`.
  const inside = own !== undefined || words.length === 0 ? '' : `(${words.join(',')})`
  const read = readTypeWord(`${type.word}${inside}${type.isArray ? '[]' : ''}`)
  if (read === undefined) return { reason: sheetTexts.unknownType(type.word) }
  const shape = shapeOf(read, strings.length > 0 ? strings : read.choices)
  if (own !== undefined) Object.assign(shape, digitsOf(shape.dataType, numbers.map(Number)))
  return withFormat(
    shape,
    words.filter(word => !numbers.includes(word)),
    own !== undefined,
  )
}

function shapeOf(read: Partial<Shape> & { dataType: DataType }, choices: string[] = []): Shape {
  return { format: null, maxLength: null, precision: null, scale: null, ...read, choices, enumeration: null }
}

function digitsOf(dataType: DataType, [first, second]: readonly number[]): Partial<Shape> {
  if (dataType === 'string') return { maxLength: first ?? null }
  if (!takesPrecision(dataType)) return {}
  // Whether a type has decimal places is a rule, which reports them.
  return { precision: first ?? null, scale: takesScale(dataType) ? (second ?? null) : second || null }
}

/** Words of databases have arguments without a counterpart, such as `max`. */
function withFormat(shape: Shape, words: readonly string[], isStrict: boolean): Shape | { reason: string } {
  // Whether the type has that format is a rule, which accepts imported ones.
  const format = formats.find(one => words.some(word => one === word.toLowerCase()))
  if (format !== undefined && isStrict) return { ...shape, format }
  const [unknown] = words
  return isStrict && unknown !== undefined ? { reason: textTexts.unknownFormat(unknown, shape.dataType) } : shape
}
