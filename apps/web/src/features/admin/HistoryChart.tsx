import type { DayOfHistory } from '@cadmus/model/contract/admin-documents'
import { formatCount } from '@cadmus/model/display'
import { tip } from '../../ui/Tooltip.tsx'
import styles from './Overview.module.css'

export type Counted = 'entities' | 'manifests' | 'packages'
export type HistoryChartProps = { label: string; count: Counted; history: readonly DayOfHistory[] }

/** One bar per day, scaled from zero. The table view has the numbers. */
export function HistoryChart({ label, count, history }: HistoryChartProps) {
  const [first, last] = [history[0], history.at(-1)]
  if (!first || !last) return null
  const max = Math.max(1, ...history.map(day => day[count]))
  const words = `${label} from ${first.date} to ${last.date}: ${formatCount(first[count])} at first, ${formatCount(last[count])} now.`
  return (
    <figure aria-label={words} className={styles['chart']}>
      <div aria-hidden className={styles['bars']}>
        {history.map(day => (
          <span key={day.date} className={styles['day']} {...tip(`${day.date}: ${formatCount(day[count])}`)}>
            <span style={{ height: `${(day[count] / max) * 100}%` }} />
          </span>
        ))}
      </div>
      <figcaption aria-hidden>
        <span>{first.date}</span>
        {last !== first && <span>{last.date}</span>}
      </figcaption>
    </figure>
  )
}
