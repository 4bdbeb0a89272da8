import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { historyTexts } from '@cadmus/model/messages/history'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import type { LoadedEntity } from '../api/entities.ts'
import { notify } from '../ui/notices.ts'
import { editDraft, type DraftStep, undoSteps } from './edit-draft.ts'
import { entityStore } from './entity-store.ts'
import type { DraftKey } from './draft-key.ts'
import { originOf } from './moved-steps.ts'
import { readyToEdit } from './open-to-edit.ts'

/** Makes one step in the draft of an entity, which opens in a tab of its own; null if the edits change nothing. */
export async function editEntity(
  { entity, etag }: LoadedEntity,
  edits: (content: EntityContent) => readonly EntityEdit[],
): Promise<DraftStep | null> {
  await readyToEdit(entityStore)
  return editDraft({ store: entityStore, saved: entity, etag }, edits)
}

/** *Undo* of the last step of a draft in the message about it. */
export function undoLastInMessage(key: DraftKey): { label: string; run: () => void } {
  const last = () => entityStore.get(key)?.draft.done.at(-1)
  const step = last()
  return {
    label: historyTexts.cause.undo,
    run() {
      const now = last()
      if (step && now && originOf(step) === originOf(now)) entityStore.dispatch(key, { kind: 'undo' })
      else notify('info', sheetTexts.changedSince)
    },
  }
}

/** *Undo* of a step over one or several drafts in the message about it; in drafts that were changed since, it stays. */
export function undoInMessage(...steps: readonly DraftStep[]): { label: string; run: () => void } {
  return {
    label: historyTexts.cause.undo,
    run() {
      const last = steps.filter(step => step.canUndo())
      void undoSteps(last)
      if (last.length < steps.length) notify('info', sheetTexts.changedSince)
    },
  }
}
