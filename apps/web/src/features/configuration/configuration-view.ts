import { takesApiScopes } from '@cadmus/model/configuration'
import { mayConfigureManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { useEffect, useMemo } from 'react'
import { useConfiguration, type SavedConfiguration } from '../../api/configurations.ts'
import { useLicence } from '../../api/elsewhere.ts'
import { isGone } from '../../api/error.ts'
import { draftKey, type DraftKey } from '../../drafts/draft-key.ts'
import { useOpenDraft } from '../../drafts/use-open-draft.ts'
import { useWorkbench, workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import './configuration-saves.ts'
import { configurationStore, type ConfigurationDraft, type OpenConfiguration } from './configuration-store.ts'
import { configurationTabs, type ConfigurationTab } from '../../commands/configuration-tabs.ts'

/** What the document shows of a configuration: the draft of its latest version, or of an old one. */
export type ConfigurationView = {
  key: DraftKey
  manifest: SavedConfiguration
  draft: ConfigurationDraft
  open: OpenConfiguration
  /** null: may be edited; else why not. */
  locked: string | null
  saveLocked: string | null
}

/** Which old version is viewed; undefined: the latest. */
export function useViewedVersion(id: number): string | undefined {
  return useWorkbench(state => state.shown.get(tabIdOf({ kind: 'configuration', id }))?.version)
}

export function viewVersion(id: number, version: string | undefined): void {
  workbench.getState().show(tabIdOf({ kind: 'configuration', id }), { version })
}

export function useConfigurationView(id: number) {
  const version = useViewedVersion(id)
  const { data, error, refetch } = useConfiguration(id, version)
  const key = draftKey(id, version)
  const open = useOpenDraft(configurationStore, key)

  useEffect(() => {
    // What was read before it was deleted is still there.
    if (data && !isGone(error)) configurationStore.receive(data.saved, data.etag, version)
  }, [data, error, version])
  useEffect(() => {
    if (isGone(error)) void configurationStore.vanished(key)
  }, [error, key])

  // What was deleted is shown only as long as something of it is unsaved.
  const shown = open?.deleted && open.draft.changes === 0 ? undefined : open
  const view = useMemo(() => shown && viewOf(key, shown), [key, shown])
  const retry = () => void refetch()
  return view ? { view, error: null, retry } : { view: null, error, retry }
}

/** Which parts there are here, and why one cannot be opened now. */
export function useParts(view: ConfigurationView): { value: ConfigurationTab; disabled: string | false }[] {
  const hasService = useLicence()?.serviceOptions ?? false
  const scopes = takesApiScopes(view.draft.content) ? false : scopesWanted
  return configurationTabs
    .filter(value => value !== 'service' || hasService)
    .map(value => ({ value, disabled: value === 'scopes' ? scopes : false }))
}

const scopesWanted = 'Choose an API type and a security first.'

function viewOf(key: DraftKey, open: OpenConfiguration): ConfigurationView {
  const { draft } = open
  const verdict = mayConfigureManifest(draft.saved)
  const lock = verdict.allowed ? null : verdict.reason
  const locked = open.deleted ? messages.deleted.configurationLocked : lock
  return { key, manifest: draft.saved, draft, open, locked, saveLocked: locked }
}
