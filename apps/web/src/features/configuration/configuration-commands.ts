import { Package2, Sigma } from 'lucide-react'
import type { Command } from '../../commands/command.ts'
import { draftCommands } from '../../drafts/draft-commands.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { configurationStore } from './configuration-store.ts'
import type { ConfigurationTab } from '../../commands/configuration-tabs.ts'
import type { ConfigurationView } from './configuration-view.ts'
import { addQuery } from './query-dialog.ts'

/** `typed`: a field holds unapplied text, which Save applies first. */
export type ConfigurationContext = { view: ConfigurationView; tab: ConfigurationTab; dirty: boolean; typed: boolean }

const { save, others } = draftCommands(configurationStore)
export const saveCommand: Command<ConfigurationContext> = save

export const configurationCommands: readonly Command<ConfigurationContext>[] = [
  save,
  ...others,
  {
    id: 'configuration.addQuery',
    label: 'Add Aggregate Query',
    icon: Sigma,
    visible: ({ tab }) => tab === 'queries',
    disabled: ({ view }) => view.locked ?? false,
    run: ({ view }) => addQuery(view),
  },
  {
    id: 'configuration.manifest',
    label: 'Open Manifest',
    icon: Package2,
    disabled: ({ view }) => (view.open.state === 'deleted' ? (view.locked ?? false) : false),
    run: ({ view: { manifest } }) => openManifest(manifest),
  },
]

/** Opens the manifest in the version whose configuration is shown. */
function openManifest({ id, name, path, currentVersion, latestVersion }: ConfigurationView['manifest']): void {
  const { open, show } = workbench.getState()
  const version = currentVersion === latestVersion ? undefined : currentVersion
  open({ kind: 'manifest', id, name, path })
  show(tabIdOf({ kind: 'manifest', id }), { version })
}
