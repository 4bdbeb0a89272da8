import { isEqual } from '@cadmus/model/equal'
import { useEffect, useState } from 'react'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import type { Tab } from '../../workbench/documents.ts'
import { anchorOf, isCovered, visiblePage, targetOf, watchPage } from './visibility.ts'
import { type Anchor, nextStep } from './tour-flow.ts'
import type { Tour, TourStep } from './tour.ts'
import { goToStep, storeCreated, tourStore } from './tour-store.ts'

/** Milliseconds until a missing target counts as lost. */
const timeout = 800

export type StepVisibility =
  /** The target is not rendered yet, or an overlay is open. */
  | { is: 'away' }
  /** `target` is null if the step has none. */
  | { is: 'here'; target: HTMLElement | null; anchor: Anchor | null }
  | { is: 'lost' }

const away: StepVisibility = { is: 'away' }

/** Locates the step's target, and follows the user through the wizard. */
export function useStepVisibility(tour: Tour, at: number): StepVisibility {
  const [visibility, setVisibility] = useState(away)
  const [follow] = useState(() => createFollower(tour))
  const active = useWorkbench(state => state.active)
  const step = tour.steps[at]
  useEffect(() => {
    if (!step) return
    const locate = createLocator()
    return watchPage(() => {
      const next = follow(at)
      if (next !== at) return goToStep(next)
      const located = locate(step, isOfStep(tour, step) ? targetOf(step) : null)
      setVisibility(current => (isSame(current, located) ? current : located))
    })
  }, [tour, step, at, active, follow])
  return visibility
}

/** Remembers the documents open before the wizard, to recognise the document that it creates. */
function createFollower(tour: Tour): (at: number) => number {
  let wasOpen = false
  let before: ReadonlySet<string> | null = null
  return at => {
    const page = visiblePage(tour)
    if (page !== null && !wasOpen) before = new Set(workbench.getState().tabs.map(({ tabId }) => tabId))
    wasOpen = page !== null
    const created = page === null && before ? createdDocument(tour, before) : undefined
    const next = nextStep(tour, at, { page, isCreated: created !== undefined })
    if (next !== at && created) storeCreated(tour.id, created)
    return next
  }
}

/** Measures how long the target is missing; the time with an overlay open does not count. */
function createLocator(): (step: TourStep, target: HTMLElement | null) => StepVisibility {
  let missing: number | null = null
  return ({ at }, target) => {
    const isAway = isCovered(target)
    if (isAway || target !== null || at.length === 0) missing = null
    else missing ??= Date.now()
    if (isAway) return away
    if (missing === null) return { is: 'here', target, anchor: target && anchorOf(target) }
    return Date.now() - missing > timeout ? { is: 'lost' } : away
  }
}

function createdDocument({ makes }: Tour, before: ReadonlySet<string>): Tab | undefined {
  const { tabs, active } = workbench.getState()
  const shown = tabs.find(({ tabId }) => tabId === active)
  return shown && shown.kind === makes?.kind && !before.has(shown.tabId) ? shown : undefined
}

/** The result is highlighted only in its own document. */
function isOfStep({ id }: Tour, { shows }: TourStep): boolean {
  if (shows !== 'result') return true
  const created = tourStore.getState().made[id]
  return created !== undefined && workbench.getState().active === tabIdOf(created)
}

function isSame(one: StepVisibility, other: StepVisibility): boolean {
  if (one.is !== 'here' || other.is !== 'here') return one.is === other.is
  return one.target === other.target && isEqual(one.anchor, other.anchor)
}
