import { messages } from '@cadmus/model/messages'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { saveDraft } from './entity-saves.ts'
import { discardDraft, looked } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'
import styles from './EntityDocument.module.css'

/** Tells a draft that came back from an earlier visit from what is saved, and offers to save or to give it up. */
export function DraftStatus({ view: { key, draft, open } }: { view: EntityView }) {
  // A conflict is told of the same draft, with the same choices and more.
  if (open.restored === null || draft.changes === 0 || open.conflicts.length > 0) return null
  const when = new Date(open.restored).toLocaleString()
  return (
    <div className={styles['problem']}>
      <Alert kind="info">
        <p>{messages.draftRestored(messages.unsavedChanges(draft.changes), when)}</p>
        <div className={styles['choices']}>
          <Button onClick={() => void saveDraft(key)}>Save</Button>
          <Button onClick={() => discardDraft(key)}>Discard</Button>
          <Button onClick={() => looked(key)}>Keep editing</Button>
        </div>
      </Alert>
    </div>
  )
}
