import { messages } from '@cadmus/model/messages'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'
import type { DraftKey } from './draft-key.ts'
import type { DraftSaves } from './draft-saves.ts'
import type { DraftStore } from './draft-store.ts'
import type { OpenDraft, Saved } from './open-draft.ts'
import styles from './Draft.module.css'

type DraftStatusProps<S extends Saved, C, E> = {
  at: DraftKey
  open: OpenDraft<S, C, E>
  store: DraftStore<S, C, E>
  saves: DraftSaves<S, C, E>
}

/** Marks a draft restored from an earlier visit and offers to save or discard it. */
export function DraftStatus<S extends Saved, C, E>({ at, open, store, saves }: DraftStatusProps<S, C, E>) {
  // The conflict or deletion message offers these actions too.
  if (open.deleted || open.conflicts.length > 0) return null
  if (!open.restored) return open.secretsOmitted ? <Withheld onClose={() => store.acknowledge(at)} /> : null
  if (open.changedAt === null) return null
  const when = new Date(open.changedAt).toLocaleString()
  return (
    <div className={styles['problem']}>
      <Alert kind="info">
        <p>{messages.draftRestored(messages.unsavedChanges(open.draft.changes), when)}</p>
        {open.secretsOmitted && <p>{messages.secretsNotStored}</p>}
        <div className={styles['choices']}>
          <Button onClick={() => void saves.save(at)}>Save</Button>
          <Button onClick={() => store.discard(at)}>Discard</Button>
          <Button onClick={() => store.acknowledge(at)}>Keep editing</Button>
        </div>
      </Alert>
    </div>
  )
}

/** Shown if the draft consisted of secrets only, so nothing was restored. */
function Withheld({ onClose }: { onClose: () => void }) {
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
