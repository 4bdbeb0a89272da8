import { messages } from '@cadmus/model/messages'
import { useEffect } from 'react'
import { signOut } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Waiting } from './Waiting.tsx'

/** Ends the session, then leaves for the provider's logout if somebody was signed in. */
export function LogoutPage() {
  useEffect(() => {
    const timer = setTimeout(() => {
      void signOut().then(url => {
        if (url !== null) location.assign(url)
      })
    }, 0)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Waiting text={messages.session.signingOut}>
      <Button size="dialog" onClick={() => location.assign('/')}>
        Sign in again
      </Button>
    </Waiting>
  )
}
