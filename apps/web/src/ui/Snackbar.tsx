// The list only detects that it is being read; it has no action.
/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions */
import { visibleText } from '@cadmus/model/display'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { dismiss, noticeStore, type Notice } from './notices.ts'
import { useUiSettings } from './settings.ts'
import styles from './Snackbar.module.css'

export { notify } from './notices.ts'

const icons = { success: CircleCheck, warning: TriangleAlert, error: CircleAlert, info: Info }
const shownFor = { success: 6000, info: 6000, warning: 12_000, error: 12_000 }
/** A notice displaced by newer ones after this time counts as read and does not return. */
const readAfter = 2000

/** The newest notices, at most three at a time; they remain while hovered or focused. F6 moves to them. */
export function SnackbarHost() {
  const { snackbars } = useUiSettings()
  const notices = useStore(noticeStore, state => state.notices)
  const [held, setHeld] = useState(false)
  const list = useRef<HTMLElement>(null)

  useEffect(() => {
    // An element removed while hovered or focused sends no leave event.
    const { current } = list
    if (current && !current.matches(':hover, :focus, :focus-within')) setHeld(false)
  }, [notices])

  useStripHeight(list)

  useEffect(() => {
    function toMessages(event: KeyboardEvent) {
      if (event.key !== 'F6' || event.ctrlKey || noticeStore.getState().notices.length === 0) return
      event.preventDefault()
      list.current?.focus()
    }
    window.addEventListener('keydown', toMessages)
    return () => window.removeEventListener('keydown', toMessages)
  }, [])

  return createPortal(
    <section
      ref={list}
      aria-label="Messages"
      tabIndex={-1}
      className={styles['viewport']}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {/* Always mounted, so that screen readers announce its changes. */}
      <div aria-live="polite" className={styles['list']}>
        {notices.slice(-snackbars).map(notice => (
          <Snackbar key={notice.id} notice={notice} held={held} />
        ))}
      </div>
    </section>,
    document.body,
  )
}

/**
 * Reserves a strip at the lower edge of the page for the notices, also below dialogs, and keeps the focused element
 * visible.
 */
function useStripHeight(list: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const strip = list.current
    if (!strip) return
    const root = document.documentElement
    let height = 0
    const observer = new ResizeObserver(() => {
      const before = window.innerHeight - height
      height = strip.offsetHeight
      const { activeElement } = document
      const wasVisible = activeElement !== null && isAbove(activeElement, before)
      root.style.setProperty('--messages', `${height}px`)
      if (wasVisible && !isAbove(activeElement, window.innerHeight - height))
        activeElement.scrollIntoView({ block: 'nearest' })
    })
    observer.observe(strip)
    return () => {
      observer.disconnect()
      root.style.removeProperty('--messages')
    }
  }, [list])
}

function isAbove(element: Element, edge: number): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return element !== document.body && top >= 0 && bottom <= edge
}

function Snackbar({ notice, held }: { notice: Notice; held: boolean }) {
  const Symbol = icons[notice.kind]
  useEffect(() => {
    if (notice.stays || notice.action) return
    const since = performance.now()
    return () => {
      if (performance.now() - since >= readAfter) dismiss(notice.id)
    }
  }, [notice])
  useEffect(() => {
    if (held || notice.stays) return
    const timer = setTimeout(() => dismiss(notice.id), shownFor[notice.kind])
    return () => clearTimeout(timer)
  }, [notice, held])
  return (
    <div
      role={notice.kind === 'error' ? 'alert' : undefined}
      className={styles['snackbar']}
      data-kind={notice.kind}
      data-snackbar
    >
      <Symbol size={16} aria-hidden className={styles['icon']} />
      <p className={styles['text']}>{visibleText(notice.text, { lines: true })}</p>
      {notice.action && (
        <button
          type="button"
          className={styles['action']}
          onClick={() => {
            // Persistent notices may be needed again.
            if (notice.stays !== true) dismiss(notice.id)
            notice.action?.run()
          }}
        >
          {notice.action.label}
        </button>
      )}
      <button type="button" aria-label="Dismiss" className={styles['close']} onClick={() => dismiss(notice.id)}>
        <X size={14} aria-hidden />
      </button>
    </div>
  )
}
