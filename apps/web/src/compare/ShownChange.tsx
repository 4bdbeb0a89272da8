import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { visibleText } from '@cadmus/model/display'
import { Check, MousePointerClick } from 'lucide-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { classNames } from '../ui/class-names.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { type AlignedEntity, columnsOfDifferences, isBesideCells, type Point } from './aligned.ts'
import styles from './Compare.module.css'
import { SideTable } from './SideTable.tsx'
import type { Taker } from './taker.ts'

export type SideLabels = { before: string; after: string }

type ShownChangeProps = {
  title: ReactNode
  /** Name of what is compared. */
  name: string
  aligned: AlignedEntity
  labels: SideLabels
  current: Point | null
  onCurrent: (key: string) => void
  onlyDifferences: boolean
  taker: Taker
  isStale: boolean
}

/** Both sides of a changed entity or of the manifest itself, and the difference that is looked at. */
export function ShownChange(props: ShownChangeProps) {
  const { title, name, aligned, labels, current, onCurrent, onlyDifferences, taker, isStale } = props
  const { fields, points } = aligned
  const rows = useMemo(
    () => (onlyDifferences ? aligned.rows.filter(({ state }) => state !== 'same') : aligned.rows),
    [aligned, onlyDifferences],
  )
  const shownColumns = useMemo(
    () => (onlyDifferences ? columnsOfDifferences(aligned) : aligned.columns),
    [aligned, onlyDifferences],
  )
  const byKey = useMemo(() => new Map(points.map(point => [point.key, point])), [points])
  const beside = useMemo(() => Map.groupBy(points.filter(isBesideCells), ({ row }) => row ?? ''), [points])
  const before = useRef<HTMLElement>(null)
  const after = useRef<HTMLElement>(null)
  const stop = current ?? points[0] ?? null
  const tables = { rows, columns: shownColumns, points: byKey, beside, current, stop, onCurrent }

  /** Both sheets scroll together. */
  function follow(from: HTMLElement | null, to: HTMLElement | null) {
    if (!from || !to) return
    if (to.scrollTop !== from.scrollTop) to.scrollTop = from.scrollTop
    if (to.scrollLeft !== from.scrollLeft) to.scrollLeft = from.scrollLeft
  }

  return (
    <div className={classNames(styles['shown'], isStale && styles['stale'])}>
      <div className={styles['title']}>{title}</div>
      <div className={styles['scrolled']}>
        {fields.length > 0 && (
          <FieldTable name={name} fields={fields} labels={labels} current={current} stop={stop} onCurrent={onCurrent} />
        )}
        {rows.length > 0 && (
          <div className={styles['tables']}>
            <SideTable
              {...tables}
              side="before"
              label={labels.before}
              scroller={before}
              onScroll={() => follow(before.current, after.current)}
            />
            <SideTable
              {...tables}
              side="after"
              label={labels.after}
              scroller={after}
              onScroll={() => follow(after.current, before.current)}
            />
          </div>
        )}
        {rows.length === 0 && points.length === 0 && <EmptyState icon={Check} text={texts.same} />}
      </div>
      <Detail point={current} labels={labels} taker={taker} />
    </div>
  )
}

function ValueCell({ text, className }: { text: string; className: string | undefined }) {
  return (
    <td className={isValue(text) ? className : styles['none']}>
      <div className={styles['value']}>{text}</div>
    </td>
  )
}

type FieldTableProps = Pick<ShownChangeProps, 'name' | 'labels' | 'current' | 'onCurrent'> & {
  fields: readonly Point[]
  /** The point that is a tab stop. */
  stop: Point | null
}

function FieldTable({ name, fields, labels, current, stop, onCurrent }: FieldTableProps) {
  return (
    // Focusable so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['fields']} aria-label={texts.fields(name)} tabIndex={0}>
      <table aria-label={texts.fields(name)}>
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{visibleText(labels.before)}</th>
            <th scope="col">{visibleText(labels.after)}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(point => (
            <tr key={point.key} data-current={point.key === current?.key || undefined}>
              <th scope="row">
                <button
                  type="button"
                  data-point={point.key}
                  tabIndex={point.key === stop?.key ? 0 : -1}
                  className={styles['point']}
                  onClick={() => onCurrent(point.key)}
                >
                  {point.label}
                </button>
              </th>
              <ValueCell text={point.before} className={styles['former']} />
              <ValueCell text={point.after} className={styles['newer']} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Whether the text is a value, not that there is none. */
function isValue(text: string): boolean {
  return text !== texts.missing && text !== texts.nothing
}

/** The difference that is looked at, in full, and what can be taken. */
function Detail({ point, labels, taker }: { point: Point | null; labels: SideLabels; taker: Taker }) {
  const { blocked, from } = taker
  const line = point?.row ? taker.ofRow(point.row) : []
  const isLine = point !== null && line.length > point.changes.length
  const reason = point ? blocked(point) : false
  return (
    <section className={styles['detail']} aria-label={texts.detail}>
      {point ? (
        <>
          <h4>{point.label}</h4>
          <dl className={styles['values']}>
            <div>
              <dt>{visibleText(labels.before)}</dt>
              <dd>{point.before}</dd>
            </div>
            <div>
              <dt>{visibleText(labels.after)}</dt>
              <dd>{point.after}</dd>
            </div>
          </dl>
        </>
      ) : (
        <p className={styles['hint']}>
          <MousePointerClick size={14} aria-hidden /> {texts.noDetail}
        </p>
      )}
      <div className={styles['actions']}>
        {point && (
          <Button
            variant="primary"
            busy={taker.isBusy}
            disabled={reason}
            title={from === null ? undefined : texts.take.from(from)}
            onClick={() => taker.take(point)}
          >
            {taker.labelOf(point)}
          </Button>
        )}
        {isLine && (
          <Button busy={taker.isBusy} disabled={reason} onClick={() => taker.takeChanges(line)}>
            {texts.take.line}
          </Button>
        )}
        {taker.all && (
          <Button busy={taker.isBusy} disabled={taker.all.blocked} onClick={taker.all.run}>
            {texts.take.all}
          </Button>
        )}
        {point && <span className={styles['reason']}>{reason || taker.noteOf(point)}</span>}
      </div>
    </section>
  )
}
