import type { BaseUIEvent } from '@base-ui/react/types'
import type { KeyboardEvent } from 'react'

type Searched = { open: boolean; search: string; onOpen: (open: boolean) => void; onSearch: (search: string) => void }

/**
 * Printable keys on a closed picker start its search, as in the open list. They are buffered because the search field
 * gets the focus only after it is rendered.
 */
export function searchFromTrigger(
  event: BaseUIEvent<KeyboardEvent>,
  { open, search, onOpen, onSearch }: Searched,
): void {
  const { key, ctrlKey, metaKey, altKey } = event
  // Backspace edits the search text only.
  if (open && key === 'Backspace') {
    event.preventDefault()
    event.preventBaseUIHandler()
    onSearch([...search].slice(0, -1).join(''))
  }
  // The search field has no focus yet: the list closes, and a surrounding dialog stays open.
  if (open && key === 'Escape') {
    event.preventDefault()
    event.preventBaseUIHandler()
    event.stopPropagation()
    onOpen(false)
  }
  if (ctrlKey || metaKey || altKey) return
  if (open && key === 'Enter') typeIntoSearch(event)
  // Space opens a closed picker, like Enter.
  if ([...key].length !== 1 || (key === ' ' && !open)) return
  event.preventDefault()
  event.preventBaseUIHandler()
  onSearch(search + key)
  if (!open) onOpen(true)
}

/** Enter belongs to the list; here it would close the picker again. */
function typeIntoSearch(event: BaseUIEvent<KeyboardEvent>): void {
  const popup = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
  const field = popup?.querySelector('input')
  if (!field) return
  event.preventDefault()
  event.preventBaseUIHandler()
  field.focus()
  field.dispatchEvent(new window.KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }))
}
