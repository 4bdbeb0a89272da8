import { useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react'

/**
 * Keeps the focus in a dialog while its content changes: if the focused element disappears, or the first field is
 * rendered later, focuses the first field; if the focused element is disabled temporarily, waits and restores the
 * focus. Returns a handler that records the focused element.
 */
export function useDialogFocus(
  popup: RefObject<HTMLElement | null>,
  firstField: () => HTMLElement | null,
): (event: FocusEvent<HTMLElement>) => void {
  const last = useRef<HTMLElement | null>(null)
  const off = useRef<HTMLElement | null>(null)
  const wasFilled = useRef(false)
  useEffect(() => {
    const field = firstField()
    const isFilled = field !== null && field !== popup.current
    const active = document.activeElement
    const isOff = last.current?.matches(':disabled') === true
    const isAway = active === null || active === document.body || (isOff && active === last.current)
    const isLost = isAway && (isOff || last.current?.isConnected === false)
    // Radio buttons register after mounting; focused earlier, they are skipped by Tab and arrow keys.
    const focus = (place: () => HTMLElement | null) =>
      queueMicrotask(() => {
        // After two renders in a row, a field that already has the focus keeps it.
        const isFocused = ![null, document.body, popup.current, active].includes(document.activeElement)
        if (!isFocused) place()?.focus()
      })
    if (isLost && isOff) {
      off.current = last.current
      focus(() => popup.current)
    } else if (isLost || (active === popup.current && isFilled && !wasFilled.current)) focus(firstField)
    else if (active === popup.current && off.current?.isConnected === false) focus(firstField)
    else if (active === popup.current && off.current?.matches(':disabled') === false) focus(() => off.current)
    wasFilled.current = isFilled
  })
  return ({ target }) => {
    // Overlays such as lists return the focus themselves.
    if (!popup.current?.contains(target)) return
    last.current = target
    if (target !== popup.current) off.current = null
  }
}

/**
 * Returns the focus to the opener when a dialog closes. If the opener was removed, the focus is not moved to an earlier
 * element, which may interpret the next key differently; the part of the page that contained the opener handles it.
 */
export function useReturn(): () => boolean {
  const [opener] = useState(() => document.activeElement)
  const [region] = useState(() => opener?.closest('[data-region]') ?? null)
  return () => region === null || opener?.isConnected === true
}

/** Marks the page while a dialog is open. For styles: the browser evaluates `:has()` at every change of the page. */
export function useDialogMark(open = true): void {
  useLayoutEffect(() => {
    if (!open) return
    const { dataset } = document.documentElement
    const count = (change: number) => Number(dataset['dialogs'] ?? 0) + change
    dataset['dialogs'] = String(count(1))
    return () => {
      if (count(-1) > 0) dataset['dialogs'] = String(count(-1))
      else delete dataset['dialogs']
    }
  }, [open])
}
