import { compareVersions } from '@cadmus/model/version'
import type { ChangedTogether, LoggedChange } from '../api/edit-log.ts'
import type { DraftAdapter, Place } from './draft-adapter.ts'
import { runOf } from './save-run.ts'
import type { Step } from './moved-steps.ts'

/**
 * A saved change of a document, which may have several entries in its log. It leads from the state before entry
 * `sequence` to the one after entry `last`.
 */
export type SavedStep = Pick<LoggedChange, 'changeId' | 'description' | 'at' | 'own' | 'cause' | 'follows'> & {
  sequence: number
  last: number
  /** Of the last entry, in the audit logs. */
  entryId: number
  who: string
  /** Shared by the saves of one action; null without one. */
  run: string | null
  /** Whether the content of the latest version differs before and after it. */
  isEdit: boolean
}

/** The saved steps of a log, newest first. */
export function savedSteps(changes: readonly LoggedChange[]): SavedStep[] {
  const frozen = ofFrozenVersions(changes)
  const steps = Map.groupBy(changes, ({ changeId, follows }) => `${changeId} ${follows}`)
  return [...steps.values()].flatMap(entries => {
    const [last, first] = [entries[0], entries.at(-1)]
    if (!last || !first) return []
    const { changeId, operationId, description, at, own, follows, cause, actor, before, sequence } = first
    const isChanged = before !== null && last.after !== null && before !== last.after
    const isEdit = isChanged && !frozen.has(sequence)
    return [
      {
        changeId,
        run: runOf(operationId),
        description,
        at,
        own,
        follows,
        cause,
        who: actor.name,
        sequence,
        last: last.sequence,
        entryId: last.entryId,
        isEdit,
      },
    ]
  })
}

/** Changes of versions that were frozen at that time, whose scopes can still be set. */
function ofFrozenVersions(changes: readonly LoggedChange[]): ReadonlySet<number> {
  let latest = ''
  return new Set(
    changes.toReversed().flatMap(({ sequence, version }) => {
      if (latest !== '' && compareVersions(version, latest) < 0) return [sequence]
      latest = version
      return []
    }),
  )
}

/**
 * The saved changes that Undo takes back and Redo makes again, the next one last. Changes by others, and those that
 * followed from other documents, stay. A change that takes back another one covers all own changes down to it.
 */
export function savedStacks(
  steps: readonly SavedStep[],
  unsaved: readonly Step<unknown>[] = [],
): { undo: readonly SavedStep[]; redo: readonly SavedStep[] } {
  let [undo, redo]: SavedStep[][] = [[], []]
  const below = (stack: SavedStep[] = [], sequence: number) => stack.filter(step => step.sequence < sequence)
  for (const step of steps.toReversed()) {
    if (!step.own || step.follows || !step.isEdit) continue
    const { kind, sequence } = step.cause ?? {}
    if (kind === 'undo' && sequence !== undefined) [undo, redo] = [below(undo, sequence), [...(redo ?? []), step]]
    else if (kind === 'redo' && sequence !== undefined) [undo, redo] = [[...(undo ?? []), step], below(redo, sequence)]
    else [undo, redo] = [[...(undo ?? []), step], []]
  }
  for (const { cause } of unsaved) {
    if (cause?.kind === 'undo') undo = below(undo, cause.sequence)
    else if (cause?.kind === 'redo') redo = below(redo, cause.sequence)
    else redo = []
  }
  return { undo: undo ?? [], redo: redo ?? [] }
}

/** The states before and after a saved change. */
export type States<C> = { before: C; after: C }

/** `others`: what the same request changed. */
export type LoggedStates<C> = States<C> & { others: readonly ChangedTogether[] }

/** The content with a saved change taken back. `conflicts`: places changed since then, which keep their values. */
export function reversed<C>(
  { merge, mergeTakingTheirs }: Pick<DraftAdapter<never, C, never>, 'merge' | 'mergeTakingTheirs'>,
  { before, after }: States<C>,
  content: C,
): { content: C; conflicts: readonly Place[] } {
  const { merged, conflicts } = merge(after, before, content)
  return conflicts === undefined
    ? { content: merged, conflicts: [] }
    : { content: mergeTakingTheirs(after, before, content), conflicts }
}

/** The edits that take a saved change back. */
export function reversalOf<C, E>(
  adapter: Pick<DraftAdapter<never, C, E>, 'merge' | 'mergeTakingTheirs' | 'between'>,
  states: States<C>,
  content: C,
): readonly E[] {
  return adapter.between(content, reversed(adapter, states, content).content)
}
