import { formatCount } from '@cadmus/model/display'
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { ContextMenu } from '../ContextMenu.tsx'
import { DataTableBody } from '../DataTableBody.tsx'
import { DataTableFoot } from '../DataTableFoot.tsx'
import { classNames } from '../class-names.ts'
import { useUiSettings } from '../settings.ts'
import { moved, pageOf } from '../table-state.ts'
import { useLatest } from '../use-latest.ts'
import { usePage } from '../use-page.ts'
import { useRowChoice } from '../use-row-choice.ts'
import { ProblemStrip } from './ProblemStrip.tsx'
import { SheetHead } from './SheetHead.tsx'
import { type RowActions, SheetRow } from './SheetRow.tsx'
import { SheetActions, type SheetMemory, type ToChoose } from './sheet-actions.ts'
import type { SheetProps } from './sheet-props.ts'
import { boxColumn, headRow, isRange, newRow, rangeOf, type SheetOrder } from './sheet-state.ts'
import { type SheetFocus, useSheetFocus } from './use-sheet-focus.ts'
import table from '../DataTable.module.css'
import styles from './Sheet.module.css'

// Focusable cells require a native table with the grid role.
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role */

const instructions = 'Typing replaces a cell, F2 edits it. Escape, then Tab leaves the sheet.'
const boxWidth = 40
const leastFill = 128
/** Above this number of rows, only visible ones are rendered. */
const windowedFrom = 100

/** A table whose cells are edited in place, as in a spreadsheet: an ARIA grid with the focus on cells. */
export function Sheet<Row>(props: SheetProps<Row>) {
  const { rows, rowId, selected, onSelect, problems, growing } = props
  const settings = useUiSettings()
  const { page, setPage, size, setSize } = usePage(settings.tablePageSize, props.filter)
  const [announcement, announce] = useState('')
  const [memory] = useState<SheetMemory>({ isFlowing: false, tabStart: null, wasCurrent: false })
  const body = useRef<HTMLTableSectionElement>(null)
  const pinned = rows.filter(props.isPinned)
  const unpinned = pinned.length === 0 ? rows : rows.filter(row => !props.isPinned(row))
  const perPage = Math.max(1, rows.length < props.pagedFrom ? unpinned.length : size - pinned.length)
  const shownPage = pageOf(unpinned, page, perPage)
  const ids = [...pinned, ...shownPage.rows].map(rowId)
  const order: SheetOrder = {
    rows: [headRow, ...ids, ...(growing === null ? [] : [newRow])],
    columns: [boxColumn, ...props.columns.map(column => column.id)],
  }
  const places = unpinned.map(rowId)
  const choosable = rows.map(rowId).filter(id => !props.fixed.rows.has(id))
  const movable = places.filter(id => !props.fixed.rows.has(id))
  const whole = { ...order, rows: [headRow, ...pinned.map(rowId), ...places, ...(growing === null ? [] : [newRow])] }
  const show = (id: string) => setPage(Math.floor(Math.max(0, places.indexOf(id)) / perPage))
  const reveal = props.reveal !== null && (ids.includes(props.reveal) || places.includes(props.reveal))
  const focus = useSheetFocus({
    body,
    order,
    reveal: reveal ? props.reveal : null,
    revealColumn: props.revealColumn,
    onReveal: show,
    onRevealed: props.onRevealed,
  })
  const { cell } = focus.state
  const onPage = ids.filter(id => selected.has(id)).length
  const described = useId()
  const choice = useRowChoice({ ids: choosable, selected, onSelect, checklist: false })
  const { choosePasted } = useLatest({ choosePasted: (...pasted: ToChoose) => actions.choosePasted(...pasted) })
  const actions = new SheetActions({
    props,
    order,
    whole,
    show,
    movable,
    choosable,
    focus,
    choice,
    memory,
    announce,
    choosePasted,
  })
  usePasteElsewhere(body, (data, takesFocus) => actions.append(data, takesFocus))
  const rowActions = useLatest<RowActions>({
    toggle: id => choice.toggle(id),
    apply: (edited, text, after) => actions.apply(edited, text, after),
    cancel: () => actions.cancel(),
    drop: (source, target, edge) => actions.reorder(moved(movable, source, target, edge), source),
  })
  const scroller = (
    <div data-scroller className={classNames(table['scroller'], styles['scroller'])} tabIndex={-1}>
      <SheetTable
        {...{ props, described, body, whole, choosable, focus, actions, rowActions, pinned }}
        page={shownPage}
      />
      {rows.length === 0 && props.empty}
    </div>
  )
  return (
    <div className={classNames(table['frame'], styles['frame'])}>
      <div className={table['frame']} data-over={(selected.size > 0 && shownPage.pages <= 1) || undefined}>
        <ContextMenu
          render={scroller}
          entriesFor={(id, target) => {
            const row = actions.row(id)
            if (!row) return []
            // A context menu on an unselected row applies to that row alone.
            if (!selected.has(id) && !props.fixed.rows.has(id)) onSelect(new Set([id]))
            return props.entriesFor(row, actions.cellsAt(target, id))
          }}
        />
        <DataTableFoot
          chosen={selected.size}
          note={onPage < selected.size ? `, ${formatCount(onPage)} on this page` : ''}
          onDelete={props.locked === null ? () => props.onDelete(actions.chosenCells()) : undefined}
          deleteLabel={props.deleteLabel ?? 'Delete'}
          undeletable={props.undeletable}
          onClear={() => {
            onSelect(new Set())
            if (cell) focus.focusCell(cell)
          }}
          counts={false}
          paging={{ ...shownPage, total: rows.length, size, sizes: settings.tablePageSizes }}
          onPage={setPage}
          onSize={setSize}
        />
      </div>
      {problems.size > 0 && (
        <ProblemStrip
          problem={cell ? problems.get(cell.row)?.get(cell.column) : undefined}
          count={[...problems.values()].reduce((sum, cells) => sum + cells.size, 0)}
          offers={[...problems.values()].filter(cells => cell && cells.get(cell.column)?.offer !== undefined).length}
          onNext={() => actions.toMarked(1)}
          onReplace={text => actions.replace(text)}
          onTakeOffers={() => actions.takeOffers()}
        />
      )}
      <div aria-live="polite" className="visually-hidden">
        {announcement}
      </div>
      <span id={described} hidden>
        {instructions}
      </span>
    </div>
  )
}

