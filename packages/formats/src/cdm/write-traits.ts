import { canonicalJson } from '@cadmus/model/content'
import { traitNames as knownTraits } from '@cadmus/model/trait-names'
import { readChoices, type Choice } from './choices.ts'
import { isObject, listOf, textOf } from './json.ts'
import { displayNameOf, displayTrait, statingTrait, traitArgument, traitName } from './traits.ts'

const known: ReadonlySet<string> = new Set(knownTraits)

/**
 * Traits of the standard documents that say something without an argument, and change neither the format of an attribute nor what it
 * is. All others may need what a folder does not have, or would be read as something else.
 */
const plain =
  /^(?:is\.(?:readOnly|hidden|secret|required|sensitive)|means\.(?!attributeName|content|entityName|entityState|relationship|timestamp|time(?:\.|$)|measurement\.(?:dimension|units|prefix|distance|temperature|weight)).+)$/

export function mayBeWritten(trait: unknown): boolean {
  const name = traitName(trait)
  if (name === 'is.requiredAtLevel') return hasOneText(trait)
  return name !== undefined && known.has(name) && plain.test(name) && !hasArguments(trait)
}

function hasArguments(trait: unknown): boolean {
  return isObject(trait) && Object.keys(trait).some(key => key !== 'traitReference')
}

function hasOneText(trait: unknown): boolean {
  if (!isObject(trait) || Object.keys(trait).some(key => key !== 'traitReference' && key !== 'arguments')) return false
  const [argument, ...more] = listOf(trait['arguments'])
  if (more.length > 0) return false
  if (!isObject(argument)) return typeof argument === 'string'
  return argument['name'] === 'level' && typeof argument['value'] === 'string'
}

/** What a document says of the traits of one thing, and what of that a reader makes of it. */
export type SaidTraits = {
  displayName: string | undefined
  version: string | undefined
  traits: unknown[]
  asRead: unknown[]
}

export function saidTraits(traits: readonly unknown[], name: string, version?: string): SaidTraits {
  const displayName = displayNameOf({}, traits)
  const stated = textOf(traitArgument(traits, 'is.CDM.entityVersion', 'versionNumber', 0)) ?? version
  const written = traits.filter(mayBeWritten)
  const asRead = [
    ...displayTrait(displayName, name),
    ...written,
    ...statingTrait(written, 'is.CDM.entityVersion', { versionNumber: stated }),
  ]
  return { displayName: displayName === '' ? undefined : displayName, version: stated, traits: written, asRead }
}

/** The texts of the choices, where a trait has them: one for each, in their order. */
export function labelsOf(traits: readonly unknown[], choices: readonly string[]): readonly Choice[] | undefined {
  const listed = readChoices({ appliedTraits: traits }, undefined)
  if (listed === undefined || 'constant' in listed) return undefined
  const values = listed.map(({ value, label }) => value ?? label)
  return canonicalJson(values) === canonicalJson(choices) ? listed : undefined
}
