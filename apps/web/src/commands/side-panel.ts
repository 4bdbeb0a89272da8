import { createStore } from 'zustand/vanilla'
import { ownSettings, storeOwnSettings } from '../api/own-settings.ts'
import type { DocumentRef } from '../workbench/documents.ts'
import { openAt } from './DocumentLink.tsx'

export type Steps = 1 | 2 | 3

const entityKinds = ['diagram', 'text'] as const
type EntityKind = (typeof entityKinds)[number]

/** What is beside the parts of entities and of manifests, for all of them alike. Remembered by the browser. */
export type SidePanel = { entity: EntityKind | null; manifest: 'text' | null; width: number; steps: Steps }

export const panelWidths = { least: 280, most: 1200, first: 460 } as const

function stored(): SidePanel {
  const { beside, besideManifest, besideWidth, steps } = ownSettings('diagrams')
  const width = Number(besideWidth)
  return {
    entity: beside === true ? 'diagram' : (entityKinds.find(kind => kind === beside) ?? null),
    manifest: besideManifest === 'text' ? besideManifest : null,
    width: width >= panelWidths.least && width <= panelWidths.most ? width : panelWidths.first,
    steps: steps === 2 || steps === 3 ? steps : 1,
  }
}

export const sidePanel = createStore<SidePanel>()(() => stored())

export function setSidePanel(change: Partial<SidePanel>): void {
  sidePanel.setState(change)
  const { entity: beside, manifest: besideManifest, width: besideWidth, steps } = sidePanel.getState()
  storeOwnSettings('diagrams', { beside, besideManifest, besideWidth, steps })
}

let isFocusDue = false

/** Whether a panel that a command opened is to take the focus; once. */
export function takeFocusDue(): boolean {
  const isDue = isFocusDue
  isFocusDue = false
  return isDue
}

/** Shows the text beside the parts of a document with the focus in it, or hides it. */
export function toggleText(kind: 'entity' | 'manifest'): void {
  isFocusDue = sidePanel.getState()[kind] !== 'text'
  setSidePanel({ [kind]: isFocusDue ? 'text' : null })
}

type Shown = { kind: 'entity' | 'manifest' } & Pick<DocumentRef, 'id' | 'name' | 'path'>

/** Opens an entity with the entities around it, or a document with its text. */
export function showBeside(panel: Partial<Pick<SidePanel, 'entity' | 'manifest'>>, shown: Shown): void {
  const { kind, id, name, path } = shown
  isFocusDue = panel[kind] === 'text'
  setSidePanel(panel)
  openAt({ kind, id, name, ...(path === undefined ? {} : { path }) })
}
