import { maySaveEntity } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { liveProblemTexts as texts } from '@cadmus/model/messages/problems'
import { messageOf } from '../api/error.ts'
import type { FixAnswer } from '../api/problems.ts'
import { configurationToEdit, entitiesToEdit } from '../drafts/documents-to-edit.ts'
import { type DraftStep, editDraft } from '../drafts/edit-draft.ts'
import { undoInMessage } from '../drafts/edit-entity.ts'
import { linkedStep } from '../drafts/linked-steps.ts'
import { type StepStack, stepStackOf } from '../drafts/step-stack.ts'
import { notify } from '../ui/notices.ts'

/** The repairs made in a manifest, which its list of problems undoes. */
export function fixStepsOf(manifestId: number): StepStack {
  return stepStackOf('problem', manifestId)
}

/**
 * Makes the edits of a repair as one step over its documents, and offers to undo all of them. `manifestId`: the manifest with the problems.
 */
export async function applyFix(manifestId: number, fix: FixAnswer): Promise<void> {
  try {
    const documents = await entitiesToEdit(fix.entities.map(({ id }) => id))
    const configuration = fix.configuration.length > 0 ? await configurationToEdit(manifestId) : null
    const edits = new Map(fix.entities.map(one => [one.id, one.edits]))
    // Many documents would open as many tabs.
    const hidden = documents.length + (configuration ? 1 : 0) > 1
    const steps: DraftStep[] = []
    let locked = 0
    for (const document of documents) {
      const own = edits.get(document.saved.id) ?? []
      const onlyScopes = own.every(({ kind }) => kind === 'changeScopes')
      if (maySaveEntity(document.saved, { onlyScopes }).allowed)
        steps.push(...stepsOf(editDraft(document, () => own, { hidden })))
      else locked += 1
    }
    if (configuration) steps.push(...stepsOf(editDraft(configuration, () => fix.configuration, { hidden })))
    if (steps.length > 0) fixStepsOf(manifestId).add(linkedStep(fix.label, steps))
    report(fix, steps, locked)
  } catch (failure) {
    notify('error', messageOf(failure, messages.failed.unexpected))
  }
}

function stepsOf(step: DraftStep | null): DraftStep[] {
  return step ? [step] : []
}

function report({ count, left }: FixAnswer, steps: readonly DraftStep[], locked: number): void {
  const rest = [left > 0 && texts.left(left), locked > 0 && texts.lockedSince(locked)].filter(Boolean)
  if (steps.length === 0) notify('info', [texts.nothingFixed, ...rest].join(' '))
  else
    notify('success', [texts.fixed(count, steps.length), ...rest].join(' '), undoInMessage(...steps), {
      isUnsaved: () => steps.some(step => step.isPresent()),
    })
}
