import { createStore } from 'zustand/vanilla'
import { openPages, pageId } from '../../api/page-id.ts'
import { sessionStore } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import { showNeeded } from './needed-document.ts'
import { type TourId, tourIds } from './tour.ts'

export type Tours = {
  running: { tour: TourId; step: number } | null
  /** The step at which a tour was left, to resume it. */
  left: Readonly<Partial<Record<TourId, number>>>
  made: Readonly<Partial<Record<TourId, DocumentRef>>>
}

const none: Tours = { running: null, left: {}, made: {} }

/** Progress of the tours; stored until logout, like tabs. */
export const tourStore = createStore<Tours>()(() => none)

/** Ends a running tour, which can be resumed, and shows the document of the new one. */
export function startTour(tour: TourId, step = 0): void {
  endTour({ isCompleted: false })
  showNeeded(tour)
  tourStore.setState({ running: { tour, step } })
}

export function goToStep(step: number): void {
  tourStore.setState(({ running }) => ({ running: running && { ...running, step } }))
}

export function storeCreated(tour: TourId, { kind, id, name, path }: DocumentRef): void {
  const document = { kind, id, name, ...(path === undefined ? {} : { path }) }
  tourStore.setState(({ made }) => ({ made: { ...made, [tour]: document } }))
}

export function endTour({ isCompleted }: { isCompleted: boolean }): void {
  tourStore.setState(({ running, left }) => {
    if (running === null) return {}
    const { [running.tour]: _, ...others } = left
    return { running: null, left: isCompleted ? others : { ...others, [running.tour]: running.step } }
  })
}

/** Restores the progress of the user's last page and stores changes; resolves to a cleanup function. */
export async function persistTours(): Promise<() => void> {
  const user = sessionStore.getState().user?.userId ?? ''
  const stored: Stored = Object(storage.readJson('tours'))
  const page = await pageId()
  if (stored.user === user) {
    const restored = fromStored(stored, await isOpenInOther(stored.page, page))
    tourStore.setState(({ running }) => ({ ...restored, running: running ?? restored.running }))
  }
  return tourStore.subscribe(tours => storage.writeJson('tours', { user, page, ...tours }))
}

type Stored = Record<string, unknown>

/** Whether the tour continues in another open page. */
async function isOpenInOther(before: unknown, here: string): Promise<boolean> {
  return typeof before === 'string' && before !== here && (await openPages([before])).has(before)
}

/** Restores progress. The onboarding continues; a wizard tour waits to be resumed, as its wizard has closed. */
function fromStored({ running, left, made }: Stored, isOpenInOtherPage: boolean): Tours {
  const { tour, step }: Stored = Object(running)
  const steps: Stored = { ...Object(left) }
  const documents: Stored = Object(made)
  const tourId = isOpenInOtherPage ? undefined : tourIds.find(id => id === tour)
  const isOn = tourId === 'onboarding'
  if (tourId !== undefined && !isOn) steps[tourId] = step
  return {
    running: isOn ? { tour: tourId, step: stepOf(step) } : null,
    left: Object.fromEntries(tourIds.filter(id => steps[id] !== undefined).map(id => [id, stepOf(steps[id])])),
    made: Object.fromEntries(tourIds.flatMap(id => (isDocument(documents[id]) ? [[id, documents[id]]] : []))),
  }
}

function stepOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}

function isDocument(value: unknown): value is DocumentRef {
  const { kind, id, name }: Stored = Object(value)
  return (kind === 'entity' || kind === 'manifest') && typeof id === 'number' && typeof name === 'string'
}
