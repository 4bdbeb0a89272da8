import { useLayoutEffect, useState, type RefObject } from 'react'

/** Rows above and below the visible ones that are there all the same, so that quick scrolling shows no gap. */
const overscan = 12

export type RowWindow = { top: number; height: number }

/** The indexes of the rows to show, in order: those in view with some around them, and always `keep`. */
export function rowsInView(view: RowWindow, count: number, rowHeight: number, keep: number): number[] {
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan)
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / rowHeight) + overscan)
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset)
  if (keep < 0 || keep >= count || (keep >= first && keep <= last)) return indexes
  return keep < first ? [keep, ...indexes] : [...indexes, keep]
}

/** Where to scroll so that a row is wholly in view, below as many pixels as something covers at the top; null when it is. */
export function scrollFor(view: RowWindow, index: number, rowHeight: number, covered = 0): number | null {
  const top = index * rowHeight
  if (top < view.top + covered) return Math.max(0, top - covered)
  return top + rowHeight > view.top + view.height ? top + rowHeight - view.height : null
}

/** What of a scroller, or of the one around it, is in view, kept up to date while `enabled`. Rows of one fixed height need no more than this. `step`: pixels that may be scrolled before it is told. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, enabled = true, step = 1): RowWindow {
  const [view, setView] = useState<RowWindow>({ top: 0, height: 800 })
  useLayoutEffect(() => {
    const element = scroller.current?.closest<HTMLElement>('[data-scroller]') ?? scroller.current
    if (!element || !enabled) return
    const look = () => {
      const now = { top: Math.floor(element.scrollTop / step) * step, height: element.clientHeight }
      setView(known => (known.top === now.top && known.height === now.height ? known : now))
    }
    // A scroller of its own begins at the top, and its height is told as soon as it is known: asking now costs a layout of the page.
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
