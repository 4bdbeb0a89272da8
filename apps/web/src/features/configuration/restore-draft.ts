import * as z from 'zod'
import { messages } from '@cadmus/model/messages'
import { configurationQuery } from '../../api/configurations.ts'
import { queryClient } from '../../api/query-client.ts'
import { restoreDraft } from '../../drafts/restore-draft.ts'
import type { Restored } from '../../workbench/document-kinds.ts'
// Its tab must know that something is unsaved.
import './configuration-saves.ts'
import { configurationStandIn, configurationStore, keptConfigurationSchema, titleOf } from './configuration-store.ts'

const namedSchema = z.object({ base: z.object({ manifestName: z.string() }) })

/** Brings an unsaved draft of a configuration back that was left by an earlier visit or a page that was closed. */
export async function restoreConfigurationDraft(
  key: string,
  stored: unknown,
  isWanted: () => boolean,
): Promise<Restored> {
  const load = (id: number, version: string | undefined) => queryClient.fetchQuery(configurationQuery(id, version))
  const nameIn = (kept: unknown) => {
    const named = namedSchema.safeParse(kept)
    return named.success ? titleOf(named.data.base.manifestName) : messages.aConfiguration
  }
  const given = {
    store: configurationStore,
    kept: keptConfigurationSchema,
    load,
    standIn: configurationStandIn,
    nameIn,
  }
  return restoreDraft(given, key, stored, isWanted)
}
