import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { commandById } from '../../commands/registry.ts'
import { useAppContext } from '../../commands/use-app-context.ts'
import { notify } from '../../ui/notices.ts'
import { overlayQuery } from '../../workbench/overlays.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { tours } from './all.ts'
import { guidedToursDialog } from './dialogs.ts'
import { showNeeded } from './needed-document.ts'
import { targetOf } from './visibility.ts'
import { stepAfter, stepBefore } from './tour-flow.ts'
import type { Tour, TourStep } from './tour.ts'
import { endTour, goToStep, tourStore } from './tour-store.ts'
import { TourPopover } from './TourPopover.tsx'
import { useStepVisibility } from './use-step-visibility.ts'

const sides = ['sidebar', 'properties'] as const

export function RunningTour() {
  const running = useStore(tourStore, state => state.running)
  if (!running) return null
  const tour = tours[running.tour]
  return <TourAt key={tour.id} tour={tour} at={Math.min(running.step, tour.steps.length - 1)} />
}

function TourAt({ tour, at }: { tour: Tour; at: number }) {
  const context = useAppContext()
  const visibility = useStepVisibility(tour, at)
  const opener = useRef(document.activeElement)
  const hasStarted = useRef(false)
  const step = tour.steps[at]
  useEffect(() => {
    if (!step) return
    const again = () => show(step)
    again()
    // A window that becomes narrow closes its panels.
    const queries = sides.map(side => matchMedia(overlayQuery(side)))
    for (const query of queries) query.addEventListener('change', again)
    return () => {
      for (const query of queries) query.removeEventListener('change', again)
    }
  }, [step])
  if (!step || visibility.is === 'away') return null
  const isVisible = (one: TourStep) => targetOf(one) !== null
  const before = stepBefore(tour, at, isVisible)

  function end(isCompleted: boolean) {
    endTour({ isCompleted })
    if (tour.id === 'onboarding') return openDialog(guidedToursDialog, { isAfterOnboarding: true })
    if (!isCompleted) notify('info', `${tour.name} can be resumed: Guided Tours in your profile menu.`)
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
  }
  function next() {
    const after = stepAfter(tour, at, isVisible)
    if (after === tour.steps.length) end(true)
    else goToStep(after)
  }
  function returnToTarget() {
    const created = tourStore.getState().made[tour.id]
    if (step?.page !== undefined) void commandById(tour.makes?.command ?? '')?.run(context)
    else if (step?.shows === 'result' && created) workbench.getState().open(created)
    else if (step) {
      showNeeded(tour.id)
      show(step)
    }
  }

  return (
    <TourPopover
      tour={tour}
      at={at}
      step={step}
      visibility={visibility}
      onBack={before === null ? null : () => goToStep(before)}
      onNext={next}
      begin={() => {
        const isFirst = !hasStarted.current
        hasStarted.current = true
        return isFirst
      }}
      onLeave={() => end(false)}
      onReturn={returnToTarget}
    />
  )
}

/** Opens the panel of the step's target. Panels that lie over the rest close for other targets. */
function show({ panel, at, page }: TourStep): void {
  const { set } = workbench.getState()
  const hasOther = page === undefined && at.length > 0
  if (panel === 'properties') set({ propertiesOpen: true })
  else if (hasOther && matchMedia(overlayQuery('properties')).matches) set({ propertiesOpen: false })
  if (hasOther && matchMedia(overlayQuery('sidebar')).matches) set({ sidebarOpen: panel === 'sidebar' })
}
