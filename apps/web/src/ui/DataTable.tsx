// A native table with the grid role is what rows that take the focus need.
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role */
import { memo, useRef, useState, type ReactNode } from 'react'
import { ContextMenu } from './ContextMenu.tsx'
import { DataTableBody } from './DataTableBody.tsx'
import { DataTableFoot } from './DataTableFoot.tsx'
import { DataTableHead } from './DataTableHead.tsx'
import { DataTableRow } from './DataTableRow.tsx'
import type { MenuEntry } from './MenuEntries.tsx'
import { Skeleton } from './Skeleton.tsx'
import { classNames } from './class-names.ts'
import { notify } from './notices.ts'
import { pressRowKey } from './row-keys.ts'
import { useUiSettings } from './settings.ts'
import { moved, pageOf, stepped } from './table-state.ts'
import { usePage } from './use-page.ts'
import { useTableActions, type Edge } from './use-table-actions.ts'
import { useRowChoice } from './use-row-choice.ts'
import { useRowFocus } from './use-row-focus.ts'
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
  /** Arrow keys choose the row that they come to, unless several are chosen or Space chose one. */
  followsFocus?: boolean
  /** A row to bring into view, choose its page and focus, once; the row itself is chosen by the caller. */
  reveal?: string | null
  onRevealed?: () => void
  /** Enter or double click. */
  onOpen?: (row: Row) => void
  /** The context menu of a row; the chosen rows are the caller's. */
  entriesFor?: (row: Row) => readonly MenuEntry[]
  /** Delete key and the button in the count bar. */
  onDelete?: (() => void) | undefined
  /** What that button says, where rows are not deleted but taken out of something. */
  deleteLabel?: string
  /** Why what is chosen cannot be deleted: shown by the button, said when the key is pressed. */
  undeletable?: string | false
  /** The ids of the rows that are not pinned, in their new order. Absent: no reordering. */
  onReorder?: ((ids: string[]) => void) | undefined
  /** CSS width below which the table scrolls rather than cuts its words. */
  minWidth?: string
  /** What stands where there is no row, an EmptyState mostly. */
  empty: ReactNode
  /** What the rows are searched for: another search starts on the first page. */
  filter?: string
  loading?: boolean
  /** Shows the rows at 60 % while newer ones are fetched. */
  stale?: boolean
  /** Page sizes offered; the widget's defaults otherwise. */
  pageSizes?: readonly number[]
  pageSize?: number
}

/** Rows of 32 px with sticky head, choosing, paging, context menu and reordering; 200 and more are windowed. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, rowName, selected, onSelect, entriesFor, onReorder, loading = false } = props
  const settings = useUiSettings()
  const { filter = '', undeletable = false } = props
  const { page, setPage, size, setSize } = usePage(props.pageSize ?? settings.tablePageSize, filter)
  const [said, setSaid] = useState('')
  const body = useRef<HTMLTableSectionElement>(null)
  const pinned = props.isPinned ? rows.filter(props.isPinned) : []
  const loose = props.isPinned ? rows.filter(row => !props.isPinned?.(row)) : rows
  const perPage = Math.max(1, size - pinned.length)
  const shownPage = pageOf(loose, page, perPage)
  const shown = [...pinned, ...shownPage.rows]
  const ids = shown.map(rowId)
  const order = loose.map(rowId)
  const { current, setCurrent, focusable, focusRow } = useRowFocus({
    body,
    shown: ids,
    all: [...pinned.map(rowId), ...order],
    reveal: props.reveal ?? null,
    onTurn: id => {
      const at = order.indexOf(id)
      if (at >= 0) setPage(Math.floor(at / perPage))
    },
    onRevealed: props.onRevealed,
  })
  const { pressAdds = false, followsFocus = false } = props
  // Rendered anew only where they look different: there are hundreds of rows.
  const [MemoRow] = useState(() => memo(DataTableRow<Row>))
  const [MemoHead] = useState(() => memo(DataTableHead<Row>))
  const choice = useRowChoice({ ids, selected, onSelect, pressAdds, followsFocus })

  function reorder(next: string[] | null, row: Row) {
    if (!next || !onReorder) return
    onReorder(next)
    setSaid(`${rowName(row)} is now at place ${pinned.length + next.indexOf(rowId(row)) + 1} of ${rows.length}.`)
  }

  function reorderTo(source: string, target: string, edge: Edge) {
    const row = rows.find(candidate => rowId(candidate) === source)
    if (row) reorder(moved(order, source, target, edge), row)
  }

  const chosen = selected?.size ?? 0
  const actions = useTableActions<Row>({
    toggle: row => choice.toggle(rowId(row)),
    press: (row, event) => {
      choice.press(rowId(row), event)
      if (!event.shiftKey) setCurrent(rowId(row))
    },
    open: row => props.onOpen?.(row),
    key: (row, event) => {
      const id = rowId(row)
      pressRowKey(event, {
        ids,
        id,
        choice,
        chooses: onSelect !== undefined,
        choosesFocused: followsFocus,
        move: step => reorder(stepped(order, id, step), row),
        focus: focusRow,
        open: props.onOpen && (() => props.onOpen?.(row)),
        // Only what is chosen is deleted and given up.
        remove: chosen === 0 ? undefined : undeletable ? () => notify('info', undeletable) : props.onDelete,
        clear: chosen > 0 ? () => onSelect?.(new Set()) : undefined,
      })
    },
    focus: row => setCurrent(rowId(row)),
    drop: (source, row, edge) => reorderTo(source, rowId(row), edge),
    chooseAll: all => onSelect?.(new Set(all ? rows.map(rowId) : [])),
    turn: setPage,
    resize: setSize,
  })

  const scroller = (
    <div data-scroller className={classNames(styles['scroller'], props.stale && styles['stale'])} tabIndex={-1}>
      {rows.length > 0 && (
        <table
          role="grid"
          aria-label={props.label}
          aria-multiselectable={Boolean(onSelect)}
          aria-rowcount={rows.length + 1}
          className={styles['table']}
          style={{ minWidth: props.minWidth }}
        >
          <MemoHead
            columns={columns}
            chosen={onSelect ? chosen : undefined}
            rows={rows.length}
            onAll={actions.chooseAll}
          />
          <DataTableBody
            body={body}
            rows={shown}
            rowId={rowId}
            keep={ids.indexOf(focusable ?? '')}
            render={(row, index) => (
              <MemoRow
                id={rowId(row)}
                name={rowName(row)}
                row={row}
                // The head is the first row, and the rows of the pages before come before these.
                index={index + 2 + (index < pinned.length ? 0 : shownPage.first - 1)}
                columns={columns}
                pinned={index < pinned.length}
                current={rowId(row) === current}
                focusable={rowId(row) === focusable}
                selected={onSelect ? (selected?.has(rowId(row)) ?? false) : undefined}
                movable={onReorder !== undefined}
                actions={actions}
              />
            )}
          />
        </table>
      )}
      {rows.length === 0 && (loading ? <Skeleton lines={8} /> : props.empty)}
    </div>
  )

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
        deleteLabel={props.deleteLabel ?? 'Delete'}
        undeletable={undeletable}
        onClear={() => {
          onSelect?.(new Set())
          focusRow(focusable)
        }}
        counts={Boolean(onSelect) && rows.length > 0}
        paging={{ ...shownPage, total: rows.length, size, sizes: props.pageSizes ?? settings.tablePageSizes }}
        onPage={actions.turn}
        onSize={actions.resize}
      />
      <div aria-live="polite" className="visually-hidden">
        {said}
      </div>
    </div>
  )
}
