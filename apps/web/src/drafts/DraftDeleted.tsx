import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import type { ReactNode } from 'react'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'
import { discardDeleted } from './draft-commands.ts'
import { readDraftKey, type DraftKey } from './draft-key.ts'
import type { Deleted, OpenDraft, Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import styles from './Draft.module.css'

type DraftDeletedProps<S extends Saved, C, E> = {
  at: DraftKey
  open: OpenDraft<S, C, E>
  store: OpenDrafts<S, C, E>
  children: ReactNode
  note?: string | undefined
}

/** Reports that the document of an unsaved draft was deleted, with the available actions. */
export function DraftDeleted<S extends Saved, C, E>({ at, open, store, children, note }: DraftDeletedProps<S, C, E>) {
  if (open.state !== 'deleted') return null
  const { by, draft } = open
  return (
    <div className={styles['problem']}>
      <Alert kind="warning">
        <p role="alert">
          {describe(visibleText(draft.saved.name), by, readDraftKey(at)?.version)}{' '}
          {messages.deleted.unsavedChanges(draft.changes)}
        </p>
        {note !== undefined && <p>{note}</p>}
        <div className={styles['choices']}>
          {children}
          <Button onClick={() => void discardDeleted(store, at)}>Discard</Button>
        </div>
      </Alert>
    </div>
  )
}

function describe(name: string, { who, when }: Deleted, version: string | undefined): string {
  if (version !== undefined) return messages.deleted.version(name, version)
  return messages.deleted.what(name, visibleText(who), when === '' ? '' : new Date(when).toLocaleString())
}
