import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'

type RowFocusOptions = {
  body: RefObject<HTMLElement | null>
  /** The ids on the current page and on all pages, in order. */
  shown: readonly string[]
  all: readonly string[]
  /** The row to show and focus. */
  reveal: string | null
  onTurn: (id: string) => void
  onRevealed: (() => void) | undefined
}

/**
 * The focused row of a table, or the row that Tab would focus. A row that is not rendered yet is focused once it is;
 * the focus of a deleted row moves to the next one.
 */
export function useRowFocus({ body, shown, all, reveal, onTurn, onRevealed }: RowFocusOptions) {
  const [current, setCurrent] = useState<string | null>(null)
  const [revealed, setRevealed] = useState<string | null>(null)
  const requested = useRef<string | null>(null)
  const place = useRef(-1)
  const due = reveal !== null && all.includes(reveal) ? reveal : null
  if (due !== revealed) {
    setRevealed(due)
    if (due !== null) {
      setCurrent(due)
      onTurn(due)
    }
  }

  function focusRow(id: string | undefined) {
    if (id === undefined) return
    setCurrent(id)
    requested.current = focusNow(body.current, id) ? null : id
  }

  const settle = useEffectEvent(() => {
    const at = current === null ? -1 : all.indexOf(current)
    const next = all[Math.min(Math.max(place.current, 0), all.length - 1)]
    if (at >= 0) place.current = at
    // Waits until a closing overlay has returned the focus.
    else if (current !== null && next !== undefined) requestAnimationFrame(() => isNowhere() && focusRow(next))
    if (requested.current !== null && focusNow(body.current, requested.current)) requested.current = null
  })
  const bring = useEffectEvent((id: string) => {
    requested.current = id
    onRevealed?.()
  })
  useEffect(() => {
    if (due !== null) bring(due)
  }, [due])
  useEffect(() => settle())

  const focusable = current !== null && shown.includes(current) ? current : shown[0]
  return { current, setCurrent, focusable, focusRow }
}

function focusNow(body: HTMLElement | null, id: string): boolean {
  const row = body?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)
  row?.focus()
  return row !== null && row !== undefined
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
