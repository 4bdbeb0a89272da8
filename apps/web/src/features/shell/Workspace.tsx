import { useEffect, type ReactNode } from 'react'
import { allCommands } from '../../commands/registry.ts'
import { listenForKeys, useCommands } from '../../commands/scope.ts'
import type { AppContext } from '../../commands/context.ts'
import { atRest } from '../../ui/at-rest.ts'
import { prefetchDrag } from '../../ui/lazy-drag.ts'
import { prefetchMenus } from '../../ui/lazy-menu.ts'
import { useWorkbench, workbench } from '../../workbench/desk.ts'
import type { SidebarView } from '../../workbench/workbench.ts'
import { prefetchDialogs } from '../../workbench/dialogs.ts'
import { prefetchDocuments } from '../../workbench/document-kinds.ts'
import { prefetchQuestions } from './DialogHost.tsx'
import { Connection } from './Connection.tsx'
import { DocumentArea } from './DocumentArea.tsx'
import { guardFocus } from './focus-guard.ts'
import { PropertiesPanel } from './PropertiesPanel.tsx'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'
import styles from './Workspace.module.css'

const commands = allCommands
const narrow = '(width < 900px)'

export type WorkspaceProps = { context: AppContext; navigator: (view: SidebarView, search: string) => ReactNode }

/** Top bar, sidebar, documents and properties. Below 900 px the sides slide over the document. */
export function Workspace({ context, navigator }: WorkspaceProps) {
  const sidebar = useWorkbench(state => state.sidebarOpen)
  const properties = useWorkbench(state => state.propertiesOpen)
  useCommands(commands(), context)
  useEffect(() => listenForKeys(window), [])
  useEffect(closeSidesWhenNarrow, [])
  useEffect(guardFocus, [])
  useEffect(prefetchWhenIdle, [])
  return (
    <div className={styles['page']}>
      <TopBar context={context} />
      <Connection />
      <div className={styles['desk']} data-sidebar={sidebar || undefined}>
        <Sidebar>{navigator}</Sidebar>
        <DocumentArea />
        <PropertiesPanel />
        {(sidebar || properties) && (
          <button
            type="button"
            aria-label="Close side panels"
            tabIndex={-1}
            className={styles['shade']}
            onClick={() => workbench.getState().set({ sidebarOpen: false, propertiesOpen: false })}
          />
        )}
      </div>
    </div>
  )
}

function closeSidesWhenNarrow() {
  const query = matchMedia(narrow)
  const apply = () => workbench.getState().set({ sidebarOpen: !query.matches, propertiesOpen: !query.matches })
  if (query.matches) apply()
  query.addEventListener('change', apply)
  // The drawer has done its work once a document is shown.
  const stop = workbench.subscribe((state, before) => {
    if (query.matches && state.active !== before.active && state.sidebarOpen) state.set({ sidebarOpen: false })
  })
  return () => {
    query.removeEventListener('change', apply)
    stop()
  }
}

/** Once the page is at rest: what will be opened next is there at once. Each file alone, because running it holds up a press. */
function prefetchWhenIdle() {
  let isLeft = false
  const timer = setTimeout(async () => {
    for (const prefetch of [prefetchDrag, prefetchMenus, prefetchQuestions, prefetchDocuments, prefetchDialogs]) {
      await atRest()
      if (isLeft) return
      // What cannot be fetched now is fetched when it is needed, and says so then.
      await prefetch().catch(() => undefined)
    }
  }, 1500)
  return () => {
    isLeft = true
    clearTimeout(timer)
  }
}
