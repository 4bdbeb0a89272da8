import { type KeyboardEvent, memo, type ReactNode, useRef, useState } from 'react'
import { ContextMenu } from './ContextMenu.tsx'
import styles from './DataTable.module.css'
import { DataTableBody } from './DataTableBody.tsx'
import { DataTableFoot } from './DataTableFoot.tsx'
import { type CellColumn, DataTableRow, type TableActions } from './DataTableRow.tsx'
import type { MenuEntry } from './MenuEntries.tsx'
import { AllRowsBox } from './RowBox.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Term } from './Tooltip.tsx'
import { classNames } from './class-names.ts'
import { notify } from './notices.ts'
import { useUiSettings } from './settings.ts'
import { isRowKey, pageOf, rowAfter } from './table-state.ts'
import { useLatest } from './use-latest.ts'
import { usePage } from './use-page.ts'
import { type RowChoice, useRowChoice } from './use-row-choice.ts'
import { useRowFocus } from './use-row-focus.ts'

// Focusable rows require a native table with the grid role.
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role */

export type Column<Row> = CellColumn<Row> & {
  header: string
  /** Explains the head. */
  hint?: string | undefined
  /** CSS width; columns without one share the rest. */
  width?: string
}

type DataTableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  /** Pinned rows are at the top of every page. */
  isPinned?: (row: Row) => boolean
  /** Selected rows; undefined: rows are not selectable. */
  selected?: ReadonlySet<string>
  onSelect?: (selected: ReadonlySet<string>) => void
  /** The selection is a value of a form: a click on a row ticks its box, and arrow keys only move the focus. */
  checklist?: boolean
  /** F2 selects the focused row and renames it in the properties panel. */
  renames?: boolean
  /** A row to show on its page and focus, once; the caller selects it. */
  reveal?: string | null
  onRevealed?: () => void
  /** Called for Enter and double click. */
  onOpen?: (row: Row) => void
  entriesFor?: (row: Row) => readonly MenuEntry[]
  /** Called for the Delete key and the button in the selection bar. */
  onDelete?: (() => void) | undefined
  /** Label of that button, if rows are removed rather than deleted. */
  deleteLabel?: string
  /** Reason why the selection cannot be deleted; shown at the button, and as a notice for the key. */
  undeletable?: string | false
  /** Id under which a row can be dragged to a tree or panel. */
  dragId?: ((row: Row) => string) | undefined
  /** CSS width below which the table scrolls instead of truncating text. */
  minWidth?: string
  /** Content without rows, usually an EmptyState. */
  empty: ReactNode
  /** Search text of the rows; changing it returns to the first page. */
  filter?: string
  loading?: boolean
  /** Dims the rows to 60 % while newer ones load. */
  stale?: boolean
  /** Page sizes offered instead of the defaults. */
  pageSizes?: readonly number[]
  pageSize?: number
}

/** Rows of 32 px with sticky head, selection, paging and context menu; windowed from 200 rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, rowName, selected, onSelect, entriesFor, loading = false } = props
  const settings = useUiSettings()
  const { filter = '', undeletable = false } = props
  const { page, setPage, size, setSize } = usePage(props.pageSize ?? settings.tablePageSize, filter)
  const body = useRef<HTMLTableSectionElement>(null)
  const pinned = props.isPinned ? rows.filter(props.isPinned) : []
  const unpinned = props.isPinned ? rows.filter(row => !props.isPinned?.(row)) : rows
  const perPage = Math.max(1, size - pinned.length)
  const shownPage = pageOf(unpinned, page, perPage)
  const shown = [...pinned, ...shownPage.rows]
  const ids = shown.map(rowId)
  const order = unpinned.map(rowId)
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
  const { checklist = false, renames = false } = props
  // Memoised, because there can be hundreds of rows.
  const [MemoRow] = useState(() => memo(DataTableRow<Row>))
  const [MemoHead] = useState(() => memo(DataTableHead<Row>))
  const choice = useRowChoice({ ids, selected, onSelect, checklist })

  const chosen = selected?.size ?? 0
  const actions = useLatest<TableActions<Row>>({
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
        chooseAll: () => actions.chooseAll(true),
        chooses: onSelect !== undefined,
        renames,
        focus: focusRow,
        open: props.onOpen && (() => props.onOpen?.(row)),
        // Only the selection can be deleted.
        remove: chosen === 0 ? undefined : undeletable ? () => notify('info', undeletable) : props.onDelete,
        clear: chosen > 0 ? () => onSelect?.(new Set()) : undefined,
      })
    },
    focus: row => setCurrent(rowId(row)),
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
                // Row indexes count the head and the rows of previous pages.
                index={index + 2 + (index < pinned.length ? 0 : shownPage.first - 1)}
                columns={columns}
                pinned={index < pinned.length}
                current={rowId(row) === current}
                focusable={rowId(row) === focusable}
                selected={onSelect ? (selected?.has(rowId(row)) ?? false) : undefined}
                dragId={props.dragId?.(row)}
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
            // A context menu on an unselected row applies to that row alone.
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
    </div>
  )
}

type DataTableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  /** Number of selected rows; undefined: rows are not selectable. */
  chosen: number | undefined
  rows: number
  onAll: (all: boolean) => void
}

/** The sticky head of a DataTable, with the checkbox for all rows. */
function DataTableHead<Row>({ columns, chosen, rows, onAll }: DataTableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {chosen !== undefined && (
          <th scope="col" className={classNames(styles['head'], styles['check'])}>
            <AllRowsBox {...{ chosen, rows, onAll }} />
          </th>
        )}
        {columns.map(column => (
          <th
            key={column.id}
            scope="col"
            className={classNames(styles['head'], column.align === 'end' && styles['end'])}
            style={{ width: column.width }}
          >
            <Term hint={column.hint}>{column.header}</Term>
          </th>
        ))}
      </tr>
    </thead>
  )
}

type RowKeyPress = {
  /** The ids of the rows of the current page, in order. */
  ids: readonly string[]
  id: string
  choice: RowChoice
  chooseAll: () => void
  chooses: boolean
  renames: boolean
  focus: (id: string) => void
  open: (() => void) | undefined
  remove: (() => void) | undefined
  clear: (() => void) | undefined
}

function pressRowKey(event: KeyboardEvent, table: RowKeyPress): void {
  const { ids, id, choice } = table
  const { key } = event
  if (isRowKey(key) && !event.altKey) {
    event.preventDefault()
    const next = rowAfter(ids, id, key)
    table.focus(next)
    choice.follow(id, next, event)
  } else if (key === 'a' && (event.ctrlKey || event.metaKey) && table.chooses) {
    event.preventDefault()
    table.chooseAll()
  } else if (key === ' ' && table.chooses) {
    event.preventDefault()
    choice.pin(id)
  } else if (key === 'Enter') {
    if (table.open) table.open()
    else choice.choose(id)
  } else if (key === 'F2' && table.renames) {
    // F2 renames the object in the properties panel, so the row is selected first; the global command does the rest.
    choice.choose(id)
  } else if (key === 'F2' && table.open) {
    // F2 must not rename another document than the row's.
    event.preventDefault()
  } else if (key === 'Delete') table.remove?.()
  else if (key === 'Escape') table.clear?.()
}
