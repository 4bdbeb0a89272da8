import { createElement, lazy, type ComponentType } from 'react'
import { createStore } from 'zustand/vanilla'

/** Every dialog takes onClose beside its own properties. */
export type DialogComponent<P> = ComponentType<P & { onClose: () => void }>
type Loader<P> = () => Promise<DialogComponent<P>>

/** A dialog that is fetched when first opened, or earlier by prefetchDialogs. */
export type DialogDefinition<P> = { id: string; load: Loader<P> }

export type OpenDialog = { key: number; id: string; Content: DialogComponent<unknown> }

const definitions: { load: () => Promise<unknown> }[] = []
let nextKey = 1

/** The open dialogs, the last one on top. */
export const dialogStore = createStore<{ open: readonly OpenDialog[] }>()(() => ({ open: [] }))

/** Declares a dialog: `defineDialog<{ entityId: number }>('manage-versions', () => import('./ManageVersions.tsx').then(m => m.ManageVersions))`. */
export function defineDialog<P = unknown>(id: string, load: Loader<P>): DialogDefinition<P> {
  const definition = { id, load }
  definitions.push(definition)
  return definition
}

/** Shows a dialog on top of what is open. */
export function openDialog<P>(definition: DialogDefinition<P>, properties: P): void {
  const key = nextKey
  nextKey += 1
  const Content = lazy(async () => ({ default: bound(await definition.load(), properties) }))
  dialogStore.setState(state => ({ open: [...state.open, { key, id: definition.id, Content }] }))
}

export function closeDialog(key: number): void {
  dialogStore.setState(state => ({ open: state.open.filter(dialog => dialog.key !== key) }))
}

/** Fetches the code of all dialogs, one after the other, so that opening one shows it at once. */
export async function prefetchDialogs(): Promise<void> {
  for (const definition of definitions) {
    // One by one: what the person does now comes first.
    await definition.load().catch(() => null)
  }
}

function bound<P>(Component: DialogComponent<P>, properties: P): DialogComponent<unknown> {
  return function Bound({ onClose }) {
    return createElement(Component, { ...properties, onClose })
  }
}
