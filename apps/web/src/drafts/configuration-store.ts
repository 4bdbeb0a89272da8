import { type Configuration, configurationForm, isPlaceholder, standsForSecret } from '@cadmus/model/configuration'
import { hasPassword } from '@cadmus/model/database-types'
import { renamingBetween, withNewNames } from '@cadmus/model/configuration-names'
import {
  applyConfigurationEdits,
  type ConfigurationEdit,
  configurationEditsBetween,
  invertConfigurationEdits,
} from '@cadmus/model/edits/configuration-edits'
import { editForms } from '@cadmus/model/edits/edit-forms'
import { isEqual } from '@cadmus/model/equal'
import { defaults } from '@cadmus/model/limits'
import { isSecretField, mergeConfigurations, mergeConfigurationsTakingTheirs } from '@cadmus/model/merge/configuration'
import { messages } from '@cadmus/model/messages'
import { customManifestPath } from '@cadmus/model/paths'
import type { SavedConfiguration } from '../api/configurations.ts'
import { deletionOf } from '../api/logs.ts'
import { compareConfigurations } from '../commands/configuration-words.ts'
import type { SecretAdapter } from './draft-adapter.ts'
import { type Draft, Drafts } from './draft.ts'
import type { OpenDraft } from './open-draft.ts'
import { OpenDrafts } from './open-drafts.ts'
import { draftForm, type StoredPlace, type WithoutSecrets } from './stored-draft.ts'

type Change = ConfigurationEdit['changes'][number]
type Property = Configuration['packageProperties']['customProperties'][number]

/**
 * Strips secrets from a draft before the browser stores it: typed passwords, connection URLs that contain one, and
 * values of secret properties, also from before they were marked secret. Of several changes to a secret only the last is kept.
 */
export const withoutSecrets: WithoutSecrets<Configuration, ConfigurationEdit> = ({ base, steps }) => {
  const { customProperties } = base.packageProperties
  const storedByName = new Map(customProperties.map(item => [item.name, item]))
  const lists = steps.flatMap(({ edits }) => edits.flatMap(({ changes }) => changes.filter(isProperties)))
  const last = lists.at(-1)
  const typedIn = (change: Change | undefined) => itemsIn(change?.value).filter(isTypedSecret)
  const isSecret = lists.some(change => typedIn(change).length > 0)
  const storedFor = (change: Change): Change[] => {
    if (isTypedText(change)) return []
    if (!isSecret || !isProperties(change)) return [change]
    if (change !== last) return []
    const value = itemsIn(change.value).map(item => hidden(item, storedByName))
    // If a stored secret was the only change, nothing is left to store.
    return isEqual(value, customProperties) ? [] : [{ ...change, value }]
  }
  const stripped = steps.flatMap(({ edits, ...step }) => {
    const left = edits.map(edit => ({ ...edit, changes: edit.changes.flatMap(storedFor) }))
    return left.every(({ changes }) => changes.length === 0) ? [] : [{ ...step, edits: left }]
  })
  const typed = typedIn(last)
  return {
    base: withoutValues(base, new Set(typed.map(({ name }) => name))),
    steps: stripped,
    // Values that were stored openly before are part of the saved configuration.
    secretsOmitted:
      typed.some(({ name, value }) => storedByName.get(name)?.value !== value) ||
      steps.some(({ edits }) => edits.some(({ changes }) => changes.some(isTypedText))),
  }
}

type PropertiesByName = ReadonlyMap<string, Property>

/** Replaces a typed secret with its stored placeholder, if there is one. */
function hidden(item: Property, storedByName: PropertiesByName): Property {
  if (!isTypedSecret(item)) return item
  const stored = storedByName.get(item.name)
  return { ...item, value: stored?.secret ? stored.value : '' }
}

