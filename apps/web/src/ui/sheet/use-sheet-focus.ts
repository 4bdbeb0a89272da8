import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  atCell,
  boxColumn,
  type Cell,
  existingCell,
  headRow,
  initialSheet,
  isSameCell,
  newRow,
  type SheetOrder,
  type SheetState,
} from './sheet-state.ts'

type FocusOptions = {
  body: RefObject<HTMLElement | null>
  order: SheetOrder
  /** The row to show and focus. */
  reveal: string | null
  revealColumn: string | undefined
  onReveal: (row: string) => void
  onRevealed: () => void
}

export type SheetFocus = ReturnType<typeof useSheetFocus>

/**
 * The current cell of a sheet, its range and editor. A cell that is not rendered yet gets the focus once it is; the focus
 * of a removed row goes to the next one.
 */
export function useSheetFocus({ body, order, reveal, revealColumn, onReveal, onRevealed }: FocusOptions) {
  const [current, setState] = useState<SheetState>(initialSheet)
  const isRequested = useRef(false)
  /** The state already has the cell that receives the focus. */
  const isMoving = useRef(false)
  const first = { row: headRow, column: order.columns[1] ?? boxColumn }
  useReveal(reveal, row => {
    setState(atCell(current, { row, column: revealColumn ?? current.cell?.column ?? first.column }, order))
    onReveal(row)
  })
  // The page of a revealed row is shown by the next render.
  const cell = reveal !== null && current.cell?.row === reveal ? current.cell : existingCell(current, order)
  const state = cell === current.cell ? current : atCell(current, cell ?? first, order)

  const settle = useEffectEvent(() => {
    // The row of the focus was removed: a closing overlay returns the focus first.
    if (cell !== current.cell && current.cell !== null)
      requestAnimationFrame(() => isNowhere() && focusNow(body.current, cell))
    if (isRequested.current && !state.editing && focusNow(body.current, cell)) isRequested.current = false
  })
  const bring = useEffectEvent(() => {
    isRequested.current = true
    onRevealed()
  })
  useEffect(() => {
    if (reveal !== null) bring()
  }, [reveal])
  useEffect(() => settle())

  function focusCell(next: Cell, extend = false) {
    setState(atCell(state, next, order, extend))
    isMoving.current = true
    isRequested.current = !focusNow(body.current, next)
    isMoving.current = false
  }

  /** The focus came to an element of the sheet. */
  function receive(target: Element) {
    const next = isMoving.current ? null : cellOf(target)
    if (next) return isSameCell(state.cell, next) ? undefined : setState(atCell(state, next, order))
    // The focus of a row is that of its cell.
    if (!isMoving.current) focusCell({ row: rowOf(target), column: state.cell?.column ?? first.column })
  }

  return { state, setState, focusCell, receive }
}

/** Calls back while rendering, so that the row is there at once. */
function useReveal(reveal: string | null, onReveal: (row: string) => void): void {
  const [revealed, setRevealed] = useState<string | null>(null)
  if (reveal === revealed) return
  setRevealed(reveal)
  if (reveal !== null) onReveal(reveal)
}

/** The cell that an element is in; null outside cells. */
export function cellOf(target: EventTarget): Cell | null {
  const column = target instanceof Element ? target.closest<HTMLElement>('[data-column]')?.dataset['column'] : undefined
  return column === undefined || !(target instanceof Element) ? null : { row: rowOf(target), column }
}

function rowOf(target: Element): string {
  const data = target.closest('tr')?.dataset
  return data?.['rowId'] ?? (data?.['new'] === undefined ? headRow : newRow)
}

function focusNow(body: HTMLElement | null, cell: Cell | null): boolean {
  if (!cell) return false
  const row = body?.closest('table')?.querySelector(rowSelector(cell.row))
  const element = row?.querySelector<HTMLElement>(`[data-column="${CSS.escape(cell.column)}"]`)
  const target = element?.querySelector<HTMLElement>('[role=checkbox]') ?? element
  target?.focus()
  // Pinned rows and the head are in view anyway.
  if (target?.closest('thead, [data-pinned]')) target.closest('[data-scroller]')?.scrollTo({ top: 0 })
  return Boolean(target)
}

function rowSelector(row: string): string {
  if (row === headRow) return 'thead tr'
  return row === newRow ? '[data-new]' : `[data-row-id="${CSS.escape(row)}"]`
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
