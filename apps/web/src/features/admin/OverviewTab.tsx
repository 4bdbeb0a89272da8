import { useState } from 'react'
import type { DayOfHistory } from '@cadmus/model/contract/admin-documents'
import { formatCount } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { useSummary } from '../../api/administration.ts'
import { readFailure } from '../../api/read-failure.ts'
import { Alert } from '../../ui/Alert.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { tip } from '../../ui/Tooltip.tsx'
import styles from './Overview.module.css'
import { daysInUse } from './labels.ts'

type View = 'chart' | 'table'
const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const

/** Counts now and at the end of each of the last days. */
export function OverviewTab({ code }: { code: string }) {
  const [view, setView] = useState<View>('chart')
  const read = useSummary(code)
  const readError = readFailure(read, 'The overview could not be read.')
  const { data } = read
  if (readError) return <UnreadState failure={readError} />
  if (!data) return <Skeleton lines={8} />
  const { organisation } = data
  const history = daysInUse(data.history)
  const [first] = history
  const isCut = history.length < data.history.length
  const counts: readonly { label: string; count: Counted; total: number }[] = [
    { label: 'Entities', count: 'entities', total: organisation.totalEntities },
    { label: 'Manifests', count: 'manifests', total: organisation.totalManifests },
    { label: 'Generated Packages', count: 'packages', total: organisation.totalPackages },
  ]
  return (
    <div className={styles['overview']}>
      {data.libraryPending && <Alert kind="warning">{messages.administration.libraryPending}</Alert>}
      <section aria-label="Summary" className={styles['counts']}>
        {counts.map(({ label, count, total }) => (
          <section key={count} aria-label={label}>
            <p className={styles['total']}>{formatCount(total)}</p>
            <h2>{label}</h2>
            {view === 'chart' && <HistoryChart label={label} count={count} history={history} />}
          </section>
        ))}
      </section>
      <div className={styles['views']}>
        <span>{isCut && first ? `Since ${first.date}` : `Last ${formatCount(history.length)} days`}</span>
        <Segments label="Show as" options={views} value={view} onChange={setView} />
      </div>
      {view === 'table' && (
        <DataTable
          label="History"
          columns={columns}
          rows={history.toReversed()}
          rowId={({ date }) => date}
          rowName={({ date }) => date}
          empty={null}
        />
      )}
    </div>
  )
}

const numbers = (id: Counted, header: string): Column<DayOfHistory> => ({
  id,
  header,
  cell: day => formatCount(day[id]),
})

const columns: readonly Column<DayOfHistory>[] = [
  { id: 'date', header: 'Date', cell: ({ date }) => date, mono: true, width: '140px' },
  numbers('entities', 'Entities'),
  numbers('manifests', 'Manifests'),
  numbers('packages', 'Generated Packages'),
]

type Counted = 'entities' | 'manifests' | 'packages'
type HistoryChartProps = { label: string; count: Counted; history: readonly DayOfHistory[] }

/** One bar per day, scaled from zero. The table view has the numbers. */
function HistoryChart({ label, count, history }: HistoryChartProps) {
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
