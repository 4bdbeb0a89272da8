import type { DraftLaw } from './draft-law.ts'

/**
 * What one undo takes back, and what it is called: 'Renamed attribute a to b'. `origin` is the same object for a step and for what became
 * of it on another state.
 */
export type Step<E> = { name: string; edits: readonly E[]; origin?: object }

/** What must be known of the contents to move steps from one to another. */
type Law<C, E> = Pick<DraftLaw<never, C, E>, 'apply' | 'between' | 'compare' | 'merge' | 'mergeTakingTheirs'>

type Move<C, E> = {
  /** Where a step and the other content changed the same, the step wins; else it ends there, and those after it. */
  wins?: boolean
  /** Steps that the other content has already. */
  isThere?: ((step: Step<E>) => boolean) | undefined
  /** How a content that they lead to is seen there. */
  seen?: ((content: C) => C) | undefined
}

/** More than these are not merged one by one: each costs what a merge of the whole content does. */
const mostMerged = 50

/**
 * Steps on another content than they were made on: each is merged as a stale save is, since a step that sets a list as a whole would
 * take from it what others added. Where that leads elsewhere than all of them merged at once (something was changed and changed back,
 * and others changed it too), or where they are very many, they are one step there. `isWhole`: none ended.
 */
export function movedSteps<C, E>(
  law: Law<C, E>,
  from: C,
  steps: readonly Step<E>[],
  to: C,
  move: Move<C, E> = {},
): { steps: Step<E>[]; isWhole: boolean } {
  const { wins = false, isThere, seen = same => same } = move
  const others = steps.filter(step => !isThere?.(step))
  const last = steps.at(-1)
  if (!last) return { steps: [], isWhole: true }
  const lead = (content: C, all: readonly Step<E>[]) => all.reduce((now, { edits }) => law.apply(now, edits), content)
  const isSame = (a: C, b: C) => law.compare(a, b).count === 0
  const [base, whole] = [seen(from), seen(lead(from, steps))]
  const net = merged(law, base, whole, to, wins)
  // Of what others did too, the way there is not led again: its steps would go over theirs.
  const isOwn = net !== null && (isThere || law.compare(base, whole).count === law.compare(to, net).count)
  if (isOwn && isSame(lead(to, others), net)) return { steps: others, isWhole: true }
  const oneByOne = net === null || steps.length <= mostMerged ? steps.slice(0, mostMerged) : []
  const moved: Step<E>[] = []
  let [before, now] = [from, to]
  for (const step of oneByOne) {
    const after = law.apply(before, step.edits)
    const [base, made] = [seen(before), seen(after)]
    before = after
    if (isThere?.(step)) continue
    const both = merged(law, base, made, now, wins)
    if (both === null) break
    const bare = law.apply(now, step.edits)
    moved.push(isSame(bare, both) ? step : { name: step.name, edits: law.between(now, both), origin: originOf(step) })
    now = isSame(bare, both) ? bare : both
  }
  if (net === null) return { steps: moved, isWhole: false }
  if (moved.length === others.length && isSame(now, net)) return { steps: moved, isWhole: true }
  const edits = law.between(to, net)
  return { steps: edits.length === 0 ? [] : [{ name: last.name, edits, origin: originOf(last) }], isWhole: true }
}

/** Both together; where both changed the same, `mine` if it wins, else null. */
function merged<C, E>(law: Law<C, E>, base: C, mine: C, theirs: C, wins: boolean): C | null {
  return law.merge(base, mine, theirs).merged ?? (wins ? law.mergeTakingTheirs(base, theirs, mine) : null)
}

/** Steps whose contents are `now` called otherwise. */
export function followedSteps<C, E>(
  law: Pick<Law<C, E>, 'apply' | 'between'>,
  from: C,
  steps: readonly Step<E>[],
  now: (content: C) => C,
): Step<E>[] {
  let before = from
  return steps.map(step => {
    const after = law.apply(before, step.edits)
    const edits = law.between(now(before), now(after))
    before = after
    return { name: step.name, edits, origin: originOf(step) }
  })
}

/** What tells that two steps are one, on whatever state. */
export function originOf<E>({ edits, origin }: Step<E>): object {
  return origin ?? edits
}

/** A step without what takes it back. */
export function stepOf<E>({ name, edits, origin }: Step<E>): Step<E> {
  return { name, edits, ...(origin ? { origin } : {}) }
}

/** What can be made again once all of it was taken back. */
export function allUndone<E>({
  done,
  undone: before,
}: {
  done: readonly Step<E>[]
  undone: readonly Step<E>[]
}): Step<E>[] {
  return [...before, ...done.toReversed().map(stepOf)]
}
