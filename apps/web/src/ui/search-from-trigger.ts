import type { BaseUIEvent } from '@base-ui/react/types'
import type { KeyboardEvent } from 'react'

type Searched = { open: boolean; search: string; onOpen: (open: boolean) => void; onSearch: (search: string) => void }

/**
 * A letter, digit or sign that is typed on a picker's closed part begins its search, as it does in the open list. The search
 * field gets the focus a moment after it is seen: what is typed until then would go astray.
 */
export function searchFromTrigger(
  event: BaseUIEvent<KeyboardEvent>,
  { open, search, onOpen, onSearch }: Searched,
): void {
  const { key, ctrlKey, metaKey, altKey } = event
  // What takes back a letter takes it from the search as well, and nothing else.
  if (open && key === 'Backspace') {
    event.preventDefault()
    event.preventBaseUIHandler()
    onSearch([...search].slice(0, -1).join(''))
  }
  if (ctrlKey || metaKey || altKey) return
  if (open && key === 'Enter') giveToSearch(event)
  // A blank opens what is closed, as Enter does.
  if ([...key].length !== 1 || (key === ' ' && !open)) return
  event.preventDefault()
  event.preventBaseUIHandler()
  onSearch(search + key)
  if (!open) onOpen(true)
}

/** Enter is meant for the list: here it would close what it opened. */
function giveToSearch(event: BaseUIEvent<KeyboardEvent>): void {
  const popup = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '')
  const field = popup?.querySelector('input')
  if (!field) return
  event.preventDefault()
  event.preventBaseUIHandler()
  field.focus()
  field.dispatchEvent(new window.KeyboardEvent('keydown', { key: event.key, bubbles: true, cancelable: true }))
}
