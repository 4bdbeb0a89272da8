import { maxLength } from '@cadmus/model/rules/max-length'
import { quoted } from '../import-error.ts'
import { asksForList, listTraits, readChoices, statedDefault, type ChoiceSource } from './choices.ts'
import { isObject, listOf, numberOf, textOf, type JsonObject } from './json.ts'
import type { Place } from './report.ts'
import { hasTrait, statingTrait, traitArgument, traitName, traitNames } from './traits.ts'

/** What an attribute, or a data type for all its attributes, states of the values. */
export type Stated = {
  maximumLength?: number
  choices?: ChoiceSource
  defaultValue?: string
  precision?: number
  scale?: number
  /** A list is asked for. */
  wantsList?: true
}

/** The least and the greatest value, which have no place in the model but a trait. */
export type ValueBounds = { minimumValue?: unknown; maximumValue?: unknown }

/** By the properties, else by the traits, else by those on the data type that is referred to; a line for what cannot be. */
export function readStated(json: JsonObject, dataType: unknown, place: Place): Stated {
  const traits = traitLists(json, dataType)
  const choices = readChoices(json, dataType)
  reportOthers(traits[1], place)
  const length = lengthOf(json['maximumLength'] ?? argumentOf(traits, boundsTrait, 'maximumLength', 0), place)
  const value = scalarDefault(json['defaultValue'] ?? statedDefault(json, dataType), choices, place)
  return {
    ...(length !== undefined && { maximumLength: length }),
    ...(choices && { choices }),
    ...(asksForList(json, dataType) && { wantsList: true }),
    ...(value !== undefined && { defaultValue: value }),
    ...shapeOf(traits, place),
  }
}

/** Those of the properties and of the data type that is referred to: what its own traits say of them an attribute keeps. */
export function readValueBounds(json: JsonObject, dataType: unknown): ValueBounds {
  const [, ofType] = traitLists(json, dataType)
  return {
    minimumValue: json['minimumValue'] ?? traitArgument(ofType, boundsTrait, 'minimumValue', 1),
    maximumValue: json['maximumValue'] ?? traitArgument(ofType, boundsTrait, 'maximumValue', 2),
  }
}

/** The nearer counts; a scale belongs to its precision. */
export function statedOver<T extends Stated>(farther: Stated, nearer: T): T {
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

/** The traits with one that states the bounds, or with what the one that is there for a length or a bound does not say of them. */
export function boundedTraits(traits: readonly unknown[], bounds: ValueBounds): readonly unknown[] {
  return [...listOf(withBounds(traits, bounds)), ...statingTrait(traits, boundsTrait, bounds)]
}

const boundsTrait = 'is.constrained'
/** Precision and scale of a decimal. */
export const shapeTrait = 'is.dataFormat.numeric.shaped'

/** Traits whose arguments are read where they stand on the reference to a data type. */
const readOfTypes: ReadonlySet<string> = new Set([boundsTrait, shapeTrait, ...listTraits])

/** They would be the attribute's, which keeps its own only. */
function reportOthers(ofType: unknown, place: Place): void {
  const others = [...new Set(traitNames(ofType))].filter(name => !readOfTypes.has(name))
  if (others.length === 0) return
  const [what, were] = others.length === 1 ? ['trait', 'was'] : ['traits', 'were']
  place.warning(`The ${what} ${others.map(quoted).join(', ')} on the reference to a data type ${were} left out.`)
}

/** The nearest first. */
function traitLists(json: JsonObject, dataType: unknown): [own: unknown, ofType: unknown] {
  return [json['appliedTraits'], isObject(dataType) ? dataType['appliedTraits'] : undefined]
}

function argumentOf(lists: readonly unknown[], trait: string, argument: string, place: number): unknown {
  return lists.map(traits => traitArgument(traits, trait, argument, place)).find(isGiven)
}

function lengthOf(given: unknown, place: Place): number | undefined {
  const length = numberOf(given)
  if (length !== undefined && Number.isSafeInteger(length) && length > 0) {
    const problem = maxLength(String(length))
    if (problem !== undefined) place.warning(`Its maximum length ${length} is kept as it is, but ${problem}`)
    return length
  }
  const isHuge = length !== undefined && length > Number.MAX_SAFE_INTEGER
  const problem = isHuge ? 'more than can be counted' : 'no whole number above 0'
  if (isGiven(given)) place.warning(`Its maximum length ${shown(given)} is ${problem}; it was left out.`)
  return undefined
}

function scalarDefault(value: unknown, choices: ChoiceSource | undefined, place: Place): string | undefined {
  if (!Array.isArray(value) && !isObject(value)) return textOf(value)
  const isList = Array.isArray(value) && (value.length === 0 || choices !== undefined)
  if (!isList) place.warning(`Its default value ${shown(value)} is no single value; it was left out.`)
  return undefined
}

/** Precision and scale, of the nearest that states a precision. */
function shapeOf(lists: readonly unknown[], place: Place): { precision?: number; scale?: number } {
  const precisionIn = (traits: unknown) => traitArgument(traits, shapeTrait, 'precision', 0)
  const traits = lists.find(one => isGiven(precisionIn(one)))
  const [givenPrecision, givenScale] = [precisionIn(traits), traitArgument(traits, shapeTrait, 'scale', 1)]
  const [precision, scale] = [numberOf(givenPrecision), numberOf(givenScale)]
  if (precision === undefined || !Number.isSafeInteger(precision) || precision < 1) {
    if (isGiven(givenPrecision))
      place.warning(`Its precision ${shown(givenPrecision)} is no whole number above 0; it was left out.`)
    return {}
  }
  if (scale !== undefined && Number.isSafeInteger(scale) && scale >= 0 && scale <= precision)
    return { precision, scale }
  if (isGiven(givenScale))
    place.warning(
      `Its scale ${shown(givenScale)} is no whole number from 0 to its precision ${precision}; it was left out.`,
    )
  return { precision }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function shown(value: unknown): string {
  return quoted(textOf(value) ?? JSON.stringify(value))
}

/** A trait that is there already, for a length or one of the two, is told of the bounds that only others state. */
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
    const given = isObject(trait) ? trait : { traitReference: boundsTrait }
    const added = missing.map(([name, value]) => ({ name, value }))
    return { ...given, arguments: [...listOf(given['arguments']), ...added] }
  })
}
