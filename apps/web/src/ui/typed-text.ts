import { flushSync } from 'react-dom'
import { createStore } from 'zustand/vanilla'

/** What a field does with text that is typed and not applied yet: takes it (true), or says in its place why not (false). */
export type ApplyTyped = () => boolean | Promise<boolean>

/** The fields that hold such text. */
export const typedStore = createStore<{ fields: ReadonlySet<ApplyTyped> }>()(() => ({ fields: new Set() }))

/** Tells that a field holds such text; returns what takes that back. */
export function holdTyped(apply: ApplyTyped): () => void {
  const without = (fields: ReadonlySet<ApplyTyped>) => new Set([...fields].filter(field => field !== apply))
  typedStore.setState(({ fields }) => ({ fields: new Set([...fields, apply]) }))
  return () => typedStore.setState(({ fields }) => ({ fields: without(fields) }))
}

/** Whether something is typed that no document knows of: leaving the page would lose it. */
export function isTyped(): boolean {
  return typedStore.getState().fields.size > 0
}

/**
 * Applies what is typed, before anything else is done. At once where the rules answer at once, so that what comes next already
 * looks at the document with it. False: a field refused, and what was to be done is not.
 */
export function applyTyped(): boolean | Promise<boolean> {
  const { fields } = typedStore.getState()
  if (fields.size === 0) return true
  const answers = flushSync(() => [...fields].map(apply => apply()))
  const waits = answers.some(answer => answer instanceof Promise)
  return waits ? Promise.all(answers).then(settled) : answers.every(Boolean)
}

/** What was taken after a wait is rendered, and the commands know of it, a moment later. */
async function settled(answers: readonly boolean[]): Promise<boolean> {
  await new Promise(resolve => setTimeout(resolve))
  return answers.every(Boolean)
}

const asked = new Set<Promise<unknown>>()

/** Passes on the answer about a text that was typed and left, and remembers, until it is here, that it is waited for. */
export function untilAnswered<T>(answer: T | Promise<T>): T | Promise<T> {
  if (!(answer instanceof Promise)) return answer
  asked.add(answer)
  const forget = () => void asked.delete(answer)
  answer.then(forget, forget)
  return answer
}

/** The wait until what was typed and left is taken or refused; null where nothing is waited for. */
export function answersAwaited(): Promise<unknown> | null {
  return asked.size === 0 ? null : Promise.allSettled(asked).then(() => settled([]))
}
