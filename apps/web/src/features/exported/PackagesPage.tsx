import { visibleText } from '@cadmus/model/display'
import { useState, type ReactNode } from 'react'
import type { AppContext } from '../../commands/context.ts'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { PackageBrowser, type JustBuilt } from './PackageBrowser.tsx'
import styles from './Packages.module.css'

export type PackagesPageProps = {
  title: string
  context: AppContext
  justBuilt: JustBuilt | null
  onViewAll: () => void
  /** Shown at the top of every page. */
  bar: ReactNode
  children: ReactNode
}

/** The packages page: all packages with a search, or only the package just built. */
export function PackagesPage({ title, context, justBuilt, onViewAll, bar, children }: PackagesPageProps) {
  const [search, setSearch] = useState('')
  return (
    <div className={styles['page']}>
      {bar}
      <main className={styles['content']} data-region="document" tabIndex={-1}>
        <div className={styles['title']}>
          <h1>{visibleText(title)}</h1>
          {!justBuilt && <SearchBox label="Search packages" value={search} onSearch={setSearch} />}
        </div>
        <PackageBrowser context={context} search={search} justBuilt={justBuilt} onViewAll={onViewAll} />
      </main>
      {children}
    </div>
  )
}
