import { useRef, useState } from 'react'
import { messages } from '@cadmus/model/messages'
import { leaveSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { isEntered } from '../../ui/entered.ts'

/** Shown when the session has ended: sign in again, or keep the input of a dialog first. */
export function SessionExpired() {
  const button = useRef<HTMLButtonElement>(null)
  const [entered] = useState(isEntered)

  /** Tabs, drafts and the address are kept for the same user's return. */
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
              {messages.session.loginInOtherTab}
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
