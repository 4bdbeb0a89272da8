import { messages } from '@cadmus/model/messages'
import { hasSubscription } from '@cadmus/model/organisation'
import { chooseOrganisation, useSession } from '../../api/session.ts'
import { organisationsOf } from '../../api/session-store.ts'
import { Alert } from '../../ui/Alert.tsx'
import { OrganisationList } from '../../ui/OrganisationList.tsx'
import { initialsOf } from '../../ui/initials.ts'
import styles from './SignIn.module.css'

/** In which organisation to work. */
export function OrganisationPage({ onChosen }: { onChosen: () => void }) {
  const user = useSession(session => session.user)
  const current = useSession(session => session.organisation?.oc ?? null)
  if (!user) return null
  const none = !user.permissions.some(hasSubscription)

  function choose(code: string) {
    const organisation = user?.permissions.find(permission => permission.oc === code)
    if (!organisation) return
    chooseOrganisation(organisation)
    onChosen()
  }

  return (
    <main className={styles['page']}>
      <div className={styles['wide']}>
        <header className={styles['who']}>
          {user.avatar ? (
            <img src={user.avatar} alt="" width={32} height={32} className={styles['avatar']} />
          ) : (
            <span className={styles['avatar']} aria-hidden>
              {initialsOf(user.fullname)}
            </span>
          )}
          <span className={styles['mail']}>{user.email}</span>
          <a href="/sso/logout">Logout</a>
        </header>
        <h1 className={styles['brand']}>Organisations</h1>
        {none && <Alert kind="info">{messages.session.noSubscriptions}</Alert>}
        <OrganisationList
          organisations={organisationsOf(user.permissions)}
          current={current}
          unavailable={messages.session.noSubscription}
          onSelect={choose}
        />
      </div>
    </main>
  )
}
