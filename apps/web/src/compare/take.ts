import { editsToTake } from '@cadmus/model/comparison/take'
import type { ComparedChange } from '@cadmus/model/contract/comparison'
import { applyEntityEdits, type EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { mayEditAttributes } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { compareTexts } from '@cadmus/model/messages/compare'
import { entityQuery } from '../api/entities.ts'
import { messageOf } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { draftKey } from '../drafts/draft-key.ts'
import type { DraftStep } from '../drafts/edit-draft.ts'
import { editEntity, undoInMessage } from '../drafts/edit-entity.ts'
import { entityDrafts } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { notify } from '../ui/notices.ts'

export type Taking = {
  entityId: number
  /** The other side's content. */
  other: EntityContent
  changes: readonly ComparedChange[] | 'all'
  /** Whether the other side is another entity, so that added columns become copies. */
  copies: boolean
}

/** Takes changes from the other side into the entity's draft, as one step. Null if nothing was taken; a notice says why. */
export async function takeIntoDraft({ entityId, other, changes, copies }: Taking): Promise<DraftStep | null> {
  const { take: texts } = compareTexts
  try {
    const loaded = await queryClient.fetchQuery(entityQuery(entityId))
    const draft = entityStore.get(draftKey(entityId, undefined))?.draft ?? entityDrafts.open(loaded.entity, loaded.etag)
    const verdict = mayEditAttributes(draft.saved)
    const taken = verdict.allowed ? takenEdits(draft.content, other, changes, copies) : verdict
    if ('reason' in taken) {
      notify('info', taken.reason)
      return null
    }
    const step = await editEntity(loaded, () => taken.edits)
    if (step) notify('success', texts.done(step.label), undoInMessage(step))
    else notify('info', texts.nothing)
    return step
  } catch (failure) {
    notify('error', messageOf(failure, messages.failed.unexpected))
    return null
  }
}

/** The edits of all changes, each made on what the earlier ones leave; or why one of them cannot be taken. */
export function takenEdits(
  content: EntityContent,
  other: EntityContent,
  changes: Taking['changes'],
  copies: boolean,
): { edits: EntityEdit[] } | { reason: string } {
  const all: EntityEdit[] = []
  let current = content
  for (const change of changes === 'all' ? (['all'] as const) : changes) {
    const { edits, reason } = editsToTake(current, other, change, { copies })
    if (reason !== undefined) return { reason }
    all.push(...edits)
    current = applyEntityEdits(current, edits)
  }
  return { edits: all }
}
