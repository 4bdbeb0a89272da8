import { limits } from '@cadmus/model/limits'
import { FolderTree, LibraryBig, PackageCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { Segments, type SegmentsProps } from '../../ui/Segments.tsx'
import { Splitter } from '../../ui/Splitter.tsx'
import { toTree } from '../../ui/tree-moves.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import type { SidebarView } from '../../workbench/workbench.ts'
import { storeWidth } from './widths.ts'
import styles from './Workspace.module.css'

const { min, max } = limits.sidebarWidth

const views: SegmentsProps<SidebarView>['options'] = [
  { value: 'navigator', label: 'Project Navigator', icon: FolderTree },
  { value: 'library', label: 'CDM Library', icon: LibraryBig },
  { value: 'packages', label: 'Exported packages', icon: PackageCheck },
]

/** The frame of the left side. */
export function Sidebar({ label, children }: { label: string; children: ReactNode }) {
  const width = useWorkbench(state => state.widths.sidebar)
  return (
    <>
      <nav aria-label={label} data-region="sidebar" tabIndex={-1} className={styles['sidebar']} style={{ width }}>
        {children}
      </nav>
      <Splitter
        label="Width of the navigator"
        panel="before"
        size={width}
        min={min}
        max={max}
        onResize={next => storeWidth('sidebar', next)}
      />
    </>
  )
}

/** The designer's views with their search. */
export function SidebarViews({ children }: { children: (view: SidebarView, search: string) => ReactNode }) {
  const view = useWorkbench(state => state.view)
  const search = useWorkbench(state => state.search)
  return (
    <>
      <div data-tour="views" className={styles['views']}>
        <Segments
          label="View"
          options={views}
          value={view}
          onChange={next => workbench.getState().set({ view: next, search: '' })}
        />
      </div>
      <div data-tour="search" className={styles['search']}>
        <SearchBox
          label="Search"
          value={search}
          onSearch={text => workbench.getState().set({ search: text })}
          onDown={toTree}
        />
      </div>
      {children(view, search)}
    </>
  )
}
