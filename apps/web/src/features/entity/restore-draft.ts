import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { entityQuery } from '../../api/entities.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { notify } from '../../ui/notices.ts'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { draftKey, readDraftKey } from './draft-key.ts'
import { replay } from './entity-draft.ts'
import { openEntity, put, settledEntity } from './entity-store.ts'
import { keptDraftSchema, restoredFrom } from './kept-draft.ts'

/**
 * Brings an unsaved draft of an earlier visit, or of a page that was closed, back: in its tab and marked as such. Of several of one
 * entity the newest comes first, and the others go below it. False: it cannot be shown now, and stays where it is kept.
 */
export async function restoreDraft(key: string, stored: unknown): Promise<boolean> {
  const place = readDraftKey(key)
  const kept = keptDraftSchema.safeParse(stored)
  if (!place || !kept.success) {
    // Nothing that a person did goes without a word: a later Cadmus, or an earlier one, may read it.
    notify('error', messages.draftUnreadable(nameIn(stored)))
    return false
  }
  const { id, version } = place
  try {
    const { entity, etag } = await queryClient.fetchQuery(entityQuery(id, version))
    const draft = restoredFrom(kept.data, entity, etag)
    const open = openEntity(draftKey(id, version))
    // Somebody was faster than this: what was done meanwhile comes on top.
    const all = open && open.draft.changes > 0 ? replay(draft, open.draft.done) : draft
    const tabId = tabIdOf({ kind: 'entity', id })
    const { tabs, active } = workbench.getState()
    if (!tabs.some(tab => tab.tabId === tabId)) {
      workbench.getState().open({ kind: 'entity', id, name: entity.name })
      if (active) workbench.getState().activate(active)
    }
    const restored = open?.restored ?? kept.data.at
    if (all.changes > 0) put(draftKey(id, version), { ...settledEntity, draft: all, restored })
    return true
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status !== 404) return false
    notify('error', messages.draftWithoutEntity(kept.data.base.name))
    return true
  }
}

const namedSchema = z.object({ base: z.object({ name: z.string() }) })

function nameIn(stored: unknown): string {
  const named = namedSchema.safeParse(stored)
  return named.success ? named.data.base.name : messages.anEntity
}
