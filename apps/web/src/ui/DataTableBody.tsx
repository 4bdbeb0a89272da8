import { Fragment, useEffect, useState, type ReactNode, type RefObject } from 'react'
import { rowsInView, useRowWindow } from './use-window.ts'

const defaultRowHeight = 32
/** Pixels: rows are rendered and removed in groups outside the view instead of one per arrow key. */
const turn = 6 * defaultRowHeight

type DataTableBodyProps<Row> = {
  body: RefObject<HTMLTableSectionElement | null>
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Index of the row that is always rendered: the focused row or the row that Tab would focus. */
  keep: number
  /** Number of rows from which only visible ones are rendered. */
  windowedFrom?: number
  render: (row: Row, index: number) => ReactNode
}

/** The rows; long lists render visible ones only, with spacers for all other rows. */
export function DataTableBody<Row>({ body, rows, rowId, keep, windowedFrom = 200, render }: DataTableBodyProps<Row>) {
  const windowed = rows.length >= windowedFrom
  const view = useRowWindow(body, windowed, turn)
  const height = useRowHeight(body, windowed)
  const indexes = windowed ? rowsInView(view, rows.length, height, keep) : rows.map((_, index) => index)
  return (
    <tbody ref={body}>
      {indexes.map((index, at) => {
        const row = rows[index]
        const skipped = index - (indexes[at - 1] ?? -1) - 1
        return (
          row !== undefined && (
            <Fragment key={rowId(row)}>
              {skipped > 0 && <Room height={skipped * height} />}
              {render(row, index)}
            </Fragment>
          )
        )
      })}
      <Room height={(rows.length - 1 - (indexes.at(-1) ?? -1)) * height} />
    </tbody>
  )
}

function Room({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden style={{ height }} />
}

/** The row height depends on a user setting and is the same for all rows of a table. */
function useRowHeight(body: RefObject<HTMLTableSectionElement | null>, windowed: boolean): number {
  const [height, setHeight] = useState(defaultRowHeight)
  useEffect(() => {
    const row = windowed ? body.current?.querySelector<HTMLElement>('[data-row-id]') : null
    if (!row) return
    const size = new ResizeObserver(() => row.offsetHeight > 0 && setHeight(row.offsetHeight))
    size.observe(row)
    return () => size.disconnect()
  }, [body, windowed])
  return height
}
