import { type ReactNode, useEffect } from 'react'
import { visibleText } from '@cadmus/model/display'
import { folderOf } from '@cadmus/model/paths'
import { currentScope, isAdministration } from '../../api/scope.ts'
import type { AppContext } from '../../commands/context.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { documentKind } from '../../workbench/document-kinds.ts'
import type { Tab } from '../../workbench/documents.ts'
import { overlayQuery } from '../../workbench/overlays.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { shownTabs } from '../../workbench/tabs.ts'
import { Connection } from './Connection.tsx'
import { PropertiesPanel } from './PropertiesPanel.tsx'
import { StatusBar } from './StatusBar.tsx'
import { TabStrip } from './TabStrip.tsx'
import { type Section, TopBar } from './TopBar.tsx'
import styles from './Workspace.module.css'

type WorkspaceProps = {
  context: AppContext
  /** Undefined: the designer's. */
  section?: Section | undefined
  sidebar: ReactNode
  /** Shown without a document. */
  empty: ReactNode
}

/** Top bar, sidebar, documents, properties and status bar. In a small window the sides overlay the document. */
export function Workspace({ context, section, sidebar: side, empty }: WorkspaceProps) {
  const sidebar = useWorkbench(state => state.sidebarOpen)
  const properties = useWorkbench(state => state.propertiesOpen && state.active !== null)
  const hasProperties = section?.hasProperties ?? true
  useEffect(closeSidesWhenNarrow, [])
  return (
    <div className={styles['page']}>
      <TopBar context={context} section={section} />
      <Connection />
      <div
        className={styles['desk']}
        data-sidebar={sidebar || undefined}
        data-properties={(properties && hasProperties) || undefined}
      >
        {side}
        <DocumentArea empty={empty} />
        {hasProperties && <PropertiesPanel />}
        {(sidebar || properties) && (
          <button
            type="button"
            aria-label="Close side panels"
            tabIndex={-1}
            className={styles['shade']}
            onClick={closeOverlays}
          />
        )}
      </div>
      <StatusBar />
    </div>
  )
}

function closeSidesWhenNarrow() {
  const [sidebar, properties] = [matchMedia(overlayQuery('sidebar')), matchMedia(overlayQuery('properties'))]
  const applySidebar = () => workbench.setState({ sidebarOpen: !sidebar.matches })
  const applyProperties = () =>
    workbench.setState(({ propertiesOpen }) => ({
      propertiesOpen: !properties.matches || (propertiesOpen && (isEditing() || isRefused())),
    }))
  if (sidebar.matches) applySidebar()
  if (properties.matches) applyProperties()
  sidebar.addEventListener('change', applySidebar)
  properties.addEventListener('change', applyProperties)
  // An opened document is in view.
  const stop = workbench.subscribe((state, before) => {
    if (state.active !== before.active) closeOverlays()
  })
  // Neither side may cover the focused element.
  const uncover = ({ target }: FocusEvent) => {
    if (isIn(target, 'document')) closeOverlays()
  }
  const escape = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    if (!sidebar.matches || key !== 'Escape' || defaultPrevented || !isIn(target, 'sidebar')) return
    document.querySelector<HTMLElement>('[data-region="document"]')?.focus()
  }
  document.addEventListener('focusin', uncover)
  document.addEventListener('keydown', escape)
  return () => {
    sidebar.removeEventListener('change', applySidebar)
    properties.removeEventListener('change', applyProperties)
    document.removeEventListener('focusin', uncover)
    document.removeEventListener('keydown', escape)
    stop()
  }
}

/** Closes the sides that lie over the document. */
function closeOverlays() {
  const { sidebarOpen, propertiesOpen, set } = workbench.getState()
  if (sidebarOpen && matchMedia(overlayQuery('sidebar')).matches) set({ sidebarOpen: false })
  if (propertiesOpen && matchMedia(overlayQuery('properties')).matches) set({ propertiesOpen: false })
}

function isIn(target: EventTarget | null, region: string): boolean {
  return target instanceof Element && target.closest(`[data-region="${region}"]`) !== null
}

/** Whether the focus is in the panel or a popup that may belong to it: closing the panel would lose input. */
function isEditing(): boolean {
  const at = '[data-region="properties"], [role="dialog"], [role="alertdialog"], [role="listbox"]'
  return (document.activeElement?.closest(at) ?? null) !== null
}

/** Whether the panel shows a validation error. */
function isRefused(): boolean {
  return document.querySelector('[data-region="properties"] [role="alert"]') !== null
}

/** The shown document. `empty`: without one. The administration shows one document at a time, without tabs. */
function DocumentArea({ empty }: { empty: ReactNode }) {
  const tab = useWorkbench(state => state.tabs.find(candidate => candidate.tabId === state.active) ?? null)
  useEffect(() => {
    document.title = [...(tab ? titleOf(tab) : []), 'Cadmus'].join(' - ')
    return () => {
      document.title = 'Cadmus'
    }
  }, [tab])
  const isOpen = useWorkbench(state => shownTabs(state.tabs).length > 0)
  const Content = tab ? documentKind(tab.kind)?.Content : undefined
  const hasTabs = !isAdministration()
  return (
    <main className={styles['document']} data-region="document" tabIndex={-1}>
      {hasTabs && isOpen && <TabStrip />}
      {tab && Content ? (
        <div
          {...(hasTabs ? { id: 'document', role: 'tabpanel', 'aria-labelledby': `tab-${tab.tabId}` } : {})}
          className={styles['panel']}
        >
          <Boundary key={tab.tabId}>
            <Content id={tab.id} />
          </Boundary>
        </div>
      ) : (
        <Boundary>{empty}</Boundary>
      )}
    </main>
  )
}

function titleOf(tab: Tab): string[] {
  if (tab.kind === 'organisation') return []
  if (isAdministration()) return [visibleText(tab.name), `[${visibleText(currentScope().organisation)}]`]
  return [visibleText(nameAndFolder(tab))]
}

/** Adds the folder if the tab has one, which distinguishes documents of the same name. */
function nameAndFolder({ name, path }: Tab): string {
  return path === undefined ? name : `${name} (${folderOf(path)})`
}
