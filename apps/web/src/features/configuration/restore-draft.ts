import * as z from 'zod'
import { messages } from '@cadmus/model/messages'
import { configurationQuery } from '../../api/configurations.ts'
import { queryClient } from '../../api/query-client.ts'
import { restoreDraft } from '../../drafts/restore-draft.ts'
// Its tab must know that something is unsaved.
import './configuration-saves.ts'
import { configurationStore, keptConfigurationSchema, titleOf } from './configuration-store.ts'

const namedSchema = z.object({ base: z.object({ manifestName: z.string() }) })

/** Brings an unsaved draft of a configuration back that was left by an earlier visit or a page that was closed. */
export async function restoreConfigurationDraft(key: string, stored: unknown): Promise<boolean> {
  const load = (id: number, version: string | undefined) => queryClient.fetchQuery(configurationQuery(id, version))
  const nameIn = (kept: unknown) => {
    const named = namedSchema.safeParse(kept)
    return named.success ? titleOf(named.data.base.manifestName) : messages.aConfiguration
  }
  return restoreDraft({ store: configurationStore, kept: keptConfigurationSchema, load, nameIn }, key, stored)
}
