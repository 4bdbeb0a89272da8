import { historyTexts } from '@cadmus/model/messages/history'
import { useQuery } from '@tanstack/react-query'
import { changesQuery, whereLogged } from '../api/edit-log.ts'
import type { Scope } from '../api/scope.ts'
import { openRestore, undoLogged } from '../commands/restore.ts'
import { minuteOf } from '../ui/timestamp.ts'
import { defineDialog, openDialog } from '../workbench/dialogs.ts'
import type { DraftKey } from './draft-key.ts'
import type { HistoryDialogProps, HistoryLine } from './HistoryDialog.tsx'
import { isOfSaved, originOf, type Step } from './moved-steps.ts'
import type { OpenDraft, Saved } from './open-draft.ts'
import { type OpenDrafts, useOpenDraft } from './open-drafts.ts'
import { savedStacks, savedSteps, type SavedStep } from './saved-steps.ts'
import { goTo } from './take-back.ts'

const historyDialog = defineDialog<Omit<HistoryDialogProps, 'onClose'>>('history', () =>
  import('./HistoryDialog.tsx').then(module => module.HistoryDialog),
)

/** Steps that one read of the log has at most. */
const shown = 100

/** Lists the steps of an open document, saved or not. */
export function openHistory<S extends Saved, C, E>(store: OpenDrafts<S, C, E>, key: DraftKey): void {
  const open = store.get(key)
  if (!open) return
  const title = historyTexts.title(store.title(open.draft.saved))
  openDialog(historyDialog, { title, useLines: () => useDraftLines(store, key) })
}

/** Lists the changes of a manifest, which has no draft. */
export function openManifestHistory(manifest: { id: number; name: string }, scope: Scope): void {
  const title = historyTexts.title(manifest.name)
  openDialog(historyDialog, { title, useLines: () => useManifestLines(manifest, scope) })
}

function useDraftLines<S extends Saved, C, E>(store: OpenDrafts<S, C, E>, key: DraftKey) {
  const open = useOpenDraft(store, key)
  const { data } = useQuery(whereLogged(store.changes(key)))
  const lines = open && data && [...unsavedLines(store, key, open), ...savedLines(store, key, open, savedSteps(data))]
  return { lines, more: data?.length === shown }
}

function unsavedLines<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  { draft }: OpenDraft<S, C, E>,
): HistoryLine[] {
  const { done, undone } = draft
  const note = historyTexts.unsaved
  const isIn = (steps: readonly Step<E>[], step: Step<E>) => steps.some(one => originOf(one) === originOf(step))
  const again = undone
    .filter(step => !isIn(done, step))
    .map((step, index): HistoryLine => {
      const isReached = () => isIn(store.get(key)?.draft.done ?? [], step)
      const run = () => void goTo(store, key, 'redo', isReached)
      const actions = [{ label: historyTexts.repeat, run }]
      return { id: `undone ${index}`, name: step.name, note: historyTexts.undoneNote, isUndone: true, actions }
    })
  const made = done.map((step, index): HistoryLine => {
    const isCurrent = index === done.length - 1
    const isReached = () => {
      const last = store.get(key)?.draft.done.at(-1)
      return last === undefined || originOf(last) === originOf(step)
    }
    const run = () => void goTo(store, key, 'undo', isReached)
    const name = isOfSaved(step) ? `${historyTexts.cause.undo}: ${step.name}` : step.name
    const actions = isCurrent || isOfSaved(step) ? [] : [{ label: historyTexts.goHere, run }]
    return { id: `done ${index}`, name, note, isCurrent, actions }
  })
  return [...again, ...made.toReversed()]
}

function savedLines<S extends Saved, C, E>(
  store: OpenDrafts<S, C, E>,
  key: DraftKey,
  { draft }: OpenDraft<S, C, E>,
  steps: readonly SavedStep[],
): HistoryLine[] {
  const { undo } = savedStacks(steps, draft.done)
  const covered = savedStacks(steps).undo.filter(step => !undo.some(({ sequence }) => sequence === step.sequence))
  const isIn = (list: readonly SavedStep[], { sequence }: SavedStep) => list.some(one => one.sequence === sequence)
  const logged = store.loggedKind === 'entity' ? 'entity' : 'manifest'
  return steps.map((step): HistoryLine => {
    const isCurrent = draft.done.length === 0 && undo.at(-1)?.sequence === step.sequence
    const isReached = () => {
      const now = store.get(key)?.draft
      return !now || (now.done.every(isOfSaved) && savedStacks(steps, now.done).undo.at(-1)?.sequence === step.sequence)
    }
    const go = { label: historyTexts.goHere, run: () => void goTo(store, key, 'undo', isReached) }
    const restore = { label: historyTexts.restore, run: () => openRestore(logged, step.entryId) }
    const isBelow = isIn(undo, step) && !isCurrent
    const actions = [...(isBelow ? [go] : []), restore]
    return { ...lineOf(step), isCurrent, isUndone: isIn(covered, step), actions }
  })
}

function useManifestLines({ id }: { id: number }, scope: Scope) {
  const { data } = useQuery({ ...changesQuery('manifest', id, 'newest', scope), staleTime: 0 })
  const lines =
    data &&
    savedSteps(data).map((step): HistoryLine => {
      const restore = { label: historyTexts.restore, run: () => openRestore('manifest', step.entryId) }
      const undo = {
        label: historyTexts.undoThis,
        run: () => void undoLogged('manifest', step.entryId, step.description, scope),
      }
      return { ...lineOf(step), actions: step.isEdit && step.own ? [undo, restore] : [restore] }
    })
  return { lines, more: data?.length === shown }
}

function lineOf({ sequence, description, at, who, own, cause, follows }: SavedStep) {
  const name = cause ? `${historyTexts.cause[cause.kind]}: ${description}` : description
  const author = own ? historyTexts.you : who
  const note = [minuteOf(at), author, ...(follows ? [historyTexts.following] : [])].join(', ')
  return { id: `saved ${sequence}`, name, note }
}
