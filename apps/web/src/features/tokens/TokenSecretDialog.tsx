import { Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import styles from './Tokens.module.css'

const leaving = {
  title: 'Close without copying?',
  text: 'The token has not been copied and cannot be shown again.',
  confirmLabel: 'Close',
}

/** Shows the secret of a new token once; closing without copying asks for confirmation. */
export function TokenSecretDialog({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  const [copied, setCopied] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret)
      setCopied(true)
      notify('success', 'The token was copied.')
    } catch {
      // The clipboard needs a secure context and permission; the text can still be copied by keyboard.
      field.current?.select()
      notify('error', 'The browser blocked copying. The token is selected: press Ctrl+C.')
    }
  }

  return (
    <Dialog
      title="Access Token Created"
      description={name}
      width={640}
      entered={!copied}
      leaving={leaving}
      onClose={onClose}
      footer={
        <>
          <Button size="dialog" icon={Copy} variant={copied ? 'secondary' : 'primary'} onClick={() => void copy()}>
            Copy
          </Button>
          <CloseButton label="Done" variant={copied ? 'primary' : 'secondary'} />
        </>
      }
    >
      <div className={styles['fields']}>
        <Alert kind="warning">Copy the token now: it cannot be shown again. Keep it like a password.</Alert>
        <TextField
          ref={field}
          label="Token"
          mono
          readOnly
          value={secret}
          onFocus={event => event.target.select()}
          onCopy={() => setCopied(true)}
          onChange={() => undefined}
        />
      </div>
    </Dialog>
  )
}
