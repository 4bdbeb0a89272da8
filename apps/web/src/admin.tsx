import { messages } from '@cadmus/model/messages'
import { useEffect } from 'react'
import { followSession, useSession } from './api/session.ts'
import { sessionStore } from './api/session-store.ts'
import { queryClient } from './api/query-client.ts'
import type { AppContext } from './commands/context.ts'
import { AdminPage } from './features/admin/AdminPage.tsx'
import type { AdminPlace } from './features/admin/admin-address.ts'
import { Connection } from './features/shell/Connection.tsx'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { ProfileMenu } from './features/shell/ProfileMenu.tsx'
import { Waiting } from './features/sign-in/Waiting.tsx'
import { navigate } from './navigation.ts'
import { isEntered } from './ui/entered.ts'

/** Nothing of an organisation's work is open here. */
const context: AppContext = {
  target: { kind: 'none' },
  view: 'navigator',
  isAdmin: true,
  hasManifests: undefined,
  active: null,
}

/** The administration, for administrators; it needs no organisation to work in. */
export function AdminScreen({ place }: { place: AdminPlace }) {
  const isAdmin = useSession(session => session.user?.isAdmin ?? false)
  useEffect(followSession, [])
  useEffect(() => (isAdmin ? begin() : undefined), [isAdmin])
  if (!isAdmin)
    return (
      <Waiting text={messages.administration.notAllowed}>
        <a href="/">Go To Homepage</a>
      </Waiting>
    )
  return (
    <>
      <Connection />
      <AdminPage
        place={place}
        onPlace={search => navigate({ to: '/admin', search })}
        onHome={() => navigate({ to: '/' })}
        profile={<ProfileMenu context={context} />}
      />
      <DialogHost />
    </>
  )
}

function begin(): () => void {
  const beforeUnload = (event: BeforeUnloadEvent) => {
    if (isEntered()) event.preventDefault()
  }
  addEventListener('beforeunload', beforeUnload)
  // Who took the own organisation away from themselves goes on here without one.
  const leave = sessionStore.subscribe(({ access, left }) => {
    if (access !== 'told') return
    left()
    void queryClient.invalidateQueries()
  })
  return () => {
    removeEventListener('beforeunload', beforeUnload)
    leave()
  }
}
