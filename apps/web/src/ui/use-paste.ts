import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Offers what is pasted while `ref` is shown and nothing is typed elsewhere. `take`: returns whether it takes the paste. */
export function usePaste(
  ref: RefObject<HTMLElement | null>,
  isExpected: boolean,
  take: (data: DataTransfer) => boolean,
): void {
  const offer = useEffectEvent(take)
  useEffect(() => {
    if (!isExpected) return
    const paste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || event.clipboardData === null || belongsElsewhere(event.target)) return
      // Other documents stay rendered behind the one that is shown.
      if (ref.current?.checkVisibility() && offer(event.clipboardData)) event.preventDefault()
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [isExpected, ref])
}

/** Fields take their own text, the editor in its shadow root, too. */
function belongsElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.shadowRoot !== null || target.closest(takers) !== null
}

const takers = 'input, textarea, [role=dialog], [role=alertdialog]'
