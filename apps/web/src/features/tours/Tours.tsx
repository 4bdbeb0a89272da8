import { firstTexts } from '@cadmus/model/messages/first-load'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { sessionStore } from '../../api/session-store.ts'
import { atRest } from '../../ui/at-rest.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { notify } from '../../ui/notices.ts'
import { onDemand } from '../../ui/on-demand.ts'
import { endTour, persistTours, startTour, tourStore } from './tour-store.ts'

const { Component: RunningTour } = onDemand(() => import('./RunningTour.tsx').then(module => module.RunningTour))

/** The running tour. Starts the onboarding tour on a user's first launch. */
export function Tours() {
  const isRunning = useStore(tourStore, ({ running }) => running !== null)
  useEffect(() => {
    const stopPersisting = persistTours()
    void stopPersisting.then(startFirstTour).catch(() => null)
    return () => void stopPersisting.then(end => end())
  }, [])
  return (
    isRunning && (
      <Boundary onFailure={fail}>
        <RunningTour />
      </Boundary>
    )
  )
}

/** The server decides once whether the user is new. If it is unreachable, the next page load repeats the request. */
async function startFirstTour(): Promise<void> {
  if (sessionStore.getState().onboarded) return
  await atRest()
  const { beginOnboarding } = await import('../../api/onboarding.ts')
  const isFirst = await beginOnboarding().catch(() => null)
  if (isFirst === null) return
  // One request per page load.
  sessionStore.setState({ onboarded: true })
  if (isFirst && tourStore.getState().running === null) startTour('onboarding')
}

/** The code failed to load: the tour can be resumed later. */
function fail(): void {
  endTour({ isCompleted: false })
  notify('error', firstTexts.failed.unexpected)
}
