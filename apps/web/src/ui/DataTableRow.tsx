import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { visibleText } from '@cadmus/model/display'
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import type { Column } from './DataTable.tsx'
import { RowBox } from './RowBox.tsx'
import { classNames } from './class-names.ts'
import type { Edge, TableActions } from './use-table-actions.ts'
import styles from './DataTable.module.css'

type DataTableRowProps<Row> = {
  id: string
  name: string
  row: Row
  /** Row index within the whole table; the head is the first. */
  index: number
  columns: readonly Column<Row>[]
  pinned: boolean
  current: boolean
  focusable: boolean
  /** undefined: rows are not selectable. */
  selected: boolean | undefined
  /** Whether the row can be dragged, and rows dropped at its edges. */
  movable: boolean
  /** Id under which the row can be dragged to a tree or panel. */
  dragId?: string | undefined
  actions: TableActions<Row>
}

export function DataTableRow<Row>(props: DataTableRowProps<Row>) {
  const { id, row, columns, pinned, selected, actions } = props
  const element = useRef<HTMLTableRowElement>(null)
  const movable = props.movable && !pinned
  const { edge, dragging } = useRowMoves(element, { id, movable, dragId: props.dragId }, (source, at) =>
    actions.drop(source, row, at),
  )

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
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      aria-selected={selected}
      aria-keyshortcuts={movable ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
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

function useRowMoves(
  element: { readonly current: HTMLTableRowElement | null },
  { id, movable, dragId }: { id: string; movable: boolean; dragId: string | undefined },
  onDrop: (source: string, edge: Edge) => void,
) {
  const [edge, setEdge] = useState<Edge | null>(null)
  const [dragging, setDragging] = useState(false)
  const dropped = useEffectEvent(onDrop)

  useEffect(() => {
    const target = element.current
    if (!target || (!movable && dragId === undefined)) return
    const table = target.closest('table')
    return combine(
      draggable({
        element: target,
        getInitialData: () => (dragId === undefined ? { kind: 'row', id, table } : { kind: 'node', id: dragId }),
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
      dropTargetForElements({
        element: target,
        canDrop: ({ source }) => source.data['table'] === table && source.data['id'] !== id,
        getData: ({ input }) => attachClosestEdge({}, { element: target, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => setEdge(vertical(extractClosestEdge(self.data))),
        onDragLeave: () => setEdge(null),
        onDrop: ({ source, self }) => {
          setEdge(null)
          const at = vertical(extractClosestEdge(self.data))
          if (at && typeof source.data['id'] === 'string') dropped(source.data['id'], at)
        },
      }),
    )
  }, [element, id, movable, dragId])

  return { edge, dragging }
}

function vertical(edge: string | null): Edge | null {
  return edge === 'top' || edge === 'bottom' ? edge : null
}
