import { useRef, useState } from 'react'
import { messages } from '@cadmus/model/messages'
import { leaveSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { isEntered } from '../../ui/entered.ts'

/** The session ended while somebody worked; there is one way on, and another that keeps what is entered in a dialog. */
export function SessionExpired() {
  const button = useRef<HTMLButtonElement>(null)
  const [entered] = useState(isEntered)

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
        <>
          <Button
            ref={entered ? undefined : button}
            size="dialog"
            variant={entered ? 'secondary' : 'primary'}
            onClick={() => void login()}
          >
            Login
          </Button>
          {entered && (
            <Button ref={button} size="dialog" variant="primary" onClick={() => void open('/', '_blank', 'noopener')}>
              {messages.session.loginElsewhere}
            </Button>
          )}
        </>
      }
    >
      <p>{messages.session.expired}</p>
      {entered && <p>{messages.session.expiredEntered}</p>}
    </Dialog>
  )
}
