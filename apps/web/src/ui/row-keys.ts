import type { KeyboardEvent } from 'react'
import { isRowKey, rowAfter } from './table-state.ts'
import type { RowChoice } from './use-row-choice.ts'

type RowKeyPress = {
  /** The ids of the rows of the current page, in order. */
  ids: readonly string[]
  id: string
  choice: RowChoice
  chooses: boolean
  renames: boolean
  move: (step: -1 | 1) => void
  focus: (id: string) => void
  open: (() => void) | undefined
  remove: (() => void) | undefined
  clear: (() => void) | undefined
}

export function pressRowKey(event: KeyboardEvent, table: RowKeyPress): void {
  const { ids, id, choice } = table
  const { key } = event
  if (event.altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
    event.preventDefault()
    table.move(key === 'ArrowUp' ? -1 : 1)
  } else if (isRowKey(key) && !event.altKey) {
    event.preventDefault()
    const next = rowAfter(ids, id, key)
    table.focus(next)
    choice.follow(id, next, event)
  } else if (key === ' ' && table.chooses) {
    event.preventDefault()
    choice.pin(id)
  } else if (key === 'Enter') {
    if (table.open) table.open()
    else choice.choose(id)
  } else if (key === 'F2' && table.renames) {
    // F2 renames the object in the properties panel, so the row is selected first; the global command does the rest.
    choice.choose(id)
  } else if (key === 'F2' && table.open) {
    // F2 must not rename another document than the row's.
    event.preventDefault()
  } else if (key === 'Delete') table.remove?.()
  else if (key === 'Escape') table.clear?.()
}
