import { createStore } from 'zustand/vanilla'
import { openPages, pageId } from '../../api/page-id.ts'
import { sessionStore } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import type { TourId } from './tour.ts'

export type Tours = {
  running: { tour: TourId; step: number } | null
  /** At which step a tour was left; it can be resumed there. */
  left: Readonly<Partial<Record<TourId, number>>>
  /** What was made on the way, by the tour that made it. */
  made: Readonly<Partial<Record<TourId, DocumentRef>>>
}

const none: Tours = { running: null, left: {}, made: {} }

/** Where the person is in which tour; the browser keeps it over a reload, as it does the desk, until a logout. */
export const tourStore = createStore<Tours>()(() => none)

/** Another one that is on is left where it is. */
export function startTour(tour: TourId, step = 0): void {
  endTour({ isOver: false })
  tourStore.setState({ running: { tour, step } })
}

export function goToStep(step: number): void {
  tourStore.setState(({ running }) => ({ running: running && { ...running, step } }))
}

export function keepMade(tour: TourId, { kind, id, name, path }: DocumentRef): void {
  const document = { kind, id, name, ...(path === undefined ? {} : { path }) }
  tourStore.setState(({ made }) => ({ made: { ...made, [tour]: document } }))
}

/** Leaves it where it is, or behind its last step. */
export function endTour({ isOver }: { isOver: boolean }): void {
  tourStore.setState(({ running, left }) => {
    if (running === null) return {}
    const { [running.tour]: _, ...others } = left
    return { running: null, left: isOver ? others : { ...others, [running.tour]: running.step } }
  })
}

/** Takes up what this user's last page here left, and keeps what becomes of it; resolves to what ends that. */
export async function keepTours(): Promise<() => void> {
  const user = sessionStore.getState().user?.userId ?? ''
  const stored: Stored = Object(storage.readJson('tours'))
  const page = await pageId()
  if (stored.user === user) {
    const kept = fromStored(stored, await isOpenElsewhere(stored.page, page))
    tourStore.setState(({ running }) => ({ ...kept, running: running ?? kept.running }))
  }
  return tourStore.subscribe(tours => storage.writeJson('tours', { user, page, ...tours }))
}

type Stored = Record<string, unknown>

/** Whether the page that it was on is another one, and open: it goes on there. */
async function isOpenElsewhere(before: unknown, here: string): Promise<boolean> {
  return typeof before === 'string' && before !== here && (await openPages([before])).has(before)
}

const ids = ['onboarding', 'manifest', 'entity'] as const

/** The onboarding goes on by itself; a tour with a wizard, which closed with its page, waits until it is resumed. */
function fromStored({ running, left, made }: Stored, isOnElsewhere: boolean): Tours {
  const { tour, step }: Stored = Object(running)
  const steps: Stored = { ...Object(left) }
  const documents: Stored = Object(made)
  const was = isOnElsewhere ? undefined : ids.find(id => id === tour)
  const isOn = was === 'onboarding'
  if (was !== undefined && !isOn) steps[was] = step
  return {
    running: isOn ? { tour: was, step: stepOf(step) } : null,
    left: Object.fromEntries(ids.filter(id => steps[id] !== undefined).map(id => [id, stepOf(steps[id])])),
    made: Object.fromEntries(ids.flatMap(id => (isDocument(documents[id]) ? [[id, documents[id]]] : []))),
  }
}

function stepOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}

function isDocument(value: unknown): value is DocumentRef {
  const { kind, id, name }: Stored = Object(value)
  return (kind === 'entity' || kind === 'manifest') && typeof id === 'number' && typeof name === 'string'
}
