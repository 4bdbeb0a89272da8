import { isEqual, isRecord } from '@cadmus/model/equal'
import { createElement, type ComponentType } from 'react'
import { createStore } from 'zustand/vanilla'
import { onDemand, type OnDemand } from '../ui/on-demand.ts'
import { holdTyping, releaseTyping } from './type-ahead.ts'

/** Every dialog receives onClose in addition to its own properties. */
type Closing = { onClose: () => void }
export type DialogComponent<P> = ComponentType<P & Closing>

/** A dialog whose code is fetched on first opening or by prefetchDialogs. */
export type DialogDefinition<P> = { id: string; content: OnDemand<P & Closing> }

export type OpenDialog = { key: number; id: string; properties: unknown; Content: ComponentType<Closing> }

const definitions: { prefetch: () => Promise<void> }[] = []
let nextKey = 1

/** The open dialogs, topmost last. */
export const dialogStore = createStore<{ open: readonly OpenDialog[] }>()(() => ({ open: [] }))

/**
 * Declares a dialog: `defineDialog<{ entityId: number }>('manage-versions', () =>
 * import('./ManageVersions.tsx').then(m => m.ManageVersions))`.
 */
export function defineDialog<P = unknown>(id: string, load: () => Promise<DialogComponent<P>>): DialogDefinition<P> {
  const content = onDemand<P & Closing>(load)
  definitions.push(content)
  return { id, content }
}

/**
 * Opens a dialog on top of others. Text typed before it has the focus is entered into it, and pressing the key twice
 * opens one dialog; a dialog about another subject opens above.
 */
export function openDialog<P>({ id, content }: DialogDefinition<P>, properties: P): void {
  const top = dialogStore.getState().open.at(-1)
  if (top?.id === id && isEqual(subjectOf(top.properties), subjectOf(properties))) return
  const key = nextKey
  nextKey += 1
  const Content = ({ onClose }: Closing) => createElement(content.Component, { ...properties, onClose })
  holdTyping({ code: content.prefetch() })
  dialogStore.setState(state => ({ open: [...state.open, { key, id, properties, Content }] }))
}

/** Properties without callbacks, which are new at each opening. */
function subjectOf(properties: unknown): unknown {
  if (!isRecord(properties)) return properties
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => typeof value !== 'function'))
}

export function closeDialog(key: number): void {
  dialogStore.setState(state => ({ open: state.open.filter(dialog => dialog.key !== key) }))
}

/** Closes all dialogs and discards their input. */
export function closeDialogs(): void {
  if (dialogStore.getState().open.length === 0) return
  releaseTyping()
  dialogStore.setState({ open: [] })
}

/** Fetches the code of all dialogs one after the other, so that they open immediately. */
export async function prefetchDialogs(): Promise<void> {
  for (const definition of definitions) {
    // Sequentially, to leave bandwidth for the user's actions.
    await definition.prefetch().catch(() => null)
  }
}

/** Runs once all dialogs are closed and the focus has returned. */
export function afterDialogs(run: () => void): void {
  const settled = () => requestAnimationFrame(run)
  if (dialogStore.getState().open.length === 0) return void settled()
  const stop = dialogStore.subscribe(({ open }) => {
    if (open.length > 0) return
    stop()
    settled()
  })
}
