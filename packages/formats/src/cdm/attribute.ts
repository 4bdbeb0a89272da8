import { maxLength } from '@cadmus/model/rules/max-length'
import { quoted } from '../import-error.ts'
import { asksForList, readChoices, statedDefault, type ChoiceSource } from './choices.ts'
import { namedFormat, type CdmFormat } from './data-types.ts'
import { bounds } from './bounds.ts'
import { booleanOf, isObject, isTooLong, listOf, nameOf, numberOf, textOf, type JsonObject } from './json.ts'
import {
  descriptionOf,
  displayNameOf,
  hasTrait,
  joinedTraits,
  keptTraits,
  traitArgument,
  traitArguments,
  traitName,
  statingTrait,
} from './traits.ts'
import type { Place } from './report.ts'

/** A type attribute as written: only what is written is there, so that a later definition changes an earlier one by spreading. */
export type Attribute = {
  name: string
  dataType?: string
  dataFormat?: CdmFormat
  purpose?: string
  isKey?: boolean
  isNullable?: boolean
  isReadOnly?: boolean
  maximumLength?: number
  displayName?: string
  description?: string
  sourceName?: string
  choices?: ChoiceSource
  defaultValue?: string
  links?: readonly Link[]
  traits?: readonly unknown[]
  precision?: number
  scale?: number
}

/** A foreign key written as a plain attribute: a path and the attribute that it points at. */
export type Link = { path: string; attribute: string | undefined }

/** A type attribute; undefined, and a line in the report, where it has no name. */
export function readAttribute(json: JsonObject, place: Place): Attribute | undefined {
  const name = nameOf(json['name'])
  if (name === undefined) {
    place.warning(isTooLong(json['name']) ? longName : 'An attribute without a name was left out.')
    return undefined
  }
  const dataType = json['dataType']
  const purpose = json['purpose']
  const inside = place.in(name)
  const choices = readChoices(json, dataType)
  if (choices === undefined && asksForList(json, dataType)) inside.warning(noList)
  return withoutGaps({
    name,
    dataType: isObject(dataType) ? nameOf(dataType['dataTypeReference']) : nameOf(dataType),
    dataFormat: namedFormat(textOf(json['dataFormat']) ?? ''),
    purpose: isObject(purpose) ? nameOf(purpose['purposeReference']) : nameOf(purpose),
    isKey: hasTrait(json['appliedTraits'], 'is.identifiedBy') || undefined,
    isNullable: booleanOf(json['isNullable']),
    isReadOnly: booleanOf(json['isReadOnly']),
    maximumLength: lengthOf(json, inside),
    displayName: displayNameOf(json, json['appliedTraits']),
    description: descriptionOf(json, json['appliedTraits']),
    sourceName: textOf(json['sourceName']),
    choices,
    defaultValue: scalarDefault(json['defaultValue'] ?? statedDefault(json, dataType), choices, inside),
    links: linksOf(json['appliedTraits']),
    traits: traitsOf(json),
    ...shapeOf(dataType, inside),
  })
}

const boundsTrait = 'is.constrained'
const longName = `An attribute whose name has more than ${bounds.nameLength} characters was left out.`

const noList = 'Its values are those of a list, but no list is given; it takes any value.'

function withoutGaps(attribute: Attribute): Attribute {
  const entries = Object.entries(attribute).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(entries), name: attribute.name }
}

function lengthOf(json: JsonObject, place: Place): number | undefined {
  const constrained = traitArgument(json['appliedTraits'], boundsTrait, 'maximumLength', 0)
  const given = json['maximumLength'] ?? constrained
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

/** Precision and scale, where a decimal type states them. */
function shapeOf(dataType: unknown, place: Place): { precision?: number; scale?: number } {
  if (!isObject(dataType)) return {}
  const shaped = (argument: string, at: number) =>
    traitArgument(dataType['appliedTraits'], 'is.dataFormat.numeric.shaped', argument, at)
  const [givenPrecision, givenScale] = [shaped('precision', 0), shaped('scale', 1)]
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

function linksOf(traits: unknown): Link[] | undefined {
  const links = traitArguments(traits, 'is.linkedEntity.identifier').flatMap(argument => {
    const table = isObject(argument) ? argument['entityReference'] : undefined
    if (!isObject(table)) return []
    return listOf(table['constantValues']).flatMap(row => {
      const [path, attribute] = listOf(row)
      return nameOf(path) === undefined ? [] : [{ path: String(path), attribute: nameOf(attribute) }]
    })
  })
  return links.length > 0 ? links : undefined
}

function traitsOf(json: JsonObject): unknown[] | undefined {
  const written = json['appliedTraits']
  const { minimumValue, maximumValue } = json
  const isReadOnly = booleanOf(json['isReadOnly']) === true && !hasTrait(written, 'is.readOnly')
  const traits = [
    ...keptTraits(withBounds(written, { minimumValue, maximumValue })),
    ...(isReadOnly ? ['is.readOnly'] : []),
    ...statingTrait(written, boundsTrait, { minimumValue, maximumValue }),
  ]
  return traits.length > 0 ? traits : undefined
}

/** A trait that is there already, for a length or one of the two, is told of the bounds that only the properties state. */
function withBounds(traits: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (!hasTrait(traits, boundsTrait)) return traits
  const missing = Object.entries(values).filter(
    ([argument, value]) =>
      textOf(value) !== undefined && traitArgument(traits, boundsTrait, argument, -1) === undefined,
  )
  if (missing.length === 0) return traits
  const first = listOf(traits).findIndex(trait => traitName(trait) === boundsTrait)
  return listOf(traits).map((trait, index) => {
    if (index !== first) return trait
    const given = isObject(trait) ? trait : { traitReference: boundsTrait }
    const added = missing.map(([name, value]) => ({ name, value }))
    return { ...given, arguments: [...listOf(given['arguments']), ...added] }
  })
}

/** What the key does not say of itself is what the entity attribute says: both describe the same thing. */
export function describedBy(json: JsonObject, key: Attribute): Attribute {
  const description = key.description ?? descriptionOf(json, json['appliedTraits'])
  const displayName = key.displayName ?? displayNameOf(json, json['appliedTraits'])
  const traits = joinedTraits(keptTraits(json['appliedTraits']), key.traits)
  return withoutGaps({ ...key, description, displayName, traits })
}
