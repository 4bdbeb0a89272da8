import { useState } from 'react'
import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import styles from './InstanceSignIn.module.css'

type Credentials = { username: string; password: string }

type SignInProps = { disabled: boolean; onEnter: (credentials: Credentials) => void }

/** Credentials for an instance. They are used once they are complete, because wrong ones are counted. */
export function SignIn({ disabled, onEnter }: SignInProps) {
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' })
  const isEmpty = credentials.username === '' || credentials.password === ''
  return (
    <div className={styles['signIn']}>
      <TextField
        label="Username"
        value={credentials.username}
        disabled={disabled}
        onChange={username => setCredentials({ ...credentials, username })}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        value={credentials.password}
        disabled={disabled}
        onChange={password => setCredentials({ ...credentials, password })}
        onKeyDown={event => {
          if (event.key !== 'Enter' || isEmpty) return
          // Signs in instead of publishing.
          event.preventDefault()
          onEnter(credentials)
        }}
      />
      <Button
        size="dialog"
        disabled={(disabled && blueprintTexts.stillLoading) || (isEmpty && blueprintTexts.signInRequired)}
        onClick={() => onEnter(credentials)}
      >
        Sign In
      </Button>
    </div>
  )
}
