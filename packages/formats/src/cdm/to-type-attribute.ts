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

/** A resolved attribute as a type attribute of the model. */
export function toTypeAttribute(
  resolved: ResolvedAttribute,
  of: ResolvedEntity,
  position: number,
  folder: CdmFolder,
): TypeAttribute {
  const outlook = { view: of.entity.in, written: resolved.written }
  const attribute = folder.lookup.typed(resolved.attribute, outlook)
  const choices = folder.lookup.choices(attribute, outlook)
  const place = placeOf(resolved, of, folder)
  const type = literalTypeOf(attribute, formatOf(resolved, place, of, folder))
  reportNoList(attribute, choices, place)
  if (attribute.maximumLength !== undefined && type.dataType !== 'string')
    place.warning(`Its maximum length ${attribute.maximumLength} was left out: only a string has one.`)
  if (attribute.precision !== undefined && type.format !== 'decimal')
    place.warning(`Its precision ${attribute.precision} was left out: only a decimal has one.`)
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

/** A list that is asked for and has no values leaves the attribute without one. */
function reportNoList({ choices, wantsList }: Attribute, values: readonly Choice[], place: Place): void {
  if (values.length > 0) return
  if (choices === undefined) {
    if (wantsList) place.warning('Its values are those of a list, but no list is given; it takes any value.')
    return
  }
  const what = 'constant' in choices ? `list of values ${quoted(choices.constant)} was not found or` : 'list of values'
  place.warning(`Its ${what} is empty; it takes any value.`)
}

/** The stored values, or the texts where there are none; none blank, none twice, and none that is no value of the data type. */
function valuesOf(choices: readonly Choice[], type: LiteralType, place: Place): string[] {
  const all = choices.map(({ value, label }) => value ?? label)
  const given = new Map(all.map(text => [text.trim(), text]))
  given.delete('')
  reportLeftOut(all, given, place)
  const pairs = [...given.values()].map(text => ({ text, value: tidied(text, type) }))
  const isText = type.dataType === 'string' || type.dataType === 'object'
  const kept = isText ? pairs : pairs.filter(({ value }) => !isFault(readChoice(value, type)))
  const changed = kept.filter(({ text, value }) => text !== value)
  reportChoices(changed, 'read in the way of its data type', place)
  reportChoices(
    pairs.filter(pair => !kept.includes(pair)),
    'no value of its data type; left out',
    place,
  )
  return [...new Set(kept.map(({ value }) => value))]
}

/** None stands beside another that differs from it in blanks only, nor is blank itself. */
function reportLeftOut(all: readonly string[], given: ReadonlyMap<string, string>, place: Place): void {
  const others = all.filter(text => given.get(text.trim()) !== text)
  reportChoices(
    [...new Set(others)].map(text => ({ text })),
    'blank, or another one but for blanks around it; left out',
    place,
  )
}

function reportChoices(pairs: readonly { text: string }[], what: string, place: Place): void {
  const [first] = pairs
  if (!first) return
  const one = quoted(first.text)
  place.warning(
    pairs.length === 1 ? `The choice ${one} is ${what}.` : `${pairs.length} choices are ${what}, ${one} for one.`,
  )
}

function defaultOf({ defaultValue }: Attribute, type: LiteralType, place: Place): string | null {
  if (defaultValue === undefined) return null
  const value = tidied(defaultValue, type)
  if (value !== defaultValue) place.warning(`Its default value ${quoted(defaultValue)} was read as ${quoted(value)}.`)
  const twice = type.dataType === 'object' && type.format !== 'binary' ? repeatedKey(value) : undefined
  if (twice !== undefined) {
    place.warning(`Its default value has the key ${quoted(twice)} more than once; databases may keep one of them only.`)
  }
  return value
}

/** Values are written in one way; documents know others, with blanks around them, in capitals, as numbers or in braces. */
function tidied(text: string, { dataType, format }: LiteralType): string {
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

/** Any purpose outside the model's is read as `hasA`; the trait that marks a key makes it one. */
export function purposeOf(attribute: Attribute): Purpose {
  if (isKey(attribute)) return 'identifiedBy'
  return purposes.find(purpose => purpose === attribute.purpose) ?? 'hasA'
}

/** The attribute's traits, and its display name where it says more than the name. */
export function traitsOf(attribute: Attribute): unknown[] {
  return [...displayTrait(attribute.displayName, attribute.name), ...(attribute.traits ?? [])]
}

/** String, with a line in the report, where the attribute has no data type that anything defines. */
function formatOf(resolved: ResolvedAttribute, place: Place, of: ResolvedEntity, folder: CdmFolder): CdmFormat {
  const { attribute, written } = resolved
  const format = folder.lookup.format(attribute, { view: of.entity.in, written })
  if (format !== undefined) return format
  if (attribute.dataType === undefined) place.warning('It has no data type; it was read as a string.')
  else place.warning(`Its data type ${quoted(attribute.dataType)} is not defined; it was read as a string.`)
  return 'String'
}

function placeOf({ attribute }: ResolvedAttribute, of: ResolvedEntity, { report }: CdmFolder): Place {
  return report.at(`${corpusPathOf(of.entity).slice(1)}/${attribute.name}`)
}

/** The texts of a value list have no place in the model: they stay as the trait that holds them. */
export function labelTrait(choices: readonly Choice[]): unknown[] {
  if (choices.every(({ value, label }) => value === null || value === label)) return []
  const rows = choices.map(({ value, label }, index) => ['en', label, value ?? '', String(index)])
  return [tableTrait('does.haveDefault', 'listLookupValues', rows)]
}
