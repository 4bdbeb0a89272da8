import { maxLength } from '@cadmus/model/rules/type-attribute'
import { quoted } from '../import-error.ts'
import { declaresList, listTraits, readChoices, traitDefault, type ChoiceSource } from './choices.ts'
import { isObject, listOf, numberOf, textOf, type JsonObject } from './json.ts'
import type { Place } from './report.ts'
import { hasTrait, valueTrait, traitArgument, traitName, traitNames } from './traits.ts'

/** Value properties declared by an attribute or, for all its attributes, by a data type. */
export type DeclaredValues = {
  maximumLength?: number
  choices?: ChoiceSource
  defaultValue?: string
  precision?: number
  scale?: number
  isList?: true
}

/** Minimum and maximum value, which the model can only keep as a trait. */
export type ValueBounds = { minimumValue?: unknown; maximumValue?: unknown }

/** Reads properties, then own traits, then traits on the data type reference; reports invalid values. */
export function readDeclaredValues(json: JsonObject, dataType: unknown, place: Place): DeclaredValues {
  const traits = traitLists(json, dataType)
  const choices = readChoices(json, dataType)
  reportOthers(traits[1], place)
  const length = lengthOf(json['maximumLength'] ?? argumentOf(traits, boundsTrait, 'maximumLength', 0), place)
  const value = scalarDefault(json['defaultValue'] ?? traitDefault(json, dataType), choices, place)
  return {
    ...(length !== undefined && { maximumLength: length }),
    ...(choices && { choices }),
    ...(declaresList(json, dataType) && { isList: true }),
    ...(value !== undefined && { defaultValue: value }),
    ...shapeOf(traits, place),
  }
}

/** Bounds of the properties and the data type reference; those in separate traits are part of the traits. */
export function readValueBounds(json: JsonObject, dataType: unknown): ValueBounds {
  const [, ofType] = traitLists(json, dataType)
  return {
    minimumValue: json['minimumValue'] ?? traitArgument(ofType, boundsTrait, 'minimumValue', 1),
    maximumValue: json['maximumValue'] ?? traitArgument(ofType, boundsTrait, 'maximumValue', 2),
  }
}

/** The nearer definition wins; a scale is taken only together with its precision. */
export function mergeDeclared<T extends DeclaredValues>(farther: DeclaredValues, nearer: T): T {
  const { precision, scale, ...others } = farther
  const shape = nearer.precision === undefined &&
    precision !== undefined && { precision, ...(scale !== undefined && { scale }) }
  return { ...others, ...shape, ...nearer }
}

export function boundsOver(farther: ValueBounds, nearer: ValueBounds): ValueBounds {
  return {
    minimumValue: nearer.minimumValue ?? farther.minimumValue,
    maximumValue: nearer.maximumValue ?? farther.maximumValue,
  }
}

/** Adds the bounds to the traits, in an existing constraint trait if there is one. */
export function boundedTraits(traits: readonly unknown[], bounds: ValueBounds): readonly unknown[] {
  return [...listOf(withBounds(traits, bounds)), ...valueTrait(traits, boundsTrait, bounds)]
}

const boundsTrait = 'is.constrained'
/** Trait with precision and scale of a decimal. */
export const shapeTrait = 'is.dataFormat.numeric.shaped'

/** Traits supported on a reference to a data type. */
const readOfTypes: ReadonlySet<string> = new Set([boundsTrait, shapeTrait, ...listTraits])

/** Reports unsupported traits on a data type reference, because an attribute keeps only its own traits. */
function reportOthers(ofType: unknown, place: Place): void {
  const others = [...new Set(traitNames(ofType))].filter(name => !readOfTypes.has(name))
  if (others.length === 0) return
  const [what, were] = others.length === 1 ? ['trait', 'was'] : ['traits', 'were']
  place.lost(`The ${what} ${others.map(quoted).join(', ')} on the reference to a data type ${were} left out.`)
}

/** The nearest first. */
function traitLists(json: JsonObject, dataType: unknown): [own: unknown, ofType: unknown] {
  return [json['appliedTraits'], isObject(dataType) ? dataType['appliedTraits'] : undefined]
}

function argumentOf(lists: readonly unknown[], trait: string, argument: string, place: number): unknown {
  return lists.map(traits => traitArgument(traits, trait, argument, place)).find(isPresent)
}

function lengthOf(value: unknown, place: Place): number | undefined {
  const length = numberOf(value)
  if (length !== undefined && Number.isSafeInteger(length) && length > 0) {
    const problem = maxLength(String(length))
    if (problem !== undefined) place.note(`Its maximum length ${length} is kept as it is, but ${problem}`)
    return length
  }
  const isHuge = length !== undefined && length > Number.MAX_SAFE_INTEGER
  const problem = isHuge ? 'too large' : 'not a positive integer'
  if (isPresent(value)) place.lost(`Its maximum length ${shown(value)} is ${problem}; it was left out.`)
  return undefined
}

function scalarDefault(value: unknown, choices: ChoiceSource | undefined, place: Place): string | undefined {
  if (!Array.isArray(value) && !isObject(value)) return textOf(value)
  const isList = Array.isArray(value) && (value.length === 0 || choices !== undefined)
  if (!isList) place.lost(`Its default value ${shown(value)} is not a single value; it was left out.`)
  return undefined
}

/** Precision and scale from the nearest list that has a precision. */
function shapeOf(lists: readonly unknown[], place: Place): { precision?: number; scale?: number } {
  const precisionIn = (traits: unknown) => traitArgument(traits, shapeTrait, 'precision', 0)
  const traits = lists.find(one => isPresent(precisionIn(one)))
  const [precisionValue, scaleValue] = [precisionIn(traits), traitArgument(traits, shapeTrait, 'scale', 1)]
  const [precision, scale] = [numberOf(precisionValue), numberOf(scaleValue)]
  if (precision === undefined || !Number.isSafeInteger(precision) || precision < 1) {
    if (isPresent(precisionValue))
      place.lost(`Its precision ${shown(precisionValue)} is not a positive integer; it was left out.`)
    return {}
  }
  if (scale !== undefined && Number.isSafeInteger(scale) && scale >= 0 && scale <= precision)
    return { precision, scale }
  if (isPresent(scaleValue))
    place.lost(
      `Its scale ${shown(scaleValue)} is not an integer from 0 to its precision ${precision}; it was left out.`,
    )
  return { precision }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function shown(value: unknown): string {
  return quoted(textOf(value) ?? JSON.stringify(value))
}

/** Adds missing bounds to an existing constraint trait. */
function withBounds(traits: readonly unknown[], values: ValueBounds): unknown {
  if (!hasTrait(traits, boundsTrait)) return traits
  const missing = Object.entries(values).filter(
    ([argument, value]) =>
      textOf(value) !== undefined && traitArgument(traits, boundsTrait, argument, -1) === undefined,
  )
  if (missing.length === 0) return traits
  const first = traits.findIndex(trait => traitName(trait) === boundsTrait)
  return traits.map((trait, index) => {
    if (index !== first) return trait
    const existing = isObject(trait) ? trait : { traitReference: boundsTrait }
    const added = missing.map(([name, value]) => ({ name, value }))
    return { ...existing, arguments: [...listOf(existing['arguments']), ...added] }
  })
}
