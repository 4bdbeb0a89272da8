import {
  newTypeAttribute,
  purposes,
  type DataType,
  type Purpose,
  type TypeAttribute,
} from '@cadmus/model/type-attribute'
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
  const { attribute, written } = resolved
  const choices = folder.lookup.choices(attribute, { view: of.entity.in, written })
  const { dataType, format } = productTypes[formatOf(resolved, of, folder)]
  return newTypeAttribute({
    name: attribute.name,
    dataType,
    format,
    purpose: purposeOf(attribute),
    description: attribute.description ?? '',
    nullable: attribute.isNullable ?? false,
    choices: valuesOf(choices, dataType, placeOf(resolved, of, folder)),
    maxLength: dataType === 'string' ? (attribute.maximumLength ?? null) : null,
    defaultValue: attribute.defaultValue ?? null,
    precision: format === 'decimal' ? (attribute.precision ?? null) : null,
    scale: format === 'decimal' ? (attribute.scale ?? null) : null,
    traits: [...traitsOf(attribute), ...labelTrait(choices)],
    position,
  })
}

/** The stored values, or the texts where there are none; none blank, none twice, and for an integer none that is no number. */
function valuesOf(choices: readonly Choice[], dataType: DataType, place: Place): string[] {
  const values = new Map(choices.map(({ value, label }) => [(value ?? label).trim(), value ?? label]))
  values.delete('')
  const wrong = dataType === 'integer' ? [...values.keys()].filter(value => !/^[+-]?\d+$/.test(value)) : []
  const [first] = wrong
  if (first === undefined) return [...values.values()]
  const what = wrong.length === 1 ? `The choice ${quoted(first)} is` : `${wrong.length} choices are`
  const example = wrong.length === 1 ? '' : `, ${quoted(first)} for one`
  place.warning(`${what} no integer, as its data type wants${example}; left out.`)
  for (const value of wrong) values.delete(value)
  return [...values.values()]
}

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
function formatOf(resolved: ResolvedAttribute, of: ResolvedEntity, folder: CdmFolder): CdmFormat {
  const { attribute, written } = resolved
  const format = folder.lookup.format(attribute, { view: of.entity.in, written })
  if (format !== undefined) return format
  const place = placeOf(resolved, of, folder)
  if (attribute.dataType === undefined) place.warning('It has no data type; it was read as a string.')
  else place.warning(`Its data type ${quoted(attribute.dataType)} is not defined; it was read as a string.`)
  return 'String'
}

function placeOf({ attribute }: ResolvedAttribute, of: ResolvedEntity, { report }: CdmFolder): Place {
  return report.at(`${corpusPathOf(of.entity).slice(1)}/${attribute.name}`)
}

/** The texts of a value list have no place in the model: they stay as the trait that holds them. */
function labelTrait(choices: readonly Choice[]): unknown[] {
  if (choices.every(({ value, label }) => value === null || value === label)) return []
  const rows = choices.map(({ value, label }, index) => ['en', label, value ?? '', String(index)])
  return [tableTrait('does.haveDefault', 'listLookupValues', rows)]
}
