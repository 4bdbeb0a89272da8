import { useEffect, useRef, useState, type FocusEvent, type RefObject } from 'react'

/**
 * The focus stays in a dialog whose content changes: where what had it is gone, and where the first field comes later than the
 * dialog, it is in that field; where what had it cannot be used for a while, it waits in the dialog and goes back. Answers what
 * remembers who has it.
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
    // Choices count themselves once they are there: one that has the focus before that is lost to Tab and the arrows.
    const focus = (place: () => HTMLElement | null) =>
      queueMicrotask(() => {
        // Rendered twice at once, it is asked twice: a field that has the focus by then keeps it.
        const isThere = ![null, document.body, popup.current, active].includes(document.activeElement)
        if (!isThere) place()?.focus()
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
    // Not of what is open over it, such as a list: that gives the focus back itself.
    if (!popup.current?.contains(target)) return
    last.current = target
    if (target !== popup.current) off.current = null
  }
}

/**
 * Where the focus goes when a dialog closes: back to what opened it. Where that is gone with what the dialog did, nowhere: what else had
 * it before may be another part of the page, where the next key would mean another thing, and the part that it was in takes it.
 */
export function useReturn(): () => boolean {
  const [opener] = useState(() => document.activeElement)
  const [region] = useState(() => opener?.closest('[data-region]') ?? null)
  return () => region === null || opener?.isConnected === true
}
