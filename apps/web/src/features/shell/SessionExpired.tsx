import { useRef } from 'react'
import { messages } from '@cadmus/model/messages'
import { leaveSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

/** The session ended while somebody worked; there is one way on. */
export function SessionExpired() {
  const button = useRef<HTMLButtonElement>(null)

  /** Tabs and drafts stay for the same person's way back, and with the tab its address. */
  async function login() {
    await leaveSession()
    location.assign('/')
  }

  return (
    <Dialog
      title={messages.session.expiredTitle}
      busy
      closable={false}
      initialFocus={button}
      onClose={() => {}}
      width={400}
      footer={
        <Button ref={button} size="dialog" variant="primary" onClick={() => void login()}>
          Login
        </Button>
      }
    >
      <p>{messages.session.expired}</p>
    </Dialog>
  )
}
