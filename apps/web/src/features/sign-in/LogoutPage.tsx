import { messages } from '@cadmus/model/messages'
import { useEffect } from 'react'
import { signOut } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Waiting } from './Waiting.tsx'

/** Ends the session, then leaves for the provider's logout if somebody was signed in; after a failed sign-in they are so there alone. */
export function LogoutPage({ afterError }: { afterError: boolean }) {
  useEffect(() => {
    const timer = setTimeout(() => {
      void signOut({ anyway: afterError }).then(url => {
        if (url !== null) location.assign(url)
      })
    }, 0)
    return () => clearTimeout(timer)
  }, [afterError])
  return (
    <Waiting text={messages.session.signingOut}>
      <Button size="dialog" onClick={() => location.assign('/')}>
        Sign in again
      </Button>
    </Waiting>
  )
}
