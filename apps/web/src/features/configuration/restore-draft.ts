import * as z from 'zod'
import { messages } from '@cadmus/model/messages'
import { readStored } from '@cadmus/model/stored/stored-form'
import { configurationQuery, type LoadedConfiguration } from '../../api/configurations.ts'
import { settleConfigurationEdits } from '../../api/edits.ts'
import { currentScope } from '../../api/scope.ts'
import { queryClient } from '../../api/query-client.ts'
import { draftKey, readDraftKey } from '../../drafts/draft-key.ts'
import { restoreDraft } from '../../drafts/restore-draft.ts'
import type { Restored } from '../../workbench/document-kinds.ts'
// Registers the saves, so that the tab shows the unsaved changes.
import './configuration-saves.ts'
import {
  configurationDrafts,
  configurationStandIn,
  configurationStore,
  configurationDraftForm,
  titleOf,
} from '../../drafts/configuration-store.ts'

const namedSchema = z.object({ base: z.object({ manifestName: z.string() }) })

export async function restoreConfigurationDraft(
  key: string,
  stored: unknown,
  isNeeded: () => boolean,
): Promise<Restored> {
  const read: { loaded?: LoadedConfiguration } = {}
  const load = async (id: number, version: string | undefined) =>
    (read.loaded = await queryClient.fetchQuery(configurationQuery(id, version)))
  const nameIn = (value: unknown) => {
    const named = namedSchema.safeParse(value)
    return named.success ? titleOf(named.data.base.manifestName) : messages.aConfiguration
  }
  const options = {
    store: configurationStore,
    form: configurationDraftForm,
    load,
    settle: (saved: LoadedConfiguration['saved'], operationId: string) =>
      settleConfigurationEdits(saved, operationId, currentScope()),
    standIn: configurationStandIn,
    nameIn,
  }
  const restored = await restoreDraft(options, key, stored, isNeeded)
  if (restored === 'shown' && read.loaded) reportOmittedSecrets(key, stored, read.loaded)
  return restored
}

/** Reports omitted secrets even if nothing else was unsaved. */
function reportOmittedSecrets(key: string, stored: unknown, { saved, etag }: LoadedConfiguration): void {
  const place = readDraftKey(key)
  if (!place || readStored(configurationDraftForm, stored).secretsOmitted !== true) return
  const at = draftKey(place.id, place.version)
  const draft = configurationStore.get(at)?.draft ?? configurationDrafts.open(saved, etag)
  if (draft.changes > 0) return
  configurationStore.dispatch(at, { kind: 'restored', draft, changedAt: null, restored: false, secretsOmitted: true })
}
