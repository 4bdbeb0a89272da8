import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'
import { reasons } from '../ui/reasons.ts'
import styles from './BreaksNotice.module.css'

export type BreaksNoticeProps = {
  version: string
  reasons: readonly string[]
  disabled: boolean
  onTake: (version: string) => void
}

/** Lists breaking changes since the last build and suggests a version number. */
export function BreaksNotice({ version, reasons: breaks, disabled, onTake }: BreaksNoticeProps) {
  return (
    <Alert kind="warning">
      {messages.packages.view.breaks}
      <ul className={styles['reasons']}>
        {breaks.map(reason => (
          <li key={reason}>{visibleText(reason)}</li>
        ))}
      </ul>
      <Button className={styles['take']} disabled={disabled && reasons.busy} onClick={() => onTake(version)}>
        {`Build as ${version}`}
      </Button>
    </Alert>
  )
}
