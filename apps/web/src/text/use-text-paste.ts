import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isModelText } from './pasted.ts'

/** Takes a pasted model as long as it is expected and nothing is typed elsewhere. */
export function useTextPaste(
  ref: RefObject<HTMLElement | null>,
  isExpected: boolean,
  onText: (text: string) => void,
): void {
  const take = useEffectEvent(onText)
  useEffect(() => {
    if (!isExpected) return
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (event.defaultPrevented || !isModelText(text) || belongsElsewhere(event.target)) return
      // Other documents stay rendered behind the one that is shown.
      if (!ref.current?.checkVisibility()) return
      event.preventDefault()
      take(text)
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
