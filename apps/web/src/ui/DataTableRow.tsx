import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { visibleText } from '@cadmus/model/display'
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { RowBox } from './RowBox.tsx'
import { classNames } from './class-names.ts'
import styles from './DataTable.module.css'

/** A column as its cells show it. */
export type CellColumn<Row> = {
  id: string
  cell: (row: Row) => ReactNode
  /** For identifiers, types, paths and versions. */
  mono?: boolean
  align?: 'end'
}

export type TableActions<Row> = {
  toggle: (row: Row) => void
  press: (row: Row, event: MouseEvent) => void
  open: (row: Row) => void
  key: (row: Row, event: KeyboardEvent) => void
  focus: (row: Row) => void
  chooseAll: (all: boolean) => void
  turn: (page: number) => void
  resize: (size: number) => void
}

type DataTableRowProps<Row> = {
  id: string
  name: string
  row: Row
  /** Row index within the whole table; the head is the first. */
  index: number
  columns: readonly CellColumn<Row>[]
  pinned: boolean
  current: boolean
  focusable: boolean
  /** undefined: rows are not selectable. */
  selected: boolean | undefined
  /** Id under which the row can be dragged to a tree or panel. */
  dragId?: string | undefined
  actions: TableActions<Row>
}

export function DataTableRow<Row>(props: DataTableRowProps<Row>) {
  const { id, row, columns, pinned, selected, actions } = props
  const element = useRef<HTMLTableRowElement>(null)
  const dragging = useDrag(element, props.dragId)

  function pressed(event: MouseEvent) {
    // Controls inside the row (checkbox, editor) handle their own clicks.
    if (event.target instanceof Element && event.target.closest('button, input, [role=checkbox]')) return
    actions.press(row, event)
  }

  return (
    <tr
      ref={element}
      data-row-id={id}
      aria-rowindex={props.index}
      data-current={props.current || undefined}
      data-pinned={pinned || undefined}
      data-dragging={dragging || undefined}
      aria-selected={selected}
      tabIndex={props.focusable ? 0 : -1}
      className={styles['row']}
      onClick={pressed}
      onDoubleClick={() => actions.open(row)}
      onKeyDown={event => {
        if (event.target === event.currentTarget) actions.key(row, event)
      }}
      onFocus={() => actions.focus(row)}
    >
      {selected !== undefined && (
        <td className={classNames(styles['cell'], styles['check'])}>
          <RowBox label={`Choose ${props.name}`} checked={selected} onToggle={() => actions.toggle(row)} />
        </td>
      )}
      {columns.map(column => (
        <td
          key={column.id}
          className={classNames(styles['cell'], column.mono && styles['mono'], column.align === 'end' && styles['end'])}
        >
          {shown(column.cell(row))}
        </td>
      ))}
    </tr>
  )
}

/** Makes invisible characters in texts visible; other content is unchanged. */
function shown(cell: ReactNode): ReactNode {
  return typeof cell === 'string' ? visibleText(cell, { lines: true }) : cell
}

/** Makes the row draggable to a tree or panel; returns whether it is being dragged. */
function useDrag(element: { readonly current: HTMLTableRowElement | null }, dragId: string | undefined): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    if (!element.current || dragId === undefined) return
    return draggable({
      element: element.current,
      getInitialData: () => ({ kind: 'node', id: dragId }),
      onDragStart: () => setDragging(true),
      onDrop: () => setDragging(false),
    })
  }, [element, dragId])
  return dragging
}
