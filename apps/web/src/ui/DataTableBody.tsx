import { Fragment, useEffect, useState, type ReactNode, type RefObject } from 'react'
import { rowsInView, useRowWindow } from './use-window.ts'

/** From this many rows on, only those in view are in the document. */
const windowedFrom = 200
const usualHeight = 32
/** Pixels: several rows come and go together, far enough out of view, rather than one at each step of an arrow key. */
const turn = 6 * usualHeight

type DataTableBodyProps<Row> = {
  body: RefObject<HTMLTableSectionElement | null>
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** The index of the row that stays whatever is in view: the one that has, or would get, the focus. */
  keep: number
  render: (row: Row, index: number) => ReactNode
}

/** The rows; of many only those in view, with room for the others. */
export function DataTableBody<Row>({ body, rows, rowId, keep, render }: DataTableBodyProps<Row>) {
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

/** Where rows would stand that are not in view. */
function Room({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden style={{ height }} />
}

/** Rows are higher where the person wants them so; all of a table are alike. */
function useRowHeight(body: RefObject<HTMLTableSectionElement | null>, windowed: boolean): number {
  const [height, setHeight] = useState(usualHeight)
  useEffect(() => {
    const row = windowed ? body.current?.querySelector<HTMLElement>('[data-row-id]') : null
    if (!row) return
    const size = new ResizeObserver(() => row.offsetHeight > 0 && setHeight(row.offsetHeight))
    size.observe(row)
    return () => size.disconnect()
  }, [body, windowed])
  return height
}
