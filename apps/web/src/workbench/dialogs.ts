import { createElement, type ComponentType } from 'react'
import { createStore } from 'zustand/vanilla'
import { onDemand, type OnDemand } from '../ui/on-demand.ts'
import { holdTyping } from './type-ahead.ts'

/** Every dialog takes onClose beside its own properties. */
type Closing = { onClose: () => void }
export type DialogComponent<P> = ComponentType<P & Closing>

/** A dialog that is fetched when first opened, or earlier by prefetchDialogs. */
export type DialogDefinition<P> = { id: string; content: OnDemand<P & Closing> }

export type OpenDialog = { key: number; id: string; Content: ComponentType<Closing> }

const definitions: { prefetch: () => Promise<void> }[] = []
let nextKey = 1

/** The open dialogs, the last one on top. */
export const dialogStore = createStore<{ open: readonly OpenDialog[] }>()(() => ({ open: [] }))

/** Declares a dialog: `defineDialog<{ entityId: number }>('manage-versions', () => import('./ManageVersions.tsx').then(m => m.ManageVersions))`. */
export function defineDialog<P = unknown>(id: string, load: () => Promise<DialogComponent<P>>): DialogDefinition<P> {
  const content = onDemand<P & Closing>(load)
  definitions.push(content)
  return { id, content }
}

/** Shows a dialog on top of what is open, and text typed before it has the focus goes into it. A key pressed twice opens one dialog. */
export function openDialog<P>({ id, content }: DialogDefinition<P>, properties: P): void {
  if (dialogStore.getState().open.at(-1)?.id === id) return
  const key = nextKey
  nextKey += 1
  const Content = ({ onClose }: Closing) => createElement(content.Component, { ...properties, onClose })
  holdTyping()
  dialogStore.setState(state => ({ open: [...state.open, { key, id, Content }] }))
}

export function closeDialog(key: number): void {
  dialogStore.setState(state => ({ open: state.open.filter(dialog => dialog.key !== key) }))
}

/** All of them at once, with what was chosen in them. */
export function closeDialogs(): void {
  if (dialogStore.getState().open.length > 0) dialogStore.setState({ open: [] })
}

/** Fetches the code of all dialogs, one after the other, so that opening one shows it at once. */
export async function prefetchDialogs(): Promise<void> {
  for (const definition of definitions) {
    // One by one: what the person does now comes first.
    await definition.prefetch().catch(() => null)
  }
}

/** Runs it once no dialog is open any more and the focus is back where it came from. */
export function afterDialogs(run: () => void): void {
  const settled = () => requestAnimationFrame(run)
  if (dialogStore.getState().open.length === 0) return void settled()
  const stop = dialogStore.subscribe(({ open }) => {
    if (open.length > 0) return
    stop()
    settled()
  })
}
