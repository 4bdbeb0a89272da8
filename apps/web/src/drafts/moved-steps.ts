import type { Merge } from '@cadmus/model/merge-fields'

/**
 * What one undo takes back, and what it is called: 'Renamed attribute a to b'. `origin` is the same object for a step and for what became
 * of it on another state.
 */
export type Step<E> = { name: string; edits: readonly E[]; origin?: object }

/** What must be known of the contents to move steps from one to another. */
type Law<C, E> = {
  apply: (content: C, edits: readonly E[]) => C
  between: (before: C, after: C) => E[]
  compare: (before: C, after: C) => { count: number }
  merge: (base: C, mine: C, theirs: C) => Merge<C>
  mergeTakingTheirs: (base: C, mine: C, theirs: C) => C
}

type Move<C, E> = {
  /** Where a step and the other content changed the same, the step wins; else it ends there, and those after it. */
  wins?: boolean
  /** Steps that the other content has already. */
  isThere?: ((step: Step<E>) => boolean) | undefined
  /** How a content that they lead to is seen there. */
  seen?: ((content: C) => C) | undefined
}

/**
 * Steps on another content than they were made on: each is merged as a stale save is, since a step that sets a list as a whole would
 * take from it what others added. `isWhole`: none ended.
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
  if (others.length === steps.length && fitAsTheyAre(law, from, steps, to, seen))
    return { steps: others, isWhole: true }
  const moved: Step<E>[] = []
  let [before, now] = [from, to]
  for (const step of steps) {
    const after = law.apply(before, step.edits)
    const [base, made] = [seen(before), seen(after)]
    before = after
    if (isThere?.(step)) continue
    const merged = law.merge(base, made, now).merged ?? (wins ? law.mergeTakingTheirs(base, now, made) : null)
    if (merged === null) return { steps: moved, isWhole: false }
    const bare = law.apply(now, step.edits)
    const isSame = law.compare(bare, merged).count === 0
    moved.push(isSame ? step : { name: step.name, edits: law.between(now, merged), origin: originOf(step) })
    now = isSame ? bare : merged
  }
  return { steps: moved, isWhole: true }
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

/** Whether they lead there to just what a merge leads to: one look at all of them, which most need. */
function fitAsTheyAre<C, E>(
  law: Law<C, E>,
  from: C,
  steps: readonly Step<E>[],
  to: C,
  seen: (content: C) => C,
): boolean {
  const last = (content: C) => steps.reduce((now, { edits }) => law.apply(now, edits), content)
  const { merged } = law.merge(seen(from), seen(last(from)), to)
  return merged !== undefined && law.compare(last(to), merged).count === 0
}

/** What tells that two steps are one, on whatever state. */
export function originOf<E>({ edits, origin }: Step<E>): object {
  return origin ?? edits
}
