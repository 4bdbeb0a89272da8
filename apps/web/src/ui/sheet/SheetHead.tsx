import { type PointerEvent, useRef, useState } from 'react'
import { AllRowsBox } from '../RowBox.tsx'
import { Term } from '../Tooltip.tsx'
import { classNames } from '../class-names.ts'
import type { SheetColumn } from './SheetRow.tsx'
import { boxColumn } from './sheet-state.ts'
import styles from './Sheet.module.css'

type SheetHeadProps<Row> = {
  columns: readonly SheetColumn<Row>[]
  widths: Readonly<Record<string, number>>
  /** The column of the header with the focus. */
  current: string | null
  chosen: number
  rows: number
  onAll: (all: boolean) => void
  onResize: (column: string, width: number | null) => void
}

/** The sticky head: its cells take the focus, Shift and an arrow key change the width. */
export function SheetHead<Row>({ columns, widths, current, chosen, rows, onAll, onResize }: SheetHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1} data-current={current !== null || undefined}>
        <th scope="col" data-column={boxColumn} className={classNames(styles['head'], styles['check'])}>
          <AllRowsBox {...{ chosen, rows, onAll }} />
        </th>
        {columns.map(({ id, header, hint, fills }) => (
          <th
            key={id}
            scope="col"
            data-column={id}
            tabIndex={current === id ? 0 : -1}
            aria-keyshortcuts={fills ? undefined : 'Shift+ArrowLeft Shift+ArrowRight'}
            className={styles['head']}
          >
            <Term hint={hint}>{header}</Term>
            {!fills && <Handle width={widths[id] ?? 0} onResize={width => onResize(id, width)} />}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Drags the edge of a column; a double click fits its content. The keys of the head do the same. */
function Handle({ width, onResize }: { width: number; onResize: (width: number | null) => void }) {
  const start = useRef<{ x: number; width: number } | null>(null)
  const [dragging, setDragging] = useState(false)
  const end = () => {
    start.current = null
    setDragging(false)
  }
  return (
    <span
      aria-hidden
      data-dragging={dragging || undefined}
      className={styles['handle']}
      onPointerDown={(event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
        setDragging(true)
      }}
      onPointerMove={event => {
        if (start.current) onResize(start.current.width + event.clientX - start.current.x)
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onResize(null)}
    />
  )
}
