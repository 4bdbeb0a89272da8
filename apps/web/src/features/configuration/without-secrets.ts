import { standsForSecret, type Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { isEqual } from '@cadmus/model/equal'
import type { WithoutSecrets } from '../../drafts/stored-draft.ts'

type Change = ConfigurationEdit['changes'][number]
type Property = Configuration['packageProperties']['customProperties'][number]

/**
 * Strips secrets from a draft before the browser stores it: typed passwords and values of secret properties, also from
 * before they were marked secret. Of several changes to a secret only the last is kept.
 */
export const withoutSecrets: WithoutSecrets<Configuration, ConfigurationEdit> = ({ base, steps }) => {
  const { customProperties } = base.packageProperties
  const storedByName = new Map(customProperties.map(item => [item.name, item]))
  const lists = steps.flatMap(({ edits }) => edits.flatMap(({ changes }) => changes.filter(isProperties)))
  const last = lists.at(-1)
  const typedIn = (change: Change | undefined) => itemsIn(change?.value).filter(isTypedSecret)
  const isSecret = lists.some(change => typedIn(change).length > 0)
  const storedFor = (change: Change): Change[] => {
    if (isTypedPassword(change)) return []
    if (!isSecret || !isProperties(change)) return [change]
    if (change !== last) return []
    const value = itemsIn(change.value).map(item => hidden(item, storedByName))
    // If a stored secret was the only change, nothing is left to store.
    return isEqual(value, customProperties) ? [] : [{ ...change, value }]
  }
  const stripped = steps.flatMap(({ name, edits }) => {
    const left = edits.map(edit => ({ ...edit, changes: edit.changes.flatMap(storedFor) }))
    return left.every(({ changes }) => changes.length === 0) ? [] : [{ name, edits: left }]
  })
  const typed = typedIn(last)
  return {
    base: withoutValues(base, new Set(typed.map(({ name }) => name))),
    steps: stripped,
    // Values that were stored openly before are part of the saved configuration.
    secretsOmitted:
      typed.some(({ name, value }) => storedByName.get(name)?.value !== value) ||
      steps.some(({ edits }) => edits.some(({ changes }) => changes.some(isTypedPassword))),
  }
}

type PropertiesByName = ReadonlyMap<string, Property>

/** Replaces a typed secret with its stored placeholder, if there is one. */
function hidden(item: Property, storedByName: PropertiesByName): Property {
  if (!isTypedSecret(item)) return item
  const stored = storedByName.get(item.name)
  return { ...item, value: stored?.secret ? stored.value : '' }
}

/** Drops openly stored values of properties that become secret. */
function withoutValues(base: Configuration, names: ReadonlySet<string>): Configuration {
  const { packageProperties } = base
  const isOpen = ({ name, secret }: Property) => !secret && names.has(name)
  if (!packageProperties.customProperties.some(isOpen)) return base
  const customProperties = packageProperties.customProperties.map(item =>
    isOpen(item) ? { ...item, value: '' } : item,
  )
  return { ...base, packageProperties: { ...packageProperties, customProperties } }
}

function isTypedPassword({ path, value }: Change): boolean {
  return path.at(-1) === 'password' && typeof value === 'string' && value !== '' && !standsForSecret(value)
}

function isProperties({ path }: Change): boolean {
  return path.at(-1) === 'customProperties'
}

function itemsIn(value: unknown): Property[] {
  return Array.isArray(value) ? value.filter(isProperty) : []
}

function isProperty(item: unknown): item is Property {
  return typeof item === 'object' && item !== null && 'secret' in item && 'value' in item && 'name' in item
}

function isTypedSecret({ secret, value }: Property): boolean {
  return secret && value !== '' && !standsForSecret(value)
}
