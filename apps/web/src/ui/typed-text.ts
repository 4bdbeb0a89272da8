import { flushSync } from 'react-dom'
import { createStore } from 'zustand/vanilla'

/** Applies unapplied text of a field: true, or false after showing the reason. */
export type ApplyTyped = () => boolean | Promise<boolean>

/** `isStored`: the text is stored as drafts are, so that a reload brings it back. */
type Held = { isStored: boolean }

/** Fields with unapplied text. */
export const typedStore = createStore<{ fields: ReadonlyMap<ApplyTyped, Held> }>()(() => ({ fields: new Map() }))

/** Registers a field with unapplied text; returns its removal. */
export function holdTyped(apply: ApplyTyped, held: Held = { isStored: false }): () => void {
  const without = (fields: ReadonlyMap<ApplyTyped, Held>) => new Map([...fields].filter(([field]) => field !== apply))
  typedStore.setState(({ fields }) => ({ fields: new Map([...fields, [apply, held]]) }))
  return () => typedStore.setState(({ fields }) => ({ fields: without(fields) }))
}

/** Whether there is text that no document contains. `isStored`: text that is stored as drafts are, or other text, which leaving the page loses. */
export function isTyped({ isStored }: Held): boolean {
  return [...typedStore.getState().fields.values()].some(held => held.isStored === isStored)
}

/**
 * Applies all unapplied text before another action. Synchronous if validation is, so that the action already sees the
 * changed document. False: a field refused, and the action must not run.
 */
export function applyTyped(): boolean | Promise<boolean> {
  const { fields } = typedStore.getState()
  if (fields.size === 0) return true
  const answers = flushSync(() => [...fields.keys()].map(apply => apply()))
  const waits = answers.some(answer => answer instanceof Promise)
  return waits ? Promise.all(answers).then(settled) : answers.every(Boolean)
}

/** Waits until the result of an asynchronous application is rendered and known to the commands. */
async function settled(answers: readonly boolean[]): Promise<boolean> {
  await new Promise(resolve => setTimeout(resolve))
  return answers.every(Boolean)
}

const pending = new Set<Promise<unknown>>()

/** Passes a pending result on and remembers it until it arrives. */
export function trackPending<T>(answer: T | Promise<T>): T | Promise<T> {
  if (!(answer instanceof Promise)) return answer
  pending.add(answer)
  const forget = () => void pending.delete(answer)
  answer.then(forget, forget)
  return answer
}

/** Resolves when all pending texts are applied or refused; null if no texts are pending. */
export function pendingAnswers(): Promise<unknown> | null {
  return pending.size === 0 ? null : Promise.allSettled(pending).then(() => settled([]))
}
