import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import type { LoadedEntity } from '../api/entities.ts'
import { notify } from '../ui/notices.ts'
import { editDraft, type DraftStep, readyToEdit, undoSteps } from './edit-draft.ts'
import { entityStore } from './entity-store.ts'

/** Makes one step in the draft of an entity, which opens in a tab of its own; null if the edits change nothing. */
export async function editEntity(
  { entity, etag }: LoadedEntity,
  edits: (content: EntityContent) => readonly EntityEdit[],
): Promise<DraftStep | null> {
  await readyToEdit(entityStore)
  return editDraft({ store: entityStore, saved: entity, etag }, edits)
}

/** *Undo* of a step over one or several drafts in the message about it; in drafts that were changed since, it stays. */
export function undoInMessage(...steps: readonly DraftStep[]): { label: string; run: () => void } {
  return {
    label: 'Undo',
    run() {
      const last = steps.filter(step => step.canUndo())
      void undoSteps(last)
      if (last.length < steps.length) notify('info', sheetTexts.changedSince)
    },
  }
}
