import type { DraftKey } from '../../drafts/draft-key.ts'
import { originOf } from '../../drafts/moved-steps.ts'
import { type RefusedCells, refusedCells, restoreRefusedCells, useRefusedCells } from '../../drafts/cell-problems.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { takeStep } from '../../drafts/take-back.ts'

// Undo and redo of texts that cells could not take. They are no part of the draft, so that a gesture is a step of the draft, a change of
// these texts, or both.

/** `step`: identifies the last step of the draft. */
type Point = { refused: RefusedCells; step: object | undefined }
type Turn = { etag: string; before: Point; after: Point }
/** `next`: identifies the step that could be redone when the turn was undone. */
type Undone = { turn: Turn; next: object | undefined }
type History = { past: readonly Turn[]; future: readonly Undone[] }

const histories = new Map<DraftKey, History>()
const noHistory: History = { past: [], future: [] }
const longest = 100

function historyOf(key: DraftKey): History {
  return histories.get(key) ?? noHistory
}

function stepsOf(key: DraftKey) {
  const draft = entityStore.get(key)?.draft
  const [last, next] = [draft?.done.at(-1), draft?.undone.at(-1)]
  return { etag: draft?.etag ?? '', step: last && originOf(last), next: next && originOf(next) }
}

/** Runs a gesture, which may change the draft by one step. */
export function recordCells<Result>(key: DraftKey, gesture: () => Result): Result {
  const { etag, step } = stepsOf(key)
  const before = { refused: refusedCells(key), step }
  const result = gesture()
  const after = { refused: refusedCells(key), step: stepsOf(key).step }
  if (textOf(before.refused) !== textOf(after.refused)) {
    const past = [...historyOf(key).past, { etag, before, after }].slice(-longest)
    histories.set(key, { past, future: [] })
  }
  return result
}

function textOf(refused: RefusedCells): string {
  return JSON.stringify([...refused].map(([uid, cells]) => [uid, [...cells]]))
}

export function forgetCells(key: DraftKey): void {
  histories.delete(key)
}

function isOfCells({ before, after }: Turn): boolean {
  return before.step === after.step
}

/** The turn that Undo takes back, with or without a step of the draft. */
function turnToUndo(key: DraftKey): Turn | undefined {
  const { etag, step } = stepsOf(key)
  const turn = historyOf(key).past.at(-1)
  return turn?.etag === etag && turn.after.step === step ? turn : undefined
}

function turnToRedo(key: DraftKey): Turn | undefined {
  const { etag, step, next } = stepsOf(key)
  const undone = historyOf(key).future.at(-1)
  if (undone?.turn.etag !== etag || undone.turn.before.step !== step) return undefined
  const expected = isOfCells(undone.turn) ? undone.next : undone.turn.after.step
  return expected === next ? undone.turn : undefined
}

/** Identifies what Undo takes back. */
export function lastChange(key: DraftKey): object | undefined {
  const turn = turnToUndo(key)
  return turn && isOfCells(turn) ? turn : stepsOf(key).step
}

export function undoLast(key: DraftKey): void {
  const turn = turnToUndo(key)
  const { next } = stepsOf(key)
  if (!turn || !isOfCells(turn)) void takeStep(entityStore, key, 'undo')
  if (!turn) return
  const { past, future } = historyOf(key)
  histories.set(key, { past: past.slice(0, -1), future: [...future, { turn, next }] })
  restoreRefusedCells(key, turn.before.refused)
}

export function redoNext(key: DraftKey): void {
  const turn = turnToRedo(key)
  if (!turn || !isOfCells(turn)) void takeStep(entityStore, key, 'redo')
  if (!turn) return
  const { past, future } = historyOf(key)
  histories.set(key, { past: [...past, turn], future: future.slice(0, -1) })
  restoreRefusedCells(key, turn.after.refused)
}

/** Whether Undo and Redo change texts in cells alone. */
export function useCellTurns(key: DraftKey): { undo: boolean; redo: boolean } {
  useRefusedCells(key)
  const [undo, redo] = [turnToUndo(key), turnToRedo(key)]
  return { undo: undo !== undefined && isOfCells(undo), redo: redo !== undefined && isOfCells(redo) }
}
