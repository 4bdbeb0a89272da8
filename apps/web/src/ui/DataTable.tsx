// A native table with the grid role is what rows that take the focus need.
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role */
import { useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { ContextMenu } from './ContextMenu.tsx'
import { DataTableFoot } from './DataTableFoot.tsx'
import { DataTableHead } from './DataTableHead.tsx'
import { DataTableRow } from './DataTableRow.tsx'
import type { MenuEntry } from './MenuEntries.tsx'
import { Skeleton } from './Skeleton.tsx'
import { classNames } from './class-names.ts'
import { useUiSettings } from './settings.ts'
import { moved, pageOf, pressed, stepped, toggled } from './table-state.ts'
import styles from './DataTable.module.css'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** CSS width; the columns without one share the rest. */
  width?: string
  /** Identifiers, types, paths, versions. */
  mono?: boolean
  align?: 'end'
}

export type DataTableProps<Row> = {
  /** The table's name. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** What a screen reader says for the row's checkbox and its moves. */
  rowName: (row: Row) => string
  /** Stays at the top of every page and is not moved. */
  isPinned?: (row: Row) => boolean
  /** Chosen rows; absent: rows cannot be chosen. */
  selected?: ReadonlySet<string>
  onSelect?: (selected: ReadonlySet<string>) => void
  /** A plain press adds its row to the chosen ones, or takes it away; otherwise it chooses that row alone. */
  pressAdds?: boolean
  /** Enter or double click. */
  onOpen?: (row: Row) => void
  /** The context menu of a row; the chosen rows are the caller's. */
  entriesFor?: (row: Row) => readonly MenuEntry[]
  /** Delete key and the button in the count bar. */
  onDelete?: (() => void) | undefined
  /** The ids of the rows that are not pinned, in their new order. Absent: no reordering. */
  onReorder?: ((ids: string[]) => void) | undefined
  /** What stands where there is no row, an EmptyState mostly. */
  empty: ReactNode
  loading?: boolean
  /** Shows the rows at 60 % while newer ones are fetched. */
  stale?: boolean
  /** Page sizes offered; the widget's defaults otherwise. */
  pageSizes?: readonly number[]
  pageSize?: number
}

/** Rows of 32 px with sticky head, choosing, paging, context menu and reordering. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, rowName, selected, onSelect, entriesFor, onReorder, loading = false } = props
  const settings = useUiSettings()
  const [page, setPage] = useState(0)
  const [size, setSize] = useState(props.pageSize ?? settings.tablePageSize)
  const [current, setCurrent] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const body = useRef<HTMLTableSectionElement>(null)

  const pinned = props.isPinned ? rows.filter(props.isPinned) : []
  const loose = props.isPinned ? rows.filter(row => !props.isPinned?.(row)) : rows
  const shownPage = pageOf(loose, page, Math.max(1, size - pinned.length))
  const shown = [...pinned, ...shownPage.rows]
  const ids = shown.map(rowId)
  const order = loose.map(rowId)
  const focusable = current !== null && ids.includes(current) ? current : ids[0]

  function focusRow(id: string | undefined) {
    if (id === undefined) return
    setCurrent(id)
    body.current?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)?.focus()
  }

  function reorder(next: string[] | null, row: Row) {
    if (!next || !onReorder) return
    onReorder(next)
    setSaid(`${rowName(row)} is now at place ${pinned.length + next.indexOf(rowId(row)) + 1} of ${rows.length}.`)
  }

  function press(row: Row, event: MouseEvent) {
    const id = rowId(row)
    const keys = { toggle: props.pressAdds || event.ctrlKey || event.metaKey, range: event.shiftKey }
    onSelect?.(pressed(ids, selected ?? new Set(), current, id, keys))
    if (!event.shiftKey) setCurrent(id)
  }

  function key(row: Row, event: KeyboardEvent) {
    const id = rowId(row)
    const at = ids.indexOf(id)
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      reorder(stepped(order, id, event.key === 'ArrowUp' ? -1 : 1), row)
      return
    }
    const moves: Record<string, string | undefined> = {
      ArrowDown: ids[at + 1],
      ArrowUp: ids[at - 1],
      Home: ids[0],
      End: ids.at(-1),
    }
    if (event.key in moves && !event.altKey) {
      event.preventDefault()
      focusRow(moves[event.key])
    } else if (event.key === ' ' && onSelect) {
      event.preventDefault()
      onSelect(toggled(selected ?? new Set(), id))
    } else if (event.key === 'Enter') {
      if (props.onOpen) props.onOpen(row)
      else onSelect?.(new Set([id]))
    } else if (event.key === 'Delete' && props.onDelete && selected && selected.size > 0) {
      props.onDelete()
    } else if (event.key === 'Escape' && selected && selected.size > 0) {
      onSelect?.(new Set())
    }
  }

  const chosen = selected?.size ?? 0
  const scroller = (
    <div className={classNames(styles['scroller'], props.stale && styles['stale'])} tabIndex={-1}>
      {rows.length > 0 && (
        <table
          role="grid"
          aria-label={props.label}
          aria-multiselectable={Boolean(onSelect)}
          className={styles['table']}
        >
          <DataTableHead
            columns={columns}
            chosen={onSelect ? chosen : undefined}
            rows={rows.length}
            onAll={all => onSelect?.(new Set(all ? rows.map(rowId) : []))}
          />
          <tbody ref={body}>
            {shown.map(row => (
              <DataTableRow
                key={rowId(row)}
                id={rowId(row)}
                name={rowName(row)}
                row={row}
                columns={columns}
                pinned={pinned.includes(row)}
                current={rowId(row) === current}
                focusable={rowId(row) === focusable}
                selected={onSelect ? (selected?.has(rowId(row)) ?? false) : undefined}
                onToggle={() => onSelect?.(toggled(selected ?? new Set(), rowId(row)))}
                onPress={event => press(row, event)}
                onOpen={() => props.onOpen?.(row)}
                onKey={event => key(row, event)}
                onFocus={() => setCurrent(rowId(row))}
                onDrop={onReorder ? (source, edge) => reorderTo(source, rowId(row), edge) : undefined}
              />
            ))}
          </tbody>
        </table>
      )}
      {rows.length === 0 && (loading ? <Skeleton lines={8} /> : props.empty)}
    </div>
  )

  function reorderTo(source: string, target: string, edge: 'top' | 'bottom') {
    const row = rows.find(candidate => rowId(candidate) === source)
    if (row) reorder(moved(order, source, target, edge), row)
  }

  return (
    <div className={styles['frame']}>
      {entriesFor ? (
        <ContextMenu
          render={scroller}
          entriesFor={id => {
            const row = rows.find(candidate => rowId(candidate) === id)
            if (!row) return []
            // A menu on a row that is not among the chosen ones is about that row alone.
            if (onSelect && !selected?.has(id)) onSelect(new Set([id]))
            return entriesFor(row)
          }}
        />
      ) : (
        scroller
      )}
      <DataTableFoot
        chosen={chosen}
        onDelete={props.onDelete}
        onClear={() => onSelect?.(new Set())}
        paging={{ ...shownPage, total: rows.length, size, sizes: props.pageSizes ?? settings.tablePageSizes }}
        onPage={setPage}
        onSize={next => {
          setSize(next)
          setPage(0)
        }}
      />
      <div aria-live="polite" className="visually-hidden">
        {said}
      </div>
    </div>
  )
}
