import { configurationForm, type Configuration } from '@cadmus/model/configuration'
import { renamingBetween, withNewNames } from '@cadmus/model/configuration-names'
import { editForms } from '@cadmus/model/edits/edit-forms'
import {
  applyConfigurationEdits,
  type ConfigurationEdit,
  configurationEditsBetween,
  invertConfigurationEdits,
} from '@cadmus/model/edits/configuration-edits'
import { mergeConfigurations, mergeConfigurationsTaking } from '@cadmus/model/merge/configuration'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { customManifestPath } from '@cadmus/model/paths'
import type { SavedConfiguration } from '../../api/configurations.ts'
import { deletionOf } from '../../api/logs.ts'
import { Drafts, type Draft } from '../../drafts/draft.ts'
import { OpenDrafts } from '../../drafts/open-drafts.ts'
import type { OpenDraft } from '../../drafts/open-draft.ts'
import { draftForm, type StoredPlace } from '../../drafts/stored-draft.ts'
import { configurationSecrets } from './configuration-secrets.ts'
import { withoutSecrets } from './without-secrets.ts'
import { compareConfigurations } from '../../commands/configuration-words.ts'

export type ConfigurationDraft = Draft<SavedConfiguration, Configuration, ConfigurationEdit>
export type OpenConfiguration = OpenDraft<SavedConfiguration, Configuration, ConfigurationEdit>

export const configurationDrafts = new Drafts<SavedConfiguration, Configuration, ConfigurationEdit>({
  contentOf: ({ configuration }) => configuration,
  apply: applyConfigurationEdits,
  invert: invertConfigurationEdits,
  between: configurationEditsBetween,
  compare: compareConfigurations,
  merge: mergeConfigurations,
  mergeTakingTheirs: (base, mine, theirs) => mergeConfigurationsTaking('theirs', base, mine, theirs),
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
  deletion: ({ id }) => deletionOf('manifest', id),
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
