import { Progress } from '@base-ui/react/progress'
import { visibleText } from '@cadmus/model/display'
import styles from './ProgressBar.module.css'

export type ProgressBarProps = {
  label: string
  /** Progress in units of `total`; null: unknown. */
  done: number | null
  total?: number
  /** Text at the right, such as '120 of 1,019 entities'. */
  detail?: string
}

export function ProgressBar({ label, done, total = 100, detail }: ProgressBarProps) {
  return (
    <Progress.Root value={done} max={total} className={styles['root']}>
      <Progress.Label className={styles['label']}>{visibleText(label)}</Progress.Label>
      {detail && <span className={styles['detail']}>{detail}</span>}
      <Progress.Track className={styles['track']}>
        <Progress.Indicator className={styles['indicator']} />
      </Progress.Track>
    </Progress.Root>
  )
}
