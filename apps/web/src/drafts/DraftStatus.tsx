import { messages } from '@cadmus/model/messages'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'
import type { DraftKey } from './draft-key.ts'
import type { OpenDraft, Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import styles from './Draft.module.css'

type DraftStatusProps<S extends Saved, C, E> = {
  at: DraftKey
  open: OpenDraft<S, C, E>
  store: OpenDrafts<S, C, E>
}

/** Marks a draft restored from an earlier visit and offers to save or discard it. */
export function DraftStatus<S extends Saved, C, E>({ at, open, store }: DraftStatusProps<S, C, E>) {
  const acknowledge = () => store.dispatch(at, { kind: 'acknowledged' })
  // The conflict or deletion message offers these actions too.
  if (open.state === 'deleted' || open.state === 'conflicted') return null
  if (!open.restored) return open.secretsOmitted ? <SecretsOmitted onClose={acknowledge} /> : null
  if (open.changedAt === null) return null
  const when = new Date(open.changedAt).toLocaleString()
  return (
    <div className={styles['problem']}>
      <Alert kind="info">
        <p>{messages.draftRestored(messages.unsavedChanges(open.draft.changes), when)}</p>
        {open.secretsOmitted && <p>{messages.secretsNotStored}</p>}
        <div className={styles['choices']}>
          <Button onClick={() => void store.save(at)}>Save</Button>
          <Button onClick={() => store.dispatch(at, { kind: 'discard' })}>Discard</Button>
          <Button onClick={acknowledge}>Keep editing</Button>
        </div>
      </Alert>
    </div>
  )
}

/** Shown if the draft consisted of secrets only, so nothing was restored. */
function SecretsOmitted({ onClose }: { onClose: () => void }) {
  return (
    <div className={styles['problem']}>
      <Alert kind="info">
        <p>{messages.secretsNotStored}</p>
        <div className={styles['choices']}>
          <Button onClick={onClose}>Close</Button>
        </div>
      </Alert>
    </div>
  )
}
