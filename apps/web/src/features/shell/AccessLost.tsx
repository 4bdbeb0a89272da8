import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { useEffect, useRef, useState } from 'react'
import { hasPartlyStoredDrafts, storedTitles } from '../../api/stored-drafts.ts'
import { useSession } from '../../api/session.ts'
import { currentOrganisation, sessionStore } from '../../api/session-store.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { isEntered } from '../../ui/entered.ts'
import { applyTyped } from '../../ui/typed-text.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { dirtyTabs } from '../../workbench/workbench.ts'
import styles from './AccessLost.module.css'

/** Shown after losing access to the organisation: lists unsaved work and offers other organisations. */
export function AccessLost() {
  const button = useRef<HTMLButtonElement>(null)
  const name = useSession(session => session.organisation?.on ?? '')
  const unsaved = useUnsaved()
  // Evaluated once, so that dialogs below are not changed.
  const [hasUnstorableInput] = useState(() => isEntered() || hasPartlyStoredDrafts())

  /** beforeunload asks for confirmation if unsaved input cannot be stored. */
  async function choose() {
    await applyTyped()
    location.assign('/org')
  }

  return (
    <Dialog
      title={messages.session.accessLostTitle}
      initialFocus={button}
      onClose={() => sessionStore.getState().acknowledgeLoss()}
      width={460}
      footer={
        <>
          <Button size="dialog" onClick={() => sessionStore.getState().acknowledgeLoss()}>
            Stay Here
          </Button>
          <Button ref={button} size="dialog" variant="primary" onClick={() => void choose()}>
            Choose an Organisation
          </Button>
        </>
      }
    >
      <p>{messages.session.accessLost(visibleText(name))}</p>
      {unsaved.length > 0 && (
        <div className={styles['lines']}>
          <p>{messages.session.accessLostStored}</p>
          <ul>
            {unsaved.map(title => (
              <li key={title}>{visibleText(title)}</li>
            ))}
          </ul>
        </div>
      )}
      {hasUnstorableInput && <p>{messages.session.accessLostUnstored}</p>}
    </Dialog>
  )
}

/** Names of unsaved documents, stored by the browser or in this page. */
function useUnsaved(): readonly string[] {
  const [stored, setStored] = useState<readonly string[]>([])
  useEffect(() => {
    let isLeft = false
    const organisation = currentOrganisation()
    void storedTitles().then(all => {
      if (!isLeft) setStored(all.filter(one => one.organisation === organisation).map(({ title }) => title))
    })
    return () => {
      isLeft = true
    }
  }, [])
  const open = dirtyTabs(workbench.getState()).map(tab => tab.name)
  return [...new Set([...open, ...stored])]
}
