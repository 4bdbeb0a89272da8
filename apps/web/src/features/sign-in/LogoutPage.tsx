import { messages } from '@cadmus/model/messages'
import { useEffect, useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { signOut } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Waiting } from './Waiting.tsx'

type Outcome = { kind: 'nobody' } | { kind: 'here' } | { kind: 'failed'; message: string }

/**
 * Ends the session, then redirects to the provider's logout if the user was signed in; after a failed sign-in only the
 * provider has a session.
 */
export function LogoutPage({ afterError }: { afterError: boolean }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const started = { left: false }
    const timer = setTimeout(() => {
      signOut({ anyway: afterError }).then(
        ({ was, url }) => {
          if (url !== null) location.assign(url)
          else if (!started.left) setOutcome({ kind: was ? 'here' : 'nobody' })
        },
        (error: unknown) => {
          if (!started.left) setOutcome({ kind: 'failed', message: messageOf(error, messages.failed.unexpected) })
        },
      )
    }, 0)
    return () => {
      started.left = true
      clearTimeout(timer)
    }
  }, [afterError, attempt])

  if (outcome?.kind === 'failed')
    return (
      <Waiting>
        <ErrorState
          message={outcome.message}
          onRetry={() => {
            setOutcome(null)
            setAttempt(attempt + 1)
          }}
        />
      </Waiting>
    )
  const { signingOut, signedOutHere } = messages.session
  return (
    <Waiting text={outcome?.kind === 'here' ? signedOutHere : signingOut}>
      {outcome && (
        <Button size="dialog" onClick={() => location.assign('/')}>
          Sign in again
        </Button>
      )}
    </Waiting>
  )
}
