import { Building2, House } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Toolbar, ToolbarButton } from '../../ui/Toolbar.tsx'
import { tabIn, type AdminPlace } from './admin-address.ts'
import { OrganisationPanel } from './OrganisationPanel.tsx'
import { OrganisationTree } from './OrganisationTree.tsx'
import styles from './Admin.module.css'

export type AdminPageProps = {
  place: AdminPlace
  onPlace: (place: AdminPlace) => void
  onHome: () => void
  /** What every page has at the right of its bar. */
  profile: ReactNode
}

/** The administration: organisations at the left, the chosen one at the right. */
export function AdminPage({ place, onPlace, onHome, profile }: AdminPageProps) {
  const { org } = place
  return (
    <div className={styles['page']}>
      <header className={styles['bar']}>
        <span className={styles['brand']}>Cadmus</span>
        <span className={styles['where']}>Administration</span>
        <Toolbar label="Main">
          <ToolbarButton
            render={
              <Button icon={House} onClick={onHome}>
                Home
              </Button>
            }
          />
          {profile}
        </Toolbar>
      </header>
      <div className={styles['desk']}>
        <OrganisationTree selected={org ?? null} onOpen={code => onPlace({ ...place, org: code })} />
        <main className={styles['content']}>
          {org === undefined ? (
            <EmptyState
              icon={Building2}
              text="Choose an organisation to see who works in it and what its licence allows."
            />
          ) : (
            <OrganisationPanel code={org} tab={tabIn(place)} onTab={tab => onPlace({ ...place, tab })} />
          )}
        </main>
      </div>
    </div>
  )
}
