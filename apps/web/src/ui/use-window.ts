import { useLayoutEffect, useState, type RefObject } from 'react'

/** Rows rendered above and below the visible ones, so that fast scrolling shows no gaps. */
const overscan = 12

export type RowWindow = { top: number; height: number }

/** Indexes of the rows to render, in order: visible ones with overscan, and always `keep`. */
export function rowsInView(view: RowWindow, count: number, rowHeight: number, keep: number): number[] {
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan)
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / rowHeight) + overscan)
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset)
  if (keep < 0 || keep >= count || (keep >= first && keep <= last)) return indexes
  return keep < first ? [keep, ...indexes] : [...indexes, keep]
}

/** Scroll position that makes a row fully visible below the `covered` pixels at the top; null if it is already. */
export function scrollFor(view: RowWindow, index: number, rowHeight: number, covered = 0): number | null {
  const top = index * rowHeight
  if (top < view.top + covered) return Math.max(0, top - covered)
  return top + rowHeight > view.top + view.height ? top + rowHeight - view.height : null
}

/**
 * Visible part of a scroll container, its own or an ancestor's, updated while `enabled`. Assumes a fixed row height.
 * `step`: minimum scroll distance in pixels between updates.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, enabled = true, step = 1): RowWindow {
  const [view, setView] = useState<RowWindow>({ top: 0, height: 800 })
  useLayoutEffect(() => {
    const element = scroller.current?.closest<HTMLElement>('[data-scroller]') ?? scroller.current
    if (!element || !enabled) return
    const look = () => {
      const now = { top: Math.floor(element.scrollTop / step) * step, height: element.clientHeight }
      setView(known => (known.top === now.top && known.height === now.height ? known : now))
    }
    // A separate container starts at the top and reports its height; measuring now would force a layout.
    if (element !== scroller.current) look()
    const size = new ResizeObserver(look)
    size.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller, enabled, step])
  return view
}