/** A place of the focus that takes no paste, and keeps the focus, so that its keys lead to the next document. */
const tree = '[role=tree]'
/** Others, besides the page itself. */
const idlePlaces = '[role=tablist]'

/** Handles a paste that nothing else takes, as after opening a document. */
function usePasteElsewhere(
  body: RefObject<HTMLElement | null>,
  onPaste: (data: DataTransfer, takesFocus: boolean) => void,
): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData } = event
    const isIn = (places: string) => target instanceof Element && target.closest(places) !== null
    const takesFocus = target === document.body || isIn(idlePlaces)
    // Other documents stay rendered behind the one that is shown.
    if (event.defaultPrevented || !(takesFocus || isIn(tree))) return
    if (!clipboardData || !body.current?.checkVisibility()) return
    event.preventDefault()
    onPaste(clipboardData, takesFocus)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event)
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])
}

type SheetTableProps<Row> = {
  props: SheetProps<Row>
  /** Id of the instructions. */
  described: string
  body: RefObject<HTMLTableSectionElement | null>
  /** The rows of all pages. */
  whole: SheetOrder
  /** Ids of the rows that can be chosen. */
  choosable: readonly string[]
  focus: SheetFocus
  actions: SheetActions<Row>
  rowActions: RowActions
  pinned: readonly Row[]
  page: { rows: readonly Row[]; first: number }
}

function SheetTable<Row>({
  props,
  described,
  body,
  whole,
  choosable,
  focus,
  actions,
  rowActions,
  pinned,
  page,
}: SheetTableProps<Row>) {
  const { columns, widths, rows, rowId, rowName, rowKind, selected, onSelect, problems, growing, locked } = props
  const { cell, editing } = focus.state
  const range = rangeOf(focus.state, whole)
  const inRange = new Set(range && isRange(range) ? whole.rows.slice(range.top, range.bottom + 1) : [])

  /** The part of the state that a row shows; with the same values the row is not rendered again. */
  function stateOf(id: string) {
    return {
      columns,
      id,
      actions: rowActions,
      problems: problems.get(id),
      marks: props.marks?.get(id),
      selected: selected.has(id),
      current: cell?.row === id ? cell.column : null,
      editing: cell?.row === id ? editing : null,
      left: range && inRange.has(id) ? range.left : -1,
      right: range && inRange.has(id) ? range.right : -1,
    }
  }

  const rendered = (row: Row, index: number, isPinned: boolean) => (
    <SheetRow
      key={rowId(row)}
      name={rowName(row)}
      kind={rowKind(row)}
      row={row}
      // Row indexes count the head and the rows of previous pages.
      index={index + 2 + (isPinned ? 0 : pinned.length + page.first - 1)}
      pinned={isPinned}
      fixed={props.fixed.rows.has(rowId(row))}
      movable={props.onReorder !== undefined}
      {...stateOf(rowId(row))}
    />
  )
  const minWidth = columns.reduce((sum, { id, fills }) => sum + (fills ? leastFill : (widths[id] ?? 0)), boxWidth)
  return (
    <table
      role="grid"
      aria-label={props.label}
      aria-describedby={locked === null ? described : undefined}
      aria-multiselectable
      aria-readonly={locked !== null || undefined}
      aria-rowcount={rows.length + 1 + (growing === null ? 0 : 1)}
      className={table['table']}
      // Without a filling column the others keep their widths.
      style={{ minWidth, width: columns.some(({ fills }) => fills) ? undefined : minWidth }}
      onKeyDown={event => actions.press(event)}
      onMouseDown={event => actions.pressMouse(event)}
      onClick={event => actions.click(event)}
      onDoubleClick={event => actions.doubleClick(event)}
      onFocus={event => focus.receive(event.target)}
      onBlur={event => actions.leave(event)}
      onCopy={event => void actions.copy(event)}
      onCut={event => actions.cut(event)}
      onPaste={event => actions.paste(event)}
    >
      <colgroup>
        <col style={{ width: boxWidth }} />
        {columns.map(({ id, fills }) => (
          <col key={id} style={{ width: fills ? undefined : widths[id] }} />
        ))}
      </colgroup>
      <SheetHead
        columns={columns}
        widths={widths}
        current={cell?.row === headRow ? cell.column : null}
        chosen={selected.size}
        rows={choosable.length}
        onAll={all => onSelect(new Set(all ? choosable : []))}
        onResize={props.onResize}
      />
      {pinned.length > 0 && (
        <tbody className={styles['pinned']}>{pinned.map((row, at) => rendered(row, at, true))}</tbody>
      )}
      <DataTableBody
        body={body}
        rows={page.rows}
        rowId={rowId}
        keep={page.rows.findIndex(row => rowId(row) === cell?.row)}
        windowedFrom={windowedFrom}
        render={(row, index) => rendered(row, index, false)}
      />
      {growing !== null && (
        <tbody>
          <SheetRow
            name={growing}
            kind=""
            row={null as Row | null}
            index={rows.length + 2}
            pinned={false}
            fixed={false}
            movable={false}
            {...stateOf(newRow)}
          />
        </tbody>
      )}
    </table>
  )
}
