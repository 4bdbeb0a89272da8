// A focusable separator with a value is a widget, which <hr> is not.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import styles from './Splitter.module.css'

export type SplitterProps = {
  label: string
  /** Size of the adjacent panel in pixels. */
  size: number
  min: number
  max: number
  /** Side of the splitter on which the panel is. */
  panel: 'before' | 'after'
  onResize: (size: number) => void
}

/** Resizes a panel with the pointer, arrow keys (16 px), Home and End. */
export function Splitter({ label, size, min, max, panel, onResize }: SplitterProps) {
  const start = useRef<{ x: number; size: number } | null>(null)
  const direction = panel === 'before' ? 1 : -1
  const clamp = (next: number) => Math.round(Math.min(max, Math.max(min, next)))
  /** Smaller than `size` if the window has no room for it. */
  const shownSize = ({ previousElementSibling: before, nextElementSibling: after }: Element) =>
    Math.min(size, (panel === 'before' ? before : after)?.getBoundingClientRect().width ?? size)

  function grab(event: PointerEvent<HTMLDivElement>) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, size: shownSize(event.currentTarget) }
  }

  function drag(event: PointerEvent<HTMLDivElement>) {
    if (start.current) onResize(clamp(start.current.size + (event.clientX - start.current.x) * direction))
  }

  function press(event: KeyboardEvent<HTMLDivElement>) {
    const shown = shownSize(event.currentTarget)
    const steps: Record<string, number> = {
      ArrowLeft: shown - 16 * direction,
      ArrowRight: shown + 16 * direction,
      Home: min,
      End: max,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    onResize(clamp(next))
  }

  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      className={styles['splitter']}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={() => {
        start.current = null
      }}
      onPointerCancel={() => {
        start.current = null
      }}
      onKeyDown={press}
    />
  )
}
