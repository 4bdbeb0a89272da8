import { newTypeAttribute, purposes, type Purpose, type TypeAttribute } from '@cadmus/model/type-attribute'
import { repeatedKey } from '@cadmus/model/values/json'
import { isFault, readChoice, type LiteralType } from '@cadmus/model/values/literal'
import { quoted } from '../import-error.ts'
import type { Attribute } from './attribute.ts'
import type { Choice } from './choices.ts'
import { productTypes, type CdmFormat } from './data-types.ts'
import type { CdmFolder } from './folder.ts'
import type { Place } from './report.ts'
import { isKey, type ResolvedAttribute, type ResolvedEntity } from './resolved.ts'
import { corpusPathOf } from './scope.ts'
import { displayTrait, tableTrait } from './traits.ts'

export function toTypeAttribute(
  resolved: ResolvedAttribute,
  of: ResolvedEntity,
  position: number,
  folder: CdmFolder,
): TypeAttribute {
  const resolution = { view: of.entity.in, written: resolved.written }
  const attribute = folder.lookup.typed(resolved.attribute, resolution)
  const choices = folder.lookup.choices(attribute, resolution)
  const place = placeOf(resolved, of, folder)
  const type = literalTypeOf(attribute, formatOf(resolved, place, of, folder))
  reportMissingList(attribute, choices, place)
  if (attribute.maximumLength !== undefined && type.dataType !== 'string')
    place.lost(`Its maximum length ${attribute.maximumLength} was left out: only a string has one.`)
  if (attribute.precision !== undefined && type.format !== 'decimal')
    place.lost(`Its precision ${attribute.precision} was left out: only a decimal has one.`)
  return newTypeAttribute({
    ...type,
    name: attribute.name,
    purpose: purposeOf(attribute),
    description: attribute.description ?? '',
    nullable: attribute.isNullable ?? false,
    choices: valuesOf(choices, type, place),
    defaultValue: defaultOf(attribute, type, place),
    traits: [...traitsOf(attribute), ...labelTrait(choices)],
    position,
  })
}

function literalTypeOf(attribute: Attribute, cdmFormat: CdmFormat): LiteralType {
  const { dataType, format } = productTypes[cdmFormat]
  const isDecimal = format === 'decimal'
  return {
    dataType,
    format,
    maxLength: dataType === 'string' ? (attribute.maximumLength ?? null) : null,
    precision: isDecimal ? (attribute.precision ?? null) : null,
    scale: isDecimal ? (attribute.scale ?? null) : null,
  }
}

/** Reports a declared value list without values; the attribute then has none. */
function reportMissingList({ choices, isList }: Attribute, values: readonly Choice[], place: Place): void {
  if (values.length > 0) return
  if (choices === undefined) {
    if (isList) place.changed('It declares a value list but has none; it accepts any value.')
    return
  }
  const what = 'constant' in choices ? `list of values ${quoted(choices.constant)} was not found or` : 'list of values'
  place.changed(`Its ${what} is empty; it accepts any value.`)
}

/**
 * The stored values, or the texts if there are none; without blanks, duplicates and values invalid for the data type.
 */
function valuesOf(choices: readonly Choice[], type: LiteralType, place: Place): string[] {
  const all = choices.map(({ value, label }) => value ?? label)
  const originals = new Map(all.map(text => [text.trim(), text]))
  originals.delete('')
  reportLeftOut(all, originals, place)
  const pairs = [...originals.values()].map(text => ({ text, value: normalized(text, type) }))
  const isText = type.dataType === 'string' || type.dataType === 'object'
  const valid = isText ? pairs : pairs.filter(({ value }) => !isFault(readChoice(value, type)))
  const changed = valid.filter(({ text, value }) => text !== value)
  reportChoices(changed, 'converted to its data type', message => place.changed(message))
  reportChoices(
    pairs.filter(pair => !valid.includes(pair)),
    'invalid for its data type; left out',
    message => place.lost(message),
  )
  return [...new Set(valid.map(({ value }) => value))]
}

/** Reports values that are blank or differ from another only in whitespace. */
function reportLeftOut(all: readonly string[], originals: ReadonlyMap<string, string>, place: Place): void {
  const others = all.filter(text => originals.get(text.trim()) !== text)
  reportChoices(
    [...new Set(others)].map(text => ({ text })),
    'blank, or a duplicate apart from spaces; left out',
    message => place.lost(message),
  )
}

function reportChoices(pairs: readonly { text: string }[], what: string, report: (message: string) => void): void {
  const [first] = pairs
  if (!first) return
  const one = quoted(first.text)
  report(pairs.length === 1 ? `The choice ${one} is ${what}.` : `${pairs.length} choices are ${what}, such as ${one}.`)
}

function defaultOf({ defaultValue }: Attribute, type: LiteralType, place: Place): string | null {
  if (defaultValue === undefined) return null
  const value = normalized(defaultValue, type)
  if (value !== defaultValue) place.changed(`Its default value ${quoted(defaultValue)} was read as ${quoted(value)}.`)
  const twice = type.dataType === 'object' && type.format !== 'binary' ? repeatedKey(value) : undefined
  if (twice !== undefined) {
    place.note(`Its default value has the key ${quoted(twice)} more than once; databases may keep only one of them.`)
  }
  return value
}

/** Normalises values that documents write with surrounding spaces, in upper case, as numbers or in braces. */
function normalized(text: string, { dataType, format }: LiteralType): string {
  if (dataType === 'object' || (dataType === 'string' && format !== 'guid')) return text
  const plain = text.trim()
  if (dataType === 'boolean') return booleanWords.get(plain.toLowerCase()) ?? plain
  return dataType === 'string' ? (/^\{(.*)\}$/.exec(plain)?.[1] ?? plain) : plain
}

const booleanWords: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['0', 'false'],
])

/** Purposes that the model lacks are read as `hasA`; the identifying trait makes the attribute a key. */
export function purposeOf(attribute: Attribute): Purpose {
  if (isKey(attribute)) return 'identifiedBy'
  return purposes.find(purpose => purpose === attribute.purpose) ?? 'hasA'
}

/** The attribute's traits, plus its display name if that differs from the name. */
export function traitsOf(attribute: Attribute): unknown[] {
  return [...displayTrait(attribute.displayName, attribute.name), ...(attribute.traits ?? [])]
}

/** String, with a report line, if the data type is not defined. */
function formatOf(resolved: ResolvedAttribute, place: Place, of: ResolvedEntity, folder: CdmFolder): CdmFormat {
  const { attribute, written } = resolved
  const format = folder.lookup.format(attribute, { view: of.entity.in, written })
  if (format !== undefined) return format
  if (attribute.dataType === undefined) place.changed('It has no data type; it was read as a string.')
  else place.changed(`Its data type ${quoted(attribute.dataType)} is not defined; it was read as a string.`)
  return 'String'
}

function placeOf({ attribute }: ResolvedAttribute, of: ResolvedEntity, { report }: CdmFolder): Place {
  return report.at(`${corpusPathOf(of.entity).slice(1)}/${attribute.name}`)
}

/** The model has no texts for choices: they are kept in the trait. */
export function labelTrait(choices: readonly Choice[]): unknown[] {
  if (choices.every(({ value, label }) => value === null || value === label)) return []
  const rows = choices.map(({ value, label }, index) => ['en', label, value ?? '', String(index)])
  return [tableTrait('does.haveDefault', 'listLookupValues', rows)]
}
