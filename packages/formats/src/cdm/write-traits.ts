import { canonicalJson } from '@cadmus/model/content'
import { traitNames as knownTraits } from '@cadmus/model/trait-names'
import { readChoices, type Choice } from './choices.ts'
import { isObject, listOf, textOf } from './json.ts'
import { displayNameOf, displayTrait, valueTrait, traitArgument, traitName } from './traits.ts'

const standardTraits: ReadonlySet<string> = new Set(knownTraits)

/**
 * Standard traits without arguments that affect neither the format nor the meaning of an attribute. Others may need
 * missing definitions or would be read differently.
 */
const plain =
  /^(?:is\.(?:readOnly|hidden|secret|required|sensitive)|means\.(?!attributeName|content|entityName|entityState|relationship|timestamp|time(?:\.|$)|measurement\.(?:dimension|units|prefix|distance|temperature|weight)).+)$/

export function isWritable(trait: unknown): boolean {
  const name = traitName(trait)
  if (name === 'is.requiredAtLevel') return hasOneText(trait)
  return name !== undefined && standardTraits.has(name) && plain.test(name) && !hasArguments(trait)
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

/** Traits as written to a document, and as readers restore them. */
export type WrittenTraits = {
  displayName: string | undefined
  version: string | undefined
  traits: unknown[]
  asRead: unknown[]
}

export function writtenTraits(traits: readonly unknown[], name: string, version?: string): WrittenTraits {
  const displayName = displayNameOf({}, traits)
  const versionNumber = textOf(traitArgument(traits, 'is.CDM.entityVersion', 'versionNumber', 0)) ?? version
  const written = traits.filter(isWritable)
  const asRead = [
    ...displayTrait(displayName, name),
    ...written,
    ...valueTrait(written, 'is.CDM.entityVersion', { versionNumber }),
  ]
  return { displayName: displayName === '' ? undefined : displayName, version: versionNumber, traits: written, asRead }
}

/** The texts of the choices if a trait has one for each, in order. */
export function labelsOf(traits: readonly unknown[], choices: readonly string[]): readonly Choice[] | undefined {
  const listed = readChoices({ appliedTraits: traits }, undefined)
  if (listed === undefined || 'constant' in listed) return undefined
  const values = listed.map(({ value, label }) => value ?? label)
  return canonicalJson(values) === canonicalJson(choices) ? listed : undefined
}
