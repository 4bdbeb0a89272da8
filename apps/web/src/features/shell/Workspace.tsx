import { LayoutPanelLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { visibleText } from '@cadmus/model/display'
import { folderOf } from '@cadmus/model/paths'
import { currentScope, isAdministration } from '../../api/scope.ts'
import type { AppContext } from '../../commands/context.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { documentKind } from '../../workbench/document-kinds.ts'
import type { Tab } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { Connection } from './Connection.tsx'
import { PropertiesPanel } from './PropertiesPanel.tsx'
import { TabStrip } from './TabStrip.tsx'
import { type Section, TopBar } from './TopBar.tsx'
import styles from './Workspace.module.css'

const narrow = '(width < 900px)'
const closed = { sidebarOpen: false, propertiesOpen: false }

type WorkspaceProps = {
  context: AppContext
  /** Undefined: the designer's. */
  section?: Section | undefined
  sidebar: ReactNode
  /** Shown without a document. */
  empty?: ReactNode
}

/** Top bar, sidebar, documents and properties. Below 900 px the sides overlay the document. */
export function Workspace({ context, section, sidebar: side, empty }: WorkspaceProps) {
  const sidebar = useWorkbench(state => state.sidebarOpen)
  const properties = useWorkbench(state => state.propertiesOpen)
  useEffect(closeSidesWhenNarrow, [])
  return (
    <div className={styles['page']}>
      <TopBar context={context} section={section} />
      <Connection />
      <div className={styles['desk']} data-sidebar={sidebar || undefined}>
        {side}
        <DocumentArea empty={empty} />
        {(section?.hasProperties ?? true) && <PropertiesPanel />}
        {(sidebar || properties) && (
          <button
            type="button"
            aria-label="Close side panels"
            tabIndex={-1}
            className={styles['shade']}
            onClick={() => workbench.getState().set(closed)}
          />
        )}
      </div>
    </div>
  )
}

function closeSidesWhenNarrow() {
  const query = matchMedia(narrow)
  const apply = () =>
    workbench.setState(({ propertiesOpen }) => ({
      sidebarOpen: !query.matches,
      propertiesOpen: !query.matches || (propertiesOpen && (isEditing() || isRefused())),
    }))
  if (query.matches) apply()
  query.addEventListener('change', apply)
  // Opening a document closes the drawer.
  const stop = workbench.subscribe((state, before) => {
    if (query.matches && state.active !== before.active && state.sidebarOpen) state.set({ sidebarOpen: false })
  })
  // Neither side may cover the focused element.
  const uncover = ({ target }: FocusEvent) => {
    if (query.matches && isIn(target, 'document')) workbench.getState().set(closed)
  }
  const escape = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    if (!query.matches || key !== 'Escape' || defaultPrevented || !isIn(target, 'sidebar')) return
    document.querySelector<HTMLElement>('[data-region="document"]')?.focus()
  }
  document.addEventListener('focusin', uncover)
  document.addEventListener('keydown', escape)
  return () => {
    query.removeEventListener('change', apply)
    document.removeEventListener('focusin', uncover)
    document.removeEventListener('keydown', escape)
    stop()
  }
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
function DocumentArea({ empty }: { empty?: ReactNode }) {
  const tab = useWorkbench(state => state.tabs.find(candidate => candidate.tabId === state.active) ?? null)
  useEffect(() => {
    document.title = [...(tab ? titleOf(tab) : []), 'Cadmus'].join(' - ')
    return () => {
      document.title = 'Cadmus'
    }
  }, [tab])
  const Content = tab ? documentKind(tab.kind)?.Content : undefined
  const hasTabs = !isAdministration()
  return (
    <main className={styles['document']} data-region="document" tabIndex={-1}>
      {tab && Content ? (
        <>
          {hasTabs && <TabStrip />}
          <div
            {...(hasTabs ? { id: 'document', role: 'tabpanel', 'aria-labelledby': `tab-${tab.tabId}` } : {})}
            className={styles['panel']}
          >
            <Boundary key={tab.tabId}>
              <Content id={tab.id} />
            </Boundary>
          </div>
        </>
      ) : (
        (empty ?? (
          <EmptyState
            icon={LayoutPanelLeft}
            text="Choose an entity or a manifest in the navigator, or press Ctrl+K to search."
          />
        ))
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
