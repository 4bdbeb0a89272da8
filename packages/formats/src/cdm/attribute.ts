import { quoted } from '../import-error.ts'
import { namedFormat, type CdmFormat } from './data-types.ts'
import { bounds } from './bounds.ts'
import {
  booleanOf,
  isObject,
  isTooLong,
  listOf,
  nameOf,
  reportInvalidBooleans,
  textOf,
  type JsonObject,
} from './json.ts'
import { boundedTraits, readDeclaredValues, readValueBounds, type DeclaredValues } from './declared-values.ts'
import { descriptionOf, displayNameOf, hasTrait, joinedTraits, retainedTraits, traitArguments } from './traits.ts'
import type { Place } from './report.ts'

/**
 * A type attribute as written. Contains only stated properties, so that spreading a later definition overrides an
 * earlier one.
 */
export type Attribute = DeclaredValues & {
  name: string
  dataType?: string
  dataFormat?: CdmFormat
  purpose?: string
  isKey?: boolean
  isNullable?: boolean
  isReadOnly?: boolean
  displayName?: string
  description?: string
  sourceName?: string
  links?: readonly Link[]
  traits?: readonly unknown[]
}

/** A foreign key on a plain attribute: path of the target and its attribute. */
export type Link = { path: string; attribute: string | undefined }

/** Reads a type attribute; reports it and returns undefined if it has no name. */
export function readAttribute(json: JsonObject, place: Place): Attribute | undefined {
  const name = nameOf(json['name'])
  if (name === undefined) {
    place.lost(isTooLong(json['name']) ? longName : 'An attribute without a name was left out.')
    return undefined
  }
  const dataType = json['dataType']
  const purpose = json['purpose']
  const inside = place.in(name)
  reportInvalidBooleans(json, booleans, message => inside.lost(message))
  reportOtherProperties(json, inside)
  return withoutGaps({
    name,
    dataType: isObject(dataType) ? nameOf(dataType['dataTypeReference']) : nameOf(dataType),
    dataFormat: formatOf(json['dataFormat'], inside),
    purpose: isObject(purpose) ? nameOf(purpose['purposeReference']) : nameOf(purpose),
    isKey: isDeclaredKey(json) || undefined,
    isNullable: booleanOf(json['isNullable']),
    isReadOnly: booleanOf(json['isReadOnly']),
    displayName: displayNameOf(json, json['appliedTraits']),
    description: descriptionOf(json, json['appliedTraits']),
    sourceName: textOf(json['sourceName']),
    links: linksOf(json['appliedTraits']),
    traits: traitsOf(json),
    ...readDeclaredValues(json, dataType, inside),
  })
}

const booleans = ['isNullable', 'isReadOnly', 'isPrimaryKey', 'valueConstrainedToList']

/** Supported properties of attributes and entity attributes; isPolymorphicSource is implied by the source. */
const readProperties: ReadonlySet<string> = new Set(
  `$type name dataType dataFormat purpose isPrimaryKey isNullable isReadOnly displayName description explanation sourceName
  appliedTraits maximumLength minimumValue maximumValue valueConstrainedToList defaultValue resolutionGuidance projection projections
  cardinality entity isPolymorphicSource`.split(/\s+/),
)

/** The foreign key defines all other properties of a reference. */
const readOfReferences: ReadonlySet<string> = new Set(
  `name entity purpose displayName description explanation appliedTraits resolutionGuidance cardinality isPolymorphicSource`.split(
    ' ',
  ),
)

export function reportOtherProperties(json: JsonObject, place: Place, isReference = false): void {
  const read = isReference ? readOfReferences : readProperties
  const others = Object.keys(json).filter(key => !read.has(key) && json[key] !== null)
  place.gather('attributeProperties', others)
}

const longName = `An attribute whose name has more than ${bounds.nameLength} characters was left out.`

function formatOf(value: unknown, place: Place): CdmFormat | undefined {
  const text = textOf(value)
  const format = namedFormat(text ?? '')
  if (text !== undefined && format === undefined)
    place.lost(`Its data format ${quoted(text)} is not supported; it was left out.`)
  return format
}

function withoutGaps(attribute: Attribute): Attribute {
  const entries = Object.entries(attribute).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(entries), name: attribute.name }
}

function isDeclaredKey({ isPrimaryKey, appliedTraits, purpose }: JsonObject): boolean {
  const ofPurpose = isObject(purpose) ? purpose['appliedTraits'] : undefined
  return (
    booleanOf(isPrimaryKey) === true || [appliedTraits, ofPurpose].some(traits => hasTrait(traits, 'is.identifiedBy'))
  )
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

function traitsOf(json: JsonObject): readonly unknown[] | undefined {
  const written = json['appliedTraits']
  const isReadOnly = booleanOf(json['isReadOnly']) === true && !hasTrait(written, 'is.readOnly')
  const retained = [...retainedTraits(written), ...(isReadOnly ? ['is.readOnly'] : [])]
  const traits = boundedTraits(retained, readValueBounds(json, json['dataType']))
  return traits.length > 0 ? traits : undefined
}

/** Completes the foreign key with texts and traits of the entity attribute, because both describe the same column. */
export function describedBy(json: JsonObject, key: Attribute): Attribute {
  const description = key.description ?? descriptionOf(json, json['appliedTraits'])
  const displayName = key.displayName ?? displayNameOf(json, json['appliedTraits'])
  const traits = joinedTraits(retainedTraits(json['appliedTraits']), key.traits)
  return withoutGaps({ ...key, description, displayName, traits })
}
