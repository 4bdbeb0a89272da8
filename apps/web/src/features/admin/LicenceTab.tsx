import { formatCount } from '@cadmus/model/display'
import { PencilLine } from 'lucide-react'
import type { LoadedOrganisation } from '../../api/organisations.ts'
import { Button } from '../../ui/Button.tsx'
import { openDialog } from '../../workbench/dialogs.ts'
import { licenceDialog } from './dialogs.ts'
import { databaseLabel, formatLimit } from './labels.ts'
import styles from './Admin.module.css'

export function LicenceTab({ loaded }: { loaded: LoadedOrganisation }) {
  const { licence, totalManifests, totalMembers, totalSubscriptions } = loaded.organisation
  const { manifestLimit, rest, graphql, databaseTypes } = licence
  return (
    <div className={styles['tab']}>
      <section className={styles['facts']} aria-labelledby="subscription-heading">
        <h2 id="subscription-heading">Subscription</h2>
        <dl>
          <dt>Members</dt>
          <dd>{formatCount(totalMembers)}</dd>
          <dt>With a subscription</dt>
          <dd>{formatCount(totalSubscriptions)}</dd>
        </dl>
      </section>
      <section className={styles['facts']} aria-labelledby="licence-heading">
        <header>
          <h2 id="licence-heading">Licence limits</h2>
          <Button icon={PencilLine} onClick={() => openDialog(licenceDialog, { loaded })}>
            Edit Licence Limits
          </Button>
        </header>
        <dl>
          <dt>Manifest limit</dt>
          <dd>
            {formatLimit(manifestLimit)} <span className={styles['hint']}>{formatCount(totalManifests)} in total</span>
          </dd>
          <dt>REST API</dt>
          <dd>{rest ? 'Included' : 'Not included'}</dd>
          <dt>GraphQL API</dt>
          <dd>{graphql ? 'Included' : 'Not included'}</dd>
          <dt>Database types</dt>
          <dd>
            {databaseTypes.length === 0 ? (
              'None'
            ) : (
              <ol>
                {databaseTypes.map((type, at) => (
                  <li key={type}>
                    {databaseLabel(type)}
                    {at === 0 && <span className={styles['default']}>Default</span>}
                  </li>
                ))}
              </ol>
            )}
          </dd>
        </dl>
      </section>
    </div>
  )
}
