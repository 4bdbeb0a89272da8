import { Button } from '../../ui/Button.tsx'
import { Waiting } from './Waiting.tsx'
import styles from './SignIn.module.css'

export type ErrorPageProps = { code: string; error: string; message: string }

/** Why the sign-in failed, and the way to start over: through the provider's logout, or it signs the same person in again. */
export function ErrorPage({ code, error, message }: ErrorPageProps) {
  return (
    <Waiting>
      <p className={styles['code']}>{code}</p>
      <p className={styles['error']}>{error.toUpperCase()}</p>
      <p className={styles['text']}>{message}</p>
      <Button size="dialog" variant="primary" onClick={() => location.assign('/sso/logout?from=error')}>
        Go To Homepage
      </Button>
    </Waiting>
  )
}
