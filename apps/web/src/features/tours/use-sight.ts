import { isEqual } from '@cadmus/model/equal'
import { useEffect, useState } from 'react'
import { useWorkbench, workbench } from '../../workbench/desk.ts'
import type { Tab } from '../../workbench/documents.ts'
import { anchorOf, isTalkedOver, pageInSight, targetOf, watchPage } from './sight.ts'
import { type Anchor, followed } from './tour-flow.ts'
import type { Tour, TourStep } from './tour.ts'
import { goToStep, keepMade, tourStore } from './tour-store.ts'

/** Milliseconds until a missing target counts as lost. */
const patience = 800

export type Sight =
  /** Not there yet, or an overlay is open. */
  | { is: 'away' }
  /** `target` is null if the step has none. */
  | { is: 'here'; target: HTMLElement | null; anchor: Anchor | null }
  | { is: 'lost' }

const away: Sight = { is: 'away' }

/** Locates the step's target, and follows the user through the wizard. */
export function useSight(tour: Tour, at: number): Sight {
  const [sight, setSight] = useState(away)
  const [follow] = useState(() => newFollower(tour))
  const active = useWorkbench(state => state.active)
  const step = tour.steps[at]
  useEffect(() => {
    if (!step) return
    const judge = newJudge()
    return watchPage(() => {
      const next = follow(at)
      if (next !== at) return goToStep(next)
      const seen = judge(step, isOfStep(tour, step) ? targetOf(step) : null)
      setSight(known => (isSame(known, seen) ? known : seen))
    })
  }, [tour, step, at, active, follow])
  return sight
}

/** Remembers the documents open before the wizard, to recognise the one that it creates. */
function newFollower(tour: Tour): (at: number) => number {
  let wasOpen = false
  let before: ReadonlySet<string> | null = null
  return at => {
    const page = pageInSight(tour)
    if (page !== null && !wasOpen) before = new Set(workbench.getState().tabs.map(({ tabId }) => tabId))
    wasOpen = page !== null
    const made = page === null && before ? madeBy(tour, before) : undefined
    const next = followed(tour, at, { page, isMade: made !== undefined })
    if (next !== at && made) keepMade(tour.id, made)
    return next
  }
}

/** Measures how long the target is missing; the time with an overlay open does not count. */
function newJudge(): (step: TourStep, target: HTMLElement | null) => Sight {
  let missing: number | null = null
  return ({ at }, target) => {
    const isAway = isTalkedOver(target)
    if (isAway || target !== null || at.length === 0) missing = null
    else missing ??= Date.now()
    if (isAway) return away
    if (missing === null) return { is: 'here', target, anchor: target && anchorOf(target) }
    return Date.now() - missing > patience ? { is: 'lost' } : away
  }
}

function madeBy({ makes }: Tour, before: ReadonlySet<string>): Tab | undefined {
  const { tabs, active } = workbench.getState()
  const shown = tabs.find(({ tabId }) => tabId === active)
  return shown && shown.kind === makes?.kind && !before.has(shown.tabId) ? shown : undefined
}

/** The result is highlighted only in its own document. */
function isOfStep({ id }: Tour, { shows }: TourStep): boolean {
  if (shows !== 'result') return true
  const made = tourStore.getState().made[id]
  return made !== undefined && workbench.getState().active === `${made.kind}:${made.id}`
}

function isSame(one: Sight, other: Sight): boolean {
  if (one.is !== 'here' || other.is !== 'here') return one.is === other.is
  return one.target === other.target && isEqual(one.anchor, other.anchor)
}
