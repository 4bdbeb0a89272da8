import type { AuditEntry } from '@cadmus/model/audit-differences'
import styles from './Logs.module.css'

const words = { CREATE: 'Create', UPDATE: 'Update', DELETE: 'Delete' } as const

/** Created is green, updated blue, deleted red. */
export function ActionChip({ action }: { action: AuditEntry['ACTION_TYPE'] }) {
  return (
    <span className={styles['chip']} data-action={action}>
      {words[action]}
    </span>
  )
}
