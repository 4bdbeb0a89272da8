import { useRef } from 'react'
import { pressed, ranged, toggled, type PressedKeys } from './table-state.ts'

type RowChoiceOptions = {
  /** The rows that a range can have, in order. */
  ids: readonly string[]
  selected: ReadonlySet<string> | undefined
  onSelect: ((selected: ReadonlySet<string>) => void) | undefined
  checklist: boolean
}

export type RowChoice = ReturnType<typeof useRowChoice>

export function useRowChoice({ ids, selected = new Set(), onSelect, checklist }: RowChoiceOptions) {
  // A row selected with Space or its checkbox is not deselected by moving the focus.
  const pinned = useRef<string | null>(null)
  // Start of a range: the row last selected without Shift.
  const anchor = useRef<string | null>(null)

  function choose(next: ReadonlySet<string>, id: string) {
    pinned.current = null
    anchor.current = id
    onSelect?.(next)
  }

  function press(id: string, keys: PressedKeys) {
    if (checklist) return toggle(id)
    const next = pressed(ids, selected, anchor.current, id, keys)
    if (keys.shiftKey) onSelect?.(next)
    else choose(next, id)
  }

  function toggle(id: string) {
    pinned.current = id
    anchor.current = id
    onSelect?.(toggled(selected, id))
  }

  /** Space on a row that was selected by focus keeps it selected. */
  function pin(id: string) {
    const isChosen = !checklist && selected.size === 1 && selected.has(id)
    if (isChosen && pinned.current !== id) pinned.current = id
    else toggle(id)
  }

  /** Called when an arrow key moves the focus from one row to another. */
  function follow(from: string, to: string, keys: PressedKeys) {
    if (checklist || !onSelect || keys.ctrlKey || keys.metaKey) return
    if (keys.shiftKey) onSelect(ranged(ids, anchor.current ?? from, to))
    else if (selected.size === 0 || (selected.size === 1 && selected.has(from) && pinned.current !== from))
      choose(new Set([to]), to)
  }

  return { choose: (id: string, ids = [id]) => choose(new Set(ids), id), press, toggle, pin, follow }
}
