import { visibleText } from '@cadmus/model/visible-text'
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
  /** What every page has at its top. */
  bar: ReactNode
  children: ReactNode
}

/** The page of the packages: all of them with a search, or the one that was just built. */
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
