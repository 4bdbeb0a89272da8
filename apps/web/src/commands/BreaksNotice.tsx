import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/visible-text'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'
import styles from './BreaksNotice.module.css'

export type BreaksNoticeProps = {
  version: string
  reasons: readonly string[]
  disabled: boolean
  onTake: (version: string) => void
}

/** What callers of the last build could not go on with, and the version that says so. */
export function BreaksNotice({ version, reasons, disabled, onTake }: BreaksNoticeProps) {
  return (
    <Alert kind="warning">
      {messages.packages.view.breaks}
      <ul className={styles['reasons']}>
        {reasons.map(reason => (
          <li key={reason}>{visibleText(reason)}</li>
        ))}
      </ul>
      <Button className={styles['take']} disabled={disabled} onClick={() => onTake(version)}>
        {`Build as ${version}`}
      </Button>
    </Alert>
  )
}
