import { visibleText } from '@cadmus/model/display'
import { folderOf } from '@cadmus/model/paths'
import { LayoutPanelLeft } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { currentScope, isAdministration } from '../../api/scope.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useWorkbench } from '../../workbench/page-workbench.ts'
import { documentKind } from '../../workbench/document-kinds.ts'
import type { Tab } from '../../workbench/documents.ts'
import { TabStrip } from './TabStrip.tsx'
import styles from './Workspace.module.css'

/** The shown document. `empty`: without one. The administration shows one document at a time, without tabs. */
export function DocumentArea({ empty }: { empty?: ReactNode }) {
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
