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
 * The page's single tooltip, for all elements with `data-tip`: on hover after half a second, on keyboard focus
 * immediately. One listener is cheaper than a component per button.
 */
export function TooltipHost() {
  const [shown, setShown] = useState<Tip | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    let tabbed = false
    function enter(event: Event) {
      const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null
      clearTimeout(timer.current)
      if (!element || element.closest('[data-popup-open]')) return setShown(null)
      const byKey = event.type === 'focusin' && tabbed
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

/** Position below the element, or above near the lower edge; kept inside the window. */
function tipOf(element: HTMLElement): Tip | null {
  if (!element.isConnected) return null
  const box = element.getBoundingClientRect()
  const above = box.bottom > window.innerHeight - 60
  const half = 90
  return {
    text: visibleText(element.dataset['tip'] ?? '', { lines: true }),
    keys: element.dataset['tipKeys'],
    left: Math.min(window.innerWidth - half, Math.max(half, box.left + box.width / 2)),
    top: above ? box.top - 6 : box.bottom + 6,
    above,
  }
}
