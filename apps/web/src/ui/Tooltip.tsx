import { visibleText } from '@cadmus/model/display'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Keys } from './Keys.tsx'
import styles from './Tooltip.module.css'

type Tip = { text: string; keys: string | undefined; left: number; top: number; above: boolean }

/** Attributes of an element with a tooltip: `{...tip('Save', 'mod+s')}`. The element still needs an aria-label. */
export function tip(text: string, shortcut?: string) {
  return { 'data-tip': text, ...(shortcut ? { 'data-tip-keys': shortcut } : {}) }
}

/** A word with its explanation as a tooltip; plain without one. */
export function Term({ hint, children }: { hint: string | undefined; children: ReactNode }) {
  if (hint === undefined) return children
  return (
    <span className={styles['term']} aria-description={hint} {...tip(hint)}>
      {children}
    </span>
  )
}

/**
 * The page's single tooltip, for all elements with `data-tip`, and for truncated table cells and elements with
 * `data-truncates`: on hover after half a second, on keyboard focus immediately. One listener is cheaper than a component
 * per button.
 */
export function TooltipHost() {
  const [shown, setShown] = useState<Tip | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    let tabbed = false
    function enter(event: Event) {
      const target = event.target instanceof Element ? event.target : null
      const byKey = event.type === 'focusin' && tabbed
      const term = byKey ? termOf(target) : null
      const element = target?.closest<HTMLElement>('[data-tip]') ?? term ?? truncatedText(target)
      clearTimeout(timer.current)
      if (!element || element.closest('[data-popup-open]')) return setShown(null)
      // A programmatic focus, such as in an opened dialog, shows no tooltip.
      if (event.type === 'focusin' && !byKey) return
      timer.current = setTimeout(() => setShown(tipOf(element)), byKey ? 0 : 500)
    }
    function leave(event: Event) {
      tabbed = event instanceof KeyboardEvent && (event.key === 'Tab' || event.key.startsWith('Arrow'))
      clearTimeout(timer.current)
      setShown(null)
    }
    const events = {
      pointerover: enter,
      focusin: enter,
      pointerdown: leave,
      keydown: leave,
      scroll: leave,
      blur: leave,
    }
    for (const [name, listen] of Object.entries(events)) window.addEventListener(name, listen, true)
    return () => {
      for (const [name, listen] of Object.entries(events)) window.removeEventListener(name, listen, true)
    }
  }, [])

  if (!shown) return null
  return createPortal(
    <div
      key={`${shown.left} ${shown.top}`}
      ref={keepInside}
      aria-hidden
      className={styles['popup']}
      data-above={shown.above || undefined}
      style={{ left: shown.left, top: shown.top }}
    >
      {shown.text}
      {shown.keys && <Keys shortcut={shown.keys} />}
    </div>,
    document.body,
  )
}

/** The explained word of a focused head, or of the row that a focused field is in. */
function termOf(target: Element | null): HTMLElement | null {
  const head = target?.matches('th') ? target : target?.closest('tr')?.querySelector('th[scope=row]')
  return head?.querySelector<HTMLElement>(':scope > [data-tip]') ?? null
}

/** The table cell, or marked text, at the pointer, if it does not show its whole text and has no title for it. */
function truncatedText(target: Element | null): HTMLElement | null {
  const cell = target?.closest<HTMLElement>('td, [data-truncates]')
  if (!cell || target?.closest('[title]')) return null
  const isTruncated = [cell, ...cell.querySelectorAll('*')].some(
    // Visually hidden texts are one pixel wide.
    ({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1,
  )
  return isTruncated ? cell : null
}

const longestText = 500

/** Moves the tooltip, which is centred at its element, off the edges of the window. */
function keepInside(popup: HTMLElement | null): void {
  if (!popup) return
  const half = popup.offsetWidth / 2 + 4
  const left = Number.parseFloat(popup.style.left)
  popup.style.left = `${Math.max(half, Math.min(window.innerWidth - half, left))}px`
}

/** Position below the element, or above near the lower edge. */
function tipOf(element: HTMLElement): Tip | null {
  if (!element.isConnected) return null
  const box = element.getBoundingClientRect()
  const { tip: ownText, tipKeys } = element.dataset
  // A cell's text may have several lines.
  const above = box.bottom > window.innerHeight - (ownText === undefined ? 240 : 60)
  return {
    text: visibleText((ownText ?? element.textContent).slice(0, longestText), { lines: true }),
    keys: tipKeys,
    left: box.left + box.width / 2,
    top: above ? box.top - 6 : box.bottom + 6,
    above,
  }
}
