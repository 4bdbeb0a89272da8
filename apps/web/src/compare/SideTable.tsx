import { columnName } from '@cadmus/model/columns'
import { compareTexts as texts } from '@cadmus/model/messages/compare'
import type { SheetColumn } from '@cadmus/model/sheet/columns'
import { type RefObject, useRef } from 'react'
import { DataTableBody } from '../ui/DataTableBody.tsx'
import { type AlignedRow, cellText, type Point, pointKey } from './aligned.ts'
import styles from './Compare.module.css'
import { KindSign } from './KindSign.tsx'

export type SideName = 'before' | 'after'

type SideTableProps = {
  side: SideName
  label: string
  rows: readonly AlignedRow[]
  columns: readonly SheetColumn[]
  points: ReadonlyMap<string, Point>
  /** Points that no cell shows, by row. */
  beside: ReadonlyMap<string, readonly Point[]>
  current: Point | null
  /** The point that is a tab stop. */
  stop: Point | null
  onCurrent: (key: string) => void
  scroller: RefObject<HTMLElement | null>
  onScroll: () => void
}

/** The sheet of one side, without the rows that only the other one has: they are blank. */
export function SideTable(props: SideTableProps) {
  const { side, label, rows, columns, stop, scroller } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const width = [`${markWidth}px`, ...columns.map(({ id }) => widthOf(id))].join(' + ')
  return (
    <section
      ref={scroller}
      data-scroller
      className={styles['side']}
      aria-label={texts.sheet(label)}
      // Focusable so that the keyboard can scroll it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={props.onScroll}
    >
      <table
        className={styles['sheet']}
        style={{ minWidth: `calc(${width})` }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className={styles['markHead']} style={{ width: markWidth }}>
              <span className="visually-hidden">{texts.mark}</span>
            </th>
            {columns.map(({ id, header }) => (
              <th
                key={id}
                scope="col"
                className={styles[id === 'name' ? 'nameHead' : 'head']}
                style={{ width: widthOf(id) }}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <DataTableBody
          body={body}
          rows={rows}
          rowId={row => row.uid}
          keep={stop?.row ? rows.findIndex(({ uid }) => uid === stop.row) : -1}
          render={(row, index) => (
            <tr data-row-id={row.uid} data-state={row.state} data-side={side} aria-rowindex={index + 2}>
              <MarkCell {...props} row={row} />
              {columns.map(column => (
                <SheetCell key={column.id} {...props} row={row} column={column} />
              ))}
            </tr>
          )}
        />
      </table>
    </section>
  )
}

type RowProps = SideTableProps & { row: AlignedRow }

/** A row that is on one side only is marked there; other changes on both. */
function MarkCell({ row, side, beside, stop, onCurrent }: RowProps) {
  const { uid, state, isMoved } = row
  const isShown = state === 'changed' || row[side] !== null
  const others = beside.get(uid) ?? []
  return (
    <td className={styles['mark']}>
      {state !== 'same' && isShown && <KindSign kind={state} isShort />}
      {isMoved && isShown && <KindSign kind="moved" isShort />}
      {side === 'after' &&
        others.map(point => (
          <PointButton key={point.key} point={point} isStop={stop?.key === point.key} onCurrent={onCurrent}>
            <span aria-hidden>•</span>
          </PointButton>
        ))}
    </td>
  )
}

function SheetCell({ row, side, column, points, current, stop, onCurrent }: RowProps & { column: SheetColumn }) {
  const content = row[side]
  const isName = column.id === 'name'
  const point = points.get(pointKey(row.uid, column.id)) ?? (isName ? points.get(row.uid) : undefined)
  const isMarked = row.differing.has(column.id)
  const text = content ? cellText(column, content) : null
  const shown = text === null ? null : <CellText text={text} row={row} side={side} isName={isName} />
  // The tab stop is on the side that has the row, preferably the right one.
  const isStop = stop !== null && stop === point && (side === 'after' || row.after === null)
  const cell =
    point && shown ? (
      <PointButton
        point={point}
        isStop={isStop}
        isTarget={side === 'after' || row.after === null}
        onCurrent={onCurrent}
      >
        {shown}
      </PointButton>
    ) : (
      shown
    )
  const properties = {
    className: styles[isName ? 'nameCell' : 'cell'],
    title: text ?? undefined,
    'data-differs': isMarked || undefined,
    'data-current': (point && point.key === current?.key) || undefined,
    'data-code': column.isCode || undefined,
  }
  if (isName && content)
    return (
      <th scope="row" {...properties}>
        {cell}
      </th>
    )
  return <td {...properties}>{cell}</td>
}

function CellText({ text, row, side, isName }: { text: string; row: AlignedRow; side: SideName; isName: boolean }) {
  const formerly = isName && side === 'after' && row.isRenamed && row.before ? columnName(row.before) : null
  return (
    <>
      {text}
      {formerly !== null && <span className={styles['formerly']}> {texts.formerly(formerly)}</span>}
    </>
  )
}

type PointButtonProps = {
  point: Point
  isStop: boolean
  /** Whether F7 focuses it; others of the same point are for the pointer. */
  isTarget?: boolean
  onCurrent: (key: string) => void
  children: React.ReactNode
}

function PointButton({ point, isStop, isTarget = true, onCurrent, children }: PointButtonProps) {
  const { key, label, before, after } = point
  return (
    <button
      type="button"
      data-point={isTarget ? key : undefined}
      tabIndex={isStop ? 0 : -1}
      className={styles['point']}
      onClick={() => onCurrent(key)}
    >
      {children}
      <span className="visually-hidden">{` (${texts.difference(label, before, after)})`}</span>
    </button>
  )
}

const markWidth = 36
const widths: Readonly<Record<string, string>> = {
  name: 'var(--name-width)',
  dataType: '84px',
  length: '72px',
  description: '220px',
  references: '168px',
}

function widthOf(id: string): string {
  return widths[id] ?? '92px'
}
