import type { ReactNode } from 'react'
import type { AppContext } from '../../commands/context.ts'
import { tabIn, type AdminPlace } from './admin-address.ts'
import { AdminTree } from './AdminTree.tsx'
import { OrganisationPanel } from './OrganisationPanel.tsx'
import styles from './Admin.module.css'

export type AdminPageProps = {
  place: AdminPlace
  context: AppContext
  /** `node`: the tree row that was selected. */
  onPlace: (place: AdminPlace, node?: string) => void
  inOrganisation: (code: string, work: () => void) => void
  /** Shown at the top of every page. */
  bar: ReactNode
  /** Shown while no organisation is chosen. */
  empty: ReactNode
  packages: ReactNode
  /** The document of the place and its properties; null if the place names no document. */
  document: ReactNode
  properties: ReactNode
}

/** The administration: the tree of organisations at the left, the selected organisation or document at the right. */
export function AdminPage({
  place,
  context,
  onPlace,
  inOrganisation,
  bar,
  empty,
  packages,
  document,
  properties,
}: AdminPageProps) {
  const { org } = place
  return (
    <div className={styles['page']}>
      {bar}
      <div className={styles['desk']}>
        <AdminTree place={place} context={context} onPlace={onPlace} inOrganisation={inOrganisation} />
        <main className={styles['content']} data-region="document" tabIndex={-1}>
          {org === undefined && empty}
          {org !== undefined && !document && (
            <OrganisationPanel
              code={org}
              tab={tabIn(place)}
              context={context}
              packages={packages}
              onTab={tab => onPlace({ org, tab })}
            />
          )}
          {document}
        </main>
        {properties}
      </div>
    </div>
  )
}
