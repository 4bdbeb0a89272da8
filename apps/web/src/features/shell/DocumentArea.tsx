import { folderOf } from '@cadmus/model/paths'
import { visibleText } from '@cadmus/model/display'
import { LayoutPanelLeft } from 'lucide-react'
import { useEffect } from 'react'
import { Boundary } from '../../ui/Boundary.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useWorkbench } from '../../workbench/page-workbench.ts'
import { documentKind } from '../../workbench/document-kinds.ts'
import type { Tab } from '../../workbench/documents.ts'
import { TabStrip } from './TabStrip.tsx'
import styles from './Workspace.module.css'

export function DocumentArea() {
  const tab = useWorkbench(state => state.tabs.find(candidate => candidate.tabId === state.active) ?? null)
  useEffect(() => {
    document.title = tab ? `${visibleText(nameAndFolder(tab))} - Cadmus` : 'Cadmus'
  }, [tab])
  const Content = tab ? documentKind(tab.kind)?.Content : undefined
  if (!tab || !Content)
    return (
      <main className={styles['document']} data-region="document" tabIndex={-1}>
        <EmptyState
          icon={LayoutPanelLeft}
          text="Choose an entity or a manifest in the navigator, or press Ctrl+K to search."
        />
      </main>
    )
  return (
    <main className={styles['document']} data-region="document" tabIndex={-1}>
      <TabStrip />
      <div id="document" role="tabpanel" aria-labelledby={`tab-${tab.tabId}`} className={styles['panel']}>
        <Boundary key={tab.tabId}>
          <Content id={tab.id} />
        </Boundary>
      </div>
    </main>
  )
}

/** Adds the folder if the tab has one, which distinguishes documents of the same name. */
function nameAndFolder({ name, path }: Tab): string {
  return path === undefined ? name : `${name} (${folderOf(path)})`
}
