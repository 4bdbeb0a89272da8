import { firstTexts } from '@cadmus/model/messages/first-load'
import { useEffect, useState } from 'react'
import { finishSignIn, signInStates, startSignIn } from '../../api/session.ts'
import { messageOf } from '../../api/error.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Waiting } from './Waiting.tsx'
import { checkState, problemOf, refusedBy, type SignInProblem } from './login-flow.ts'

export type LoginPageProps = {
  code: string | undefined
  state: string | undefined
  /** The provider's message after a refusal. */
  problem: string | undefined
  onSignedIn: () => void
  onError: (problem: SignInProblem) => void
}

/** Without a code, redirects to the provider. With a code, verifies the state and creates the session. */
export function LoginPage({ code, state, problem, onSignedIn, onError }: LoginPageProps) {
  const [unreachable, setUnreachable] = useState<string | null>(null)
  const [signingIn, setSigningIn] = useState(false)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    // Effects run twice in development and on Retry, but a code can be used only once.
    const started = { left: false }
    async function go() {
      if (problem !== undefined) return onError(refusedBy(problem))
      if (code === undefined) {
        await startSignIn()
        return
      }
      const wrong = checkState(state, signInStates())
      if (wrong) return onError(wrong)
      setSigningIn(true)
      await finishSignIn(code, state ?? '')
      onSignedIn()
    }
    const timer = setTimeout(() => {
      go().catch((error: unknown) => {
        if (started.left) return
        const wrong = code === undefined ? null : problemOf(error)
        if (wrong) onError(wrong)
        else setUnreachable(messageOf(error, firstTexts.failed.unexpected))
      })
    }, 0)
    return () => {
      started.left = true
      clearTimeout(timer)
    }
    // Depends on the address only: the callbacks belong to the router.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [code, state, problem, attempt])

  if (unreachable !== null)
    return (
      <Waiting>
        <ErrorState
          message={unreachable}
          onRetry={() => {
            setUnreachable(null)
            setAttempt(attempt + 1)
          }}
        />
      </Waiting>
    )
  return <Waiting text={signingIn ? firstTexts.session.signingIn : firstTexts.session.redirecting} />
}
