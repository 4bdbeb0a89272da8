import { isPlaceholder, secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import type { WithoutSecrets } from '../../drafts/kept-draft.ts'

type Change = ConfigurationEdit['changes'][number]
type Property = Configuration['packageProperties']['customProperties'][number]

/**
 * A draft as the browser may keep it: a password that was typed is left out, and so is the value of a secret property, also from
 * before it was marked secret. Of the steps that led there the last one stays.
 */
export const withoutSecrets: WithoutSecrets<Configuration, ConfigurationEdit> = ({ base, steps }) => {
  const lists = steps.flatMap(({ edits }) => edits.flatMap(({ changes }) => changes.filter(isProperties)))
  const last = lists.at(-1)
  const isSecret = lists.some(({ value }) => itemsIn(value).some(isTypedSecret))
  const known = new Map(base.packageProperties.customProperties.map(item => [item.name, item]))
  const keptOf = (change: Change): Change[] => {
    if (isTypedPassword(change)) return []
    if (!isSecret || !isProperties(change)) return [change]
    return change === last ? [{ ...change, value: itemsIn(change.value).map(item => hidden(item, known)) }] : []
  }
  const kept = steps.flatMap(({ name, edits }) => {
    const left = edits.map(edit => ({ ...edit, changes: edit.changes.flatMap(keptOf) }))
    return left.every(({ changes }) => changes.length === 0) ? [] : [{ name, edits: left }]
  })
  const typed = itemsIn(last?.value).filter(isTypedSecret)
  return {
    base: withoutValues(base, new Set(typed.map(({ name }) => name))),
    steps: kept,
    // What was stored openly until now comes back with what is stored.
    withheld:
      typed.some(({ name, value }) => known.get(name)?.value !== value) ||
      steps.some(({ edits }) => edits.some(({ changes }) => changes.some(isTypedPassword))),
  }
}

function hidden(item: Property, known: ReadonlyMap<string, Property>): Property {
  if (!isTypedSecret(item)) return item
  return { ...item, value: known.get(item.name)?.secret ? secretPlaceholder : '' }
}

/** Without what is stored openly of properties that are secret from now on. */
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
  return path.at(-1) === 'password' && typeof value === 'string' && value !== '' && !isPlaceholder(value)
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
  return secret && value !== '' && !isPlaceholder(value)
}
