import { isObject, listOf, nameOf, textOf, type JsonObject } from './json.ts'

const displayedAs = 'is.localized.displayedAs'
const describedAs = 'is.localized.describedAs'

/** The name of a trait reference, which is a string or an object. */
export function traitName(value: unknown): string | undefined {
  if (!isObject(value)) return nameOf(value)
  return nameOf(value['traitReference']) ?? nameOf(value['traitGroupReference'])
}

export function traitNames(traits: unknown): string[] {
  return listOf(traits).flatMap(trait => traitName(trait) ?? [])
}

export function hasTrait(traits: unknown, name: string): boolean {
  return listOf(traits).some(trait => traitName(trait) === name)
}

/** Arguments of the first trait with that name: plain values, or the values of named arguments. */
export function traitArguments(traits: unknown, name: string): readonly unknown[] {
  const trait = listOf(traits).find(item => traitName(item) === name)
  if (!isObject(trait)) return []
  return listOf(trait['arguments']).map(argument => (isNamedArgument(argument) ? argument['value'] : argument))
}

/** The argument with that name, otherwise the unnamed one at the given position. */
export function traitArgument(traits: unknown, name: string, argument: string, place: number): unknown {
  const trait = listOf(traits).find(item => traitName(item) === name)
  const all = isObject(trait) ? listOf(trait['arguments']) : []
  const named = all.filter(isNamedArgument).find(item => item['name'] === argument)
  return named ? named['value'] : all.filter(item => !isNamedArgument(item))[place]
}

/** The description: the property, else the trait's English text, else its first text, else the explanation. */
export function descriptionOf(json: JsonObject, traits: unknown): string | undefined {
  return textOf(json['description']) ?? localizedText(traits, describedAs) ?? textOf(json['explanation'])
}

export function displayNameOf(json: JsonObject, traits: unknown): string | undefined {
  return textOf(json['displayName']) ?? localizedText(traits, displayedAs)
}

/** All traits except the two that are read as name and description. */
export function retainedTraits(traits: unknown): unknown[] {
  return listOf(traits).filter(trait => {
    const name = traitName(trait)
    return name !== displayedAs && name !== describedAs
  })
}

/** Merges the traits of two definitions; the later one wins. */
export function joinedTraits(
  earlier: readonly unknown[] | undefined,
  later: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (!earlier || earlier.length === 0 || !later) return later ?? earlier
  const names = new Set(traitNames(later))
  return [...earlier.filter(trait => !names.has(traitName(trait) ?? '')), ...later]
}

/** A trait with the display name, if it differs from the name. */
export function displayTrait(displayName: string | undefined, name: string): unknown[] {
  if (displayName === undefined || displayName === '' || displayName === name) return []
  return [tableTrait(displayedAs, 'localizedTable', [['en', displayName]])]
}

export function tableTrait(traitReference: string, entityShape: string, constantValues: string[][]) {
  return { traitReference, arguments: [{ entityReference: { entityShape, constantValues } }] }
}

/** A trait for values that the model cannot express otherwise, unless the trait already exists. */
export function valueTrait(traits: unknown, name: string, values: Readonly<Record<string, unknown>>): unknown[] {
  const present = Object.entries(values).filter(([, value]) => textOf(value) !== undefined)
  if (present.length === 0 || hasTrait(traits, name)) return []
  return [{ traitReference: name, arguments: present.map(([argument, value]) => ({ name: argument, value })) }]
}

function localizedText(traits: unknown, name: string): string | undefined {
  const [table] = traitArguments(traits, name)
  const reference = isObject(table) ? table['entityReference'] : undefined
  const rows = isObject(reference) ? listOf(reference['constantValues']).map(listOf) : []
  const row = rows.find(([tag]) => isEnglish(tag)) ?? rows[0]
  return textOf(row?.[1])
}

export function isEnglish(languageTag: unknown): boolean {
  return typeof languageTag === 'string' && /^en(?:-|$)/i.test(languageTag)
}

function isNamedArgument(value: unknown): value is JsonObject {
  return isObject(value) && 'value' in value
}
