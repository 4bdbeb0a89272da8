import { readConfiguration, secretPlaceholder, type Configuration } from '@cadmus/model/configuration'
import { renamingBetween, withNewNames } from '@cadmus/model/configuration-names'
import { configurationEditSchema, type ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import {
  applyConfigurationEdits,
  configurationEditsBetween,
  invertConfigurationEdits,
} from '@cadmus/model/edits/configuration-edits'
import { mergeConfigurations, mergeConfigurationsTaking } from '@cadmus/model/merge-configuration'
import { messages } from '@cadmus/model/messages'
import type { SavedConfiguration } from '../../api/configurations.ts'
import { Drafts, type Draft } from '../../drafts/draft.ts'
import { DraftStore, type OpenDraft } from '../../drafts/draft-store.ts'
import { keptDraftSchema } from '../../drafts/kept-draft.ts'
import { compareConfigurations } from './words.ts'

export type ConfigurationDraft = Draft<SavedConfiguration, Configuration, ConfigurationEdit>
export type OpenConfiguration = OpenDraft<SavedConfiguration, Configuration, ConfigurationEdit>

/** Drafts of configurations. */
export const configurationDrafts = new Drafts<SavedConfiguration, Configuration, ConfigurationEdit>({
  contentOf: ({ configuration }) => configuration,
  apply: applyConfigurationEdits,
  invert: invertConfigurationEdits,
  between: configurationEditsBetween,
  compare: compareConfigurations,
  merge: mergeConfigurations,
  mergeTakingTheirs: (base, mine, theirs) => mergeConfigurationsTaking('theirs', base, mine, theirs),
  // A list is set as a whole by a step: what others added to it would go.
  withMine: (_replayed, { base, content }, theirs) => mergeConfigurationsTaking('mine', base, content, theirs),
  renaming: (base, theirs) => {
    const names = renamingBetween(base, theirs)
    return names && (content => withNewNames(content, names))
  },
})

/** Every open configuration, and every old version of one that is viewed, with its unsaved edits. */
export const configurationStore = new DraftStore({
  kind: 'configuration',
  drafts: configurationDrafts,
  title: ({ name }) => titleOf(name),
  failed: messages.failed.saveConfiguration,
  withoutSecrets,
})

export const keptConfigurationSchema = keptDraftSchema(readConfiguration, configurationEditSchema)

/** What the tab of a manifest's configuration is called. */
export function titleOf(manifestName: string): string {
  return `${manifestName} Configuration`
}

/** The edits as the browser may keep them: a password that was typed is left out, and so is the value of a secret property. */
export function withoutSecrets(edits: readonly ConfigurationEdit[], base: Configuration): readonly ConfigurationEdit[] {
  return edits.map(edit => {
    const changes = edit.changes.flatMap(change => withoutSecret(change, base))
    const isWhole = changes.length === edit.changes.length && changes.every((one, at) => one === edit.changes[at])
    return isWhole ? edit : { ...edit, changes }
  })
}

type Change = ConfigurationEdit['changes'][number]
type Property = Configuration['packageProperties']['customProperties'][number]

function withoutSecret(change: Change, { packageProperties }: Configuration): Change[] {
  const { path, value: given } = change
  const field = path.at(-1)
  if (field === 'password') return given === '' || given === secretPlaceholder ? [change] : []
  if (field !== 'customProperties' || !Array.isArray(given) || !given.some(isTypedSecret)) return [change]
  const stored = new Set(packageProperties.customProperties.filter(item => item.secret).map(item => item.name))
  const hidden = (name: string) => (stored.has(name) ? secretPlaceholder : '')
  return [{ path, value: given.map(item => (isTypedSecret(item) ? { ...item, value: hidden(item.name) } : item)) }]
}

function isTypedSecret(item: unknown): item is Property {
  if (typeof item !== 'object' || item === null || !('secret' in item) || !('value' in item)) return false
  return item.secret === true && item.value !== '' && item.value !== secretPlaceholder
}
