import { messages } from '@cadmus/model/messages'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { sessionStore } from '../../api/session-store.ts'
import { atRest } from '../../ui/at-rest.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { notify } from '../../ui/notices.ts'
import { onDemand } from '../../ui/on-demand.ts'
import { endTour, keepTours, startTour, tourStore } from './tour-store.ts'

const { Component: RunningTour } = onDemand(() => import('./RunningTour.tsx').then(module => module.RunningTour))

/** The tour that is on, over the workspace. At a user's first launch the onboarding tour begins by itself. */
export function Tours() {
  const isRunning = useStore(tourStore, ({ running }) => running !== null)
  useEffect(() => {
    const ending = keepTours()
    void ending.then(beginFirst).catch(() => null)
    return () => void ending.then(end => end())
  }, [])
  return (
    isRunning && (
      <Boundary onFailure={fail}>
        <RunningTour />
      </Boundary>
    )
  )
}

/** The server says who is new, and remembers it: a page that it cannot be asked from begins nothing, and the next one does. */
async function beginFirst(): Promise<void> {
  if (sessionStore.getState().onboarded) return
  await atRest()
  const { beginOnboarding } = await import('../../api/onboarding.ts')
  const isFirst = await beginOnboarding().catch(() => null)
  if (isFirst === null) return
  // Whoever leaves the workspace and comes back on this page is not asked about again.
  sessionStore.setState({ onboarded: true })
  if (isFirst && tourStore.getState().running === null) startTour('onboarding')
}

/** Its code cannot be had: it can be resumed. */
function fail(): void {
  endTour({ isOver: false })
  notify('error', messages.failed.unexpected)
}
