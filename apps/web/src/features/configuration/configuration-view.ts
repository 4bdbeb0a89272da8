import { takesApiScopes } from '@cadmus/model/configuration'
import { mayConfigureManifest } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { useEffect, useMemo } from 'react'
import { useConfiguration, type SavedConfiguration } from '../../api/configurations.ts'
import { useLicence } from '../../api/licence.ts'
import { isGone } from '../../api/error.ts'
import { draftKey, type DraftKey } from '../../drafts/draft-key.ts'
import { useOpenDraft } from '../../drafts/open-drafts.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import './configuration-saves.ts'
import {
  configurationStore,
  type ConfigurationDraft,
  type OpenConfiguration,
} from '../../drafts/configuration-store.ts'
import { configurationTabs, type ConfigurationTab } from '../../commands/configuration-tabs.ts'

/** View model of the document: the draft of the latest version, or an old version. */
export type ConfigurationView = {
  key: DraftKey
  manifest: SavedConfiguration
  draft: ConfigurationDraft
  open: OpenConfiguration
  /** null if editable, else the reason. */
  locked: string | null
  saveLocked: string | null
}

/** The old version shown; undefined for the latest. */
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
    // The query still holds the data read before the deletion.
    if (data && !isGone(error)) configurationStore.receive(data.saved, data.etag, version)
  }, [data, error, version])
  useEffect(() => {
    if (isGone(error)) configurationStore.dispatch(key, { kind: 'deleted' })
  }, [error, key])

  // A deleted configuration is shown only while it has unsaved changes.
  const shown = open?.state === 'deleted' && open.draft.changes === 0 ? undefined : open
  const view = useMemo(() => shown && viewOf(key, shown), [key, shown])
  const retry = () => void refetch()
  return view ? { view, error: null, retry } : { view: null, error, retry }
}

/** The available parts, with the reason if one is disabled. */
export function useParts(view: ConfigurationView): { value: ConfigurationTab; disabled: string | false }[] {
  const hasService = useLicence()?.serviceOptions ?? false
  const scopes = takesApiScopes(view.draft.content) ? false : needsApiScopes
  return configurationTabs
    .filter(value => value !== 'service' || hasService)
    .map(value => ({ value, disabled: value === 'scopes' ? scopes : false }))
}

const needsApiScopes = 'Choose an API type and a security first.'

function viewOf(key: DraftKey, open: OpenConfiguration): ConfigurationView {
  const { draft } = open
  const verdict = mayConfigureManifest(draft.saved)
  const lock = verdict.allowed ? null : verdict.reason
  const locked = open.state === 'deleted' ? messages.deleted.configurationLocked : lock
  return { key, manifest: draft.saved, draft, open, locked, saveLocked: locked }
}
