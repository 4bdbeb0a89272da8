import type { ReactNode } from 'react'
import type { AppContext } from '../../commands/context.ts'
import { tabIn, type AdminPlace } from './admin-address.ts'
import { AdminTree } from './AdminTree.tsx'
import { OrganisationPanel } from './OrganisationPanel.tsx'
import styles from './Admin.module.css'

export type AdminPageProps = {
  place: AdminPlace
  context: AppContext
  /** `node`: the row of the tree that was chosen. */
  onPlace: (place: AdminPlace, node?: string) => void
  inOrganisation: (code: string, work: () => void) => void
  /** What every page has at its top. */
  bar: ReactNode
  /** What is shown where no organisation is chosen. */
  nothing: ReactNode
  /** What is shown of an organisation's packages. */
  packages: ReactNode
  /** The document of the place and its properties; null where it names none. */
  document: ReactNode
  properties: ReactNode
}

/** The administration: organisations and what is theirs at the left, what is chosen of it at the right. */
export function AdminPage({
  place,
  context,
  onPlace,
  inOrganisation,
  bar,
  nothing,
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
          {org === undefined && nothing}
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
