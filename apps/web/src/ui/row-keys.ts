import type { KeyboardEvent } from 'react'
import { isRowKey, rowAfter } from './table-state.ts'
import type { RowChoice } from './use-row-choice.ts'

/** A row that a key was pressed on, and what its table does about it. */
type RowKeyPress = {
  /** The rows of the shown page, in order, and the row. */
  ids: readonly string[]
  id: string
  choice: RowChoice
  /** Whether rows can be chosen, and whether the one with the focus is. */
  chooses: boolean
  choosesFocused: boolean
  move: (step: -1 | 1) => void
  focus: (id: string) => void
  open: (() => void) | undefined
  remove: (() => void) | undefined
  clear: (() => void) | undefined
}

/** The keys of a table's rows. */
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
    choice.mean(id)
  } else if (key === 'Enter') {
    if (table.open) table.open()
    else choice.choose(id)
  } else if (key === 'F2' && table.choosesFocused) {
    // What F2 renames is what Properties shows: this row. The page's own command does the rest.
    choice.choose(id)
  } else if (key === 'F2' && table.open) {
    // The row is of another document than the one that F2 would rename.
    event.preventDefault()
  } else if (key === 'Delete') table.remove?.()
  else if (key === 'Escape') table.clear?.()
}
