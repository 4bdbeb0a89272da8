import type { ApiError } from '../../api/error.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { conflictValue, conflictWords } from './conflict-words.ts'
import type { DraftKey } from './draft-key.ts'
import { settleConflict } from './entity-saves.ts'
import styles from './EntityDocument.module.css'

/** Both values of every field that two people changed, who and when, and the choice between them. */
export function ConflictAlert({ draft, conflicts }: { draft: DraftKey; conflicts: ApiError['conflicts'] }) {
  return (
    <Alert kind="warning">
      <p>Somebody else changed the same fields meanwhile. Nothing of yours is lost.</p>
      <table className={styles['conflicts']}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Yours</th>
            <th scope="col">Theirs</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(conflict => (
            <tr key={`${conflict.path} ${conflict.field}`}>
              <td>{conflictWords(conflict)}</td>
              <td>{conflictValue(conflict, conflict.mine)}</td>
              <td>{conflictValue(conflict, conflict.theirs)}</td>
              <td>
                {conflict.who}, <time dateTime={conflict.when}>{new Date(conflict.when).toLocaleString()}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles['choices']}>
        <Button onClick={() => void settleConflict(draft, 'mine')}>Keep mine</Button>
        <Button onClick={() => void settleConflict(draft, 'theirs')}>Take theirs</Button>
      </div>
    </Alert>
  )
}