/** Drops the plain values of properties that become secret, and a connection URL that contains a password. */
function withoutValues(base: Configuration, names: ReadonlySet<string>): Configuration {
  const { packageProperties } = base
  const { connectionPoolInfo: pool } = packageProperties
  const isOpen = ({ name, secret }: Property) => !secret && names.has(name)
  if (!hasPassword(pool.url) && !packageProperties.customProperties.some(isOpen)) return base
  const connectionPoolInfo = hasPassword(pool.url) ? { ...pool, url: '' } : pool
  const customProperties = packageProperties.customProperties.map(item =>
    isOpen(item) ? { ...item, value: '' } : item,
  )
  return { ...base, packageProperties: { connectionPoolInfo, customProperties } }
}

/** Whether a change is a typed password or a connection URL that contains one. */
function isTypedText({ path, value }: Change): boolean {
  if (typeof value !== 'string') return false
  if (path.at(-1) === 'url') return hasPassword(value)
  return path.at(-1) === 'password' && value !== '' && !standsForSecret(value)
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

/** The connection password and the secret properties. Each stored secret has its own placeholder. */
const configurationSecrets: SecretAdapter<Configuration> = { isAt: isSecretField, asStored }

/** Replaces typed secrets with their placeholders after the save. */
function asStored(sent: Configuration, saved: Configuration): (content: Configuration) => Configuration {
  const [before, stored] = [sent.packageProperties, saved.packageProperties]
  const properties = new Map(stored.customProperties.map(item => [item.name, item]))
  const typed = before.customProperties.filter(({ secret, value }) => secret && isTyped(value))
  const storedByName = new Map(typed.map(({ name, value }) => [name, { value, now: properties.get(name) }]))
  const { password } = before.connectionPoolInfo
  const passwordOf = (value: string) =>
    value === password && isTyped(password) ? stored.connectionPoolInfo.password : value
  return content => ({
    ...content,
    packageProperties: {
      connectionPoolInfo: {
        ...content.packageProperties.connectionPoolInfo,
        password: passwordOf(content.packageProperties.connectionPoolInfo.password),
      },
      customProperties: content.packageProperties.customProperties.map(item => {
        const sentSecret = item.secret ? storedByName.get(item.name) : undefined
        return sentSecret?.now?.secret && sentSecret.value === item.value
          ? { ...item, value: sentSecret.now.value }
          : item
      }),
    },
  })
}

function isTyped(value: string): boolean {
  return value !== '' && !isPlaceholder(value)
}

export type ConfigurationDraft = Draft<SavedConfiguration, Configuration, ConfigurationEdit>
export type OpenConfiguration = OpenDraft<SavedConfiguration, Configuration, ConfigurationEdit>

export const configurationDrafts = new Drafts<SavedConfiguration, Configuration, ConfigurationEdit>({
  contentOf: ({ configuration }) => configuration,
  apply: applyConfigurationEdits,
  invert: invertConfigurationEdits,
  between: configurationEditsBetween,
  compare: compareConfigurations,
  merge: mergeConfigurations,
  mergeTakingTheirs: mergeConfigurationsTakingTheirs,
  renaming: (base, theirs) => {
    const names = renamingBetween(base, theirs)
    return names && (content => withNewNames(content, names))
  },
  secrets: configurationSecrets,
})

/** Every open configuration and viewed old version, with its unsaved edits. */
export const configurationStore = new OpenDrafts({
  kind: 'configuration',
  drafts: configurationDrafts,
  title: ({ name }) => titleOf(name),
  failed: messages.failed.saveConfiguration,
  withoutSecrets,
  placeOf: ({ path, currentVersion: version }) => ({ path, version, manifest: null }),
  deletion: ({ id }, scope) => deletionOf('manifest', id, scope),
})

/** Stands in for the configuration of a deleted manifest, built from a draft. */
export function configurationStandIn(
  id: number,
  configuration: Configuration,
  place: StoredPlace | undefined,
): SavedConfiguration {
  const { manifestName: name } = configuration
  const { path, version } = place ?? { path: customManifestPath(name), version: defaults.version }
  const versions = { versions: [version], latestVersion: version, currentVersion: version }
  return { id, name, path, isDefault: false, ...versions, configuration }
}

export const configurationDraftForm = draftForm('configuration draft', configurationForm, editForms.configuration)

export function titleOf(manifestName: string): string {
  return `${manifestName} Configuration`
}
