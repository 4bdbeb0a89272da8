import type { Cause } from '@cadmus/model/edits/edit-forms'
import type { DraftAdapter } from './draft-adapter.ts'

/**
 * An undoable step with its label, such as 'Renamed attribute a to b'. `origin` identifies a step across rebases.
 * `cause`: the saved change that the step takes back or makes again.
 */
export type Step<E> = { name: string; edits: readonly E[]; origin?: object; cause?: Cause | undefined }

type Adapter<C, E> = Pick<DraftAdapter<never, C, E>, 'apply' | 'between' | 'compare' | 'merge' | 'mergeTakingTheirs'>

type Move<C, E> = {
  /**
   * In a conflict between a step and the target content, the step wins; otherwise it and all later steps are dropped.
   */
  wins?: boolean
  /** Whether the target content already includes a step. */
  isApplied?: ((step: Step<E>) => boolean) | undefined
  /** Converts an intermediate content to the target side. */
  seen?: ((content: C) => C) | undefined
}

/** Longer lists of steps are merged as a whole because each step costs a full merge. */
const maxMerged = 50

/**
 * Moves steps to another content. Each step is merged like a stale save, because a step that sets a whole list would
 * remove items added by other users. If merging step by step gives a different result than merging all at once (a
 * change and its reversal, while another user changed the same place), or there are too many steps, the steps become a
 * single step. `isWhole`: no step was dropped.
 */
export function movedSteps<C, E>(
  adapter: Adapter<C, E>,
  from: C,
  steps: readonly Step<E>[],
  to: C,
  move: Move<C, E> = {},
): { steps: Step<E>[]; isWhole: boolean } {
  const { wins = false, isApplied, seen = same => same } = move
  const others = steps.filter(step => !isApplied?.(step))
  const last = steps.at(-1)
  if (!last) return { steps: [], isWhole: true }
  const lead = (content: C, all: readonly Step<E>[]) =>
    all.reduce((now, { edits }) => adapter.apply(now, edits), content)
  const isSame = (a: C, b: C) => adapter.compare(a, b).count === 0
  const [base, mine] = [seen(from), seen(lead(from, steps))]
  const net = merged(adapter, base, mine, to, wins)
  // If another user made the same change, intermediate steps are not replayed, because they would overwrite it.
  const isOwn = net !== null && (isApplied || adapter.compare(base, mine).count === adapter.compare(to, net).count)
  if (isOwn && isSame(lead(to, others), net)) return { steps: others, isWhole: true }
  const oneByOne = net === null || steps.length <= maxMerged ? steps.slice(0, maxMerged) : []
  const moved: Step<E>[] = []
  let [before, now] = [from, to]
  for (const step of oneByOne) {
    const after = adapter.apply(before, step.edits)
    const [base, made] = [seen(before), seen(after)]
    before = after
    if (isApplied?.(step)) continue
    const both = merged(adapter, base, made, now, wins)
    if (both === null) break
    const bare = adapter.apply(now, step.edits)
    moved.push(isSame(bare, both) ? step : { ...labelOf(step), edits: adapter.between(now, both) })
    now = isSame(bare, both) ? bare : both
  }
  if (net === null) return { steps: moved, isWhole: false }
  if (moved.length === others.length && isSame(now, net)) return { steps: moved, isWhole: true }
  const edits = adapter.between(to, net)
  const whole = { ...labelOf(last), cause: causeOf(others), edits }
  return { steps: edits.length === 0 ? [] : [whole], isWhole: true }
}

/** Merges both; in a conflict returns `mine` if it wins, otherwise null. */
function merged<C, E>(adapter: Adapter<C, E>, base: C, mine: C, theirs: C, wins: boolean): C | null {
  return adapter.merge(base, mine, theirs).merged ?? (wins ? adapter.mergeTakingTheirs(base, theirs, mine) : null)
}

/** Adapts steps to contents transformed by `now`, e.g. after a rename. */
export function followedSteps<C, E>(
  adapter: Pick<Adapter<C, E>, 'apply' | 'between'>,
  from: C,
  steps: readonly Step<E>[],
  now: (content: C) => C,
): Step<E>[] {
  let before = from
  return steps.map(step => {
    const after = adapter.apply(before, step.edits)
    const edits = adapter.between(now(before), now(after))
    before = after
    return { ...labelOf(step), edits }
  })
}

/** Identity of a step, independent of the content that it applies to. */
export function originOf<E>({ edits, origin }: Step<E>): object {
  return origin ?? edits
}

export function stepOf<E>({ name, edits, origin, cause }: Step<E>): Step<E> {
  return { name, edits, ...(origin ? { origin } : {}), ...(cause ? { cause } : {}) }
}

/** A step without its edits. */
function labelOf<E>(step: Step<E>) {
  const { name, cause } = step
  return { name, origin: originOf(step), ...(cause ? { cause } : {}) }
}

/** Whether a step takes back a saved change. Undo goes on below that change. */
export function isOfSaved<E>(step: Step<E> | undefined): boolean {
  return step?.cause?.kind === 'undo'
}

/**
 * The cause of a save of these steps. Steps that only take back saved changes, or only make them again, cover all
 * changes down to their sequence number; mixed with others they are a new change.
 */
export function causeOf<E>(steps: readonly Step<E>[]): Cause | undefined {
  const causes = steps.flatMap(({ cause }) => cause ?? [])
  const [first] = causes
  if (!first) return undefined
  const sequence = Math.min(...causes.map(cause => cause.sequence))
  const isPure = causes.length === steps.length && causes.every(({ kind }) => kind === first.kind)
  return { kind: isPure ? first.kind : 'restore', sequence }
}

/** The redo stack after undoing everything. */
export function allUndone<E>({
  done,
  undone: before,
}: {
  done: readonly Step<E>[]
  undone: readonly Step<E>[]
}): Step<E>[] {
  const origins = new Set(done.map(originOf))
  return [...before.filter(step => !origins.has(originOf(step))), ...done.toReversed().map(stepOf)]
}
