import { isEqual } from '@cadmus/model/equal'
import { scopeMatrixTexts as texts } from '@cadmus/model/messages/scope-matrix'
import type { OperationScopes } from '@cadmus/model/operations'
import { apiOperations } from '@cadmus/model/required-scopes'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { messageOf } from '../api/error.ts'
import { draftKey, type DraftKey } from '../drafts/draft-key.ts'
import { type DraftStep, undoSteps } from '../drafts/edit-draft.ts'
import { notify } from '../ui/notices.ts'
import { holdTyped, trackPending } from '../ui/typed-text.ts'
import { type Applied, applyChange } from './apply-change.ts'
import { fieldOf, type ScopeChange, type ScopeState } from './scope-changes.ts'

/** Each changed entity gets a draft, which the browser stores and a save sends on its own. */
export const maxEntities = 1000

/** One step of the user over several drafts. */
type ScopeStep = { label: string; forth: ScopeChange; back: ScopeChange; steps: readonly DraftStep[] }

type State = {
  /** Changes on their way into the drafts, in order; the matrix shows them at once. */
  pending: readonly ScopeChange[]
  done: readonly ScopeStep[]
  undone: readonly ScopeStep[]
}

/** The steps made on the scopes of a manifest, until the page is left. */
export class ScopeSession {
  readonly state: StoreApi<State> = createStore(() => ({ pending: [], done: [], undone: [] }))
  readonly #manifestId: number
  /** As shown last. */
  #shown: ScopeState = { rows: [], defined: { scopeDefinitions: [], globalScopes: [], excludeOperations: [] } }
  #queue: Promise<unknown> = Promise.resolve()

  constructor(manifestId: number) {
    this.#manifestId = manifestId
  }

  show(state: ScopeState): void {
    this.#shown = state
  }

  /** Makes a change as one step; `done` reports it. False if it is refused; a notice says why. */
  change(label: string, change: ScopeChange, done = texts.done(label, change.entities.size, [])): boolean {
    const count = change.entities.size
    if (count > maxEntities) {
      notify('info', texts.tooMany(count, maxEntities))
      return false
    }
    if (count === 0 && !change.defined) return true
    this.#enqueue(change, ({ steps, back }) => {
      if (steps.length === 0) return
      const step = { label, forth: change, back, steps }
      this.state.setState(({ done }) => ({ done: [...done, step], undone: [] }))
      notify('success', done, {
        label: texts.commands.undo,
        run: () => this.#undoIfLast(step),
      })
    })
    return true
  }

  #undoIfLast(step: ScopeStep): void {
    if (this.state.getState().done.at(-1) === step) this.undo()
  }

  /** Takes back the last step, saved or not; what was changed since stays. */
  undo(): void {
    const step = this.state.getState().done.at(-1)
    if (!step) return
    this.state.setState(({ done, undone }) => ({ done: done.slice(0, -1), undone: [...undone, step] }))
    if (step.steps.every(one => one.canUndo())) return void undoSteps(step.steps)
    this.#make(unchangedSince(step.back, step.forth, this.#shown))
  }

  redo(): void {
    const step = this.state.getState().undone.at(-1)
    if (!step) return
    this.state.setState(({ done, undone }) => ({ done: [...done, step], undone: undone.slice(0, -1) }))
    if (step.steps.every(one => one.canRedo())) return step.steps.forEach(one => one.redo())
    this.#make(unchangedSince(step.forth, step.back, this.#shown))
  }

  #make({ change, skipped }: { change: ScopeChange; skipped: number }): void {
    if (skipped > 0) notify('info', texts.changedSince(skipped))
    if (change.entities.size > 0 || change.defined) this.#enqueue(change, () => undefined)
  }

  /** Changes are made one after the other; a save waits for them. */
  #enqueue(change: ScopeChange, then: (applied: Applied) => void): void {
    this.state.setState(({ pending }) => ({ pending: [...pending, change] }))
    const work = this.#queue.then(async () => {
      try {
        then(await applyChange(this.#manifestId, change))
      } catch (failure) {
        notify('error', messageOf(failure, texts.failed))
      } finally {
        this.state.setState(({ pending }) => ({ pending: pending.filter(one => one !== change) }))
      }
      return true
    })
    this.#queue = work
    void trackPending(work)
    const release = holdTyped(async () => work)
    void work.finally(release)
  }
}

const sessions = new Map<DraftKey, ScopeSession>()

/** The session of a manifest in the current scope. */
export function scopeSession(manifestId: number): ScopeSession {
  const key = draftKey(manifestId, undefined)
  const session = sessions.get(key) ?? new ScopeSession(manifestId)
  sessions.set(key, session)
  return session
}

/** The part of a change whose operations still have the scopes of `from`, and the number of others. */
function unchangedSince(
  to: ScopeChange,
  from: ScopeChange,
  { rows, defined }: ScopeState,
): { change: ScopeChange; skipped: number } {
  const byId = new Map(rows.map(row => [row.id, row]))
  let skipped = 0
  const entities = new Map<number, Partial<OperationScopes>>()
  for (const [id, scopes] of to.entities) {
    const [row, before] = [byId.get(id), from.entities.get(id)]
    const change: Partial<OperationScopes> = {}
    for (const field of apiOperations.map(fieldOf)) {
      const now = row?.operationScopes[field]
      if (scopes[field] === undefined || isEqual(now, scopes[field])) continue
      if (isEqual(now, before?.[field])) change[field] = scopes[field]
      else skipped += 1
    }
    if (Object.keys(change).length > 0) entities.set(id, change)
  }
  const restores = to.defined && isEqual(defined, from.defined)
  return { change: { entities, ...(restores ? { defined: to.defined } : {}) }, skipped }
}
