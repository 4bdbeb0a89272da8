import { messages } from '@cadmus/model/messages'
import type { ApiError } from '../api/error.ts'
import { Alert } from '../ui/Alert.tsx'
import { ConflictAlert } from './ConflictAlert.tsx'
import type { DraftKey } from './draft-key.ts'
import { conflictsOf, type OpenDraft, type Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import styles from './Draft.module.css'

type Conflict = ApiError['conflicts'][number]
type DraftProblemProps<S extends Saved, C, E> = {
  at: DraftKey
  open: OpenDraft<S, C, E>
  store: OpenDrafts<S, C, E>
  words: (conflict: Conflict) => string
  value: (conflict: Conflict, side: unknown) => string
  /** An additional consequence of the choice. */
  note?: (conflicts: readonly Conflict[]) => string | undefined
}

/** Shows why the last action failed: an error message, or the conflicts with a choice. */
export function DraftProblem<S extends Saved, C, E>({
  at,
  open,
  store,
  words,
  value,
  note,
}: DraftProblemProps<S, C, E>) {
  const conflicts = conflictsOf(open)
  if (conflicts.length === 0 && open.problem === null) return null
  return (
    <div className={styles['problem']}>
      {conflicts.length > 0 ? (
        <ConflictAlert
          {...{ conflicts, words, value }}
          note={note?.(conflicts)}
          onKeep={side => void store.keep(at, side)}
        />
      ) : (
        <Alert>{open.problem?.message || messages.failed.unexpected}</Alert>
      )}
    </div>
  )
}
