import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { Button } from '../../ui/Button.tsx'
import { Waiting } from './Waiting.tsx'
import styles from './SignIn.module.css'

export type ErrorPageProps = { code: string; error: string; message: string }

/** Address parameters are untrusted: plain text, truncated to plausible lengths. */
const longest = { code: 20, error: 200, message: 2000 }

/**
 * Reports a failed sign-in. Retrying goes through the provider's logout, which would otherwise sign in the same user
 * again.
 */
export function ErrorPage({ code, error, message }: ErrorPageProps) {
  const nothing = code === '' && error === '' && message === ''
  return (
    <Waiting>
      {code !== '' && <p className={styles['code']}>{visibleText(code.slice(0, longest.code))}</p>}
      {error !== '' && <p className={styles['error']}>{visibleText(error.slice(0, longest.error).toUpperCase())}</p>}
      {(message !== '' || nothing) && (
        <p className={styles['text']}>
          {nothing ? messages.failed.unexpected : visibleText(message.slice(0, longest.message))}
        </p>
      )}
      <Button size="dialog" variant="primary" onClick={() => location.assign('/sso/logout?from=error')}>
        Go To Homepage
      </Button>
    </Waiting>
  )
}
