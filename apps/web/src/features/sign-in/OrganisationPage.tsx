import { messages } from '@cadmus/model/messages'
import { hasSubscription } from '@cadmus/model/organisation'
import { visibleText } from '@cadmus/model/display'
import type { MouseEvent } from 'react'
import { chooseOrganisation, switchOrganisation, useSession } from '../../api/session.ts'
import { organisationsOf } from '../../api/session-store.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { OrganisationList } from '../../ui/OrganisationList.tsx'
import styles from './SignIn.module.css'

export type OrganisationPageProps = {
  onChosen: () => void
  /** Confirms before drafts are deleted; a plain link would keep them. */
  onLogout: () => void
}

export function OrganisationPage({ onChosen, onLogout }: OrganisationPageProps) {
  const user = useSession(session => session.user)
  const current = useSession(session => session.organisation?.oc ?? null)
  if (!user) return null
  const none = !user.permissions.some(hasSubscription)

  function choose(code: string) {
    const organisation = user?.permissions.find(permission => permission.oc === code)
    if (!organisation) return
    if (current !== null && current !== code) return switchOrganisation(organisation)
    chooseOrganisation(organisation)
    onChosen()
  }

  function leave(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onLogout()
  }

  return (
    <main className={styles['page']}>
      <div className={styles['wide']}>
        <header className={styles['who']}>
          <Avatar picture={user.avatar} />
          <span className={styles['mail']}>{visibleText(user.email)}</span>
          {user.isAdmin && <a href="/admin">Administration</a>}
          <a href="/sso/logout" onClick={leave}>
            Logout
          </a>
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
