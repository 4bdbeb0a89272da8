// Escape leaves the panel: one handler for all its fields.
/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions */
import { limits } from '@cadmus/model/limits'
import { SlidersHorizontal, X } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent } from 'react'
import { Boundary } from '../../ui/Boundary.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Splitter } from '../../ui/Splitter.tsx'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { documentKind } from '../../workbench/document-kinds.ts'
import { forgetTree, rowBefore } from './rename.ts'
import { storeWidth } from './widths.ts'
import styles from './Workspace.module.css'

const { min, max } = limits.propertiesWidth

/** Docked on the right: properties of the active document and its selection; nothing without a document. */
export function PropertiesPanel() {
  const tab = useWorkbench(state => state.tabs.find(candidate => candidate.tabId === state.active) ?? null)
  const width = useWorkbench(state => state.widths.properties)
  const open = useWorkbench(state => state.propertiesOpen)
  const Properties = tab ? documentKind(tab.kind)?.Properties : undefined
  if (!open || !tab) return null
  return (
    <>
      <Splitter
        label="Width of the properties panel"
        panel="after"
        size={width}
        min={min}
        max={max}
        onResize={next => storeWidth('properties', next)}
      />
      <aside
        aria-label="Properties"
        data-region="properties"
        tabIndex={-1}
        onKeyDown={backToRow}
        onBlur={leave}
        className={styles['properties']}
        style={{ width }}
      >
        <div className={styles['head']} data-closes>
          <h2>Properties</h2>
          <IconButton
            label="Close properties panel"
            icon={X}
            onClick={() => workbench.getState().set({ propertiesOpen: false })}
          />
        </div>
        {Properties ? (
          <Boundary key={tab.tabId}>
            <Properties id={tab.id} />
          </Boundary>
        ) : (
          <EmptyState icon={SlidersHorizontal} text="Nothing is selected." />
        )}
      </aside>
    </>
  )
}

/** Escape returns the focus to the row whose properties are shown, unless a field handled it. */
function backToRow(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event
  // Popups handle their own keys; React bubbles them through the panel.
  if (event.key !== 'Escape' || event.defaultPrevented) return
  if (!(target instanceof Node) || !currentTarget.contains(target)) return
  rowBefore()?.focus()
}

function leave({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) forgetTree()
}

/** Opens or closes the panel. Where it lies over the document, it gets the focus, which leads to it by keyboard. */
export function toggleProperties(): void {
  const { propertiesOpen, set } = workbench.getState()
  set({ propertiesOpen: !propertiesOpen })
  if (propertiesOpen) return
  requestAnimationFrame(() => {
    const panel = document.querySelector<HTMLElement>('[data-region="properties"]')
    if (panel && getComputedStyle(panel).position === 'absolute') panel.focus()
  })
}
