import { useRef } from 'react'
import { pressed, ranged, toggled } from './table-state.ts'

type Keys = { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }
type RowChoiceOptions = {
  /** The rows of the shown page, in order. */
  ids: readonly string[]
  selected: ReadonlySet<string> | undefined
  onSelect: ((selected: ReadonlySet<string>) => void) | undefined
  pressAdds: boolean
  followsFocus: boolean
}

/** Which rows are chosen, by pointer and keys. */
export function useRowChoice({ ids, selected = new Set(), onSelect, pressAdds, followsFocus }: RowChoiceOptions) {
  // The row that was chosen because the focus came to it: the next one takes its place.
  const followed = useRef<string | null>(null)
  // Where a range starts: the row that was chosen last without Shift.
  const anchor = useRef<string | null>(null)

  function choose(next: ReadonlySet<string>, id: string) {
    followed.current = next.size === 1 && next.has(id) ? id : null
    anchor.current = id
    onSelect?.(next)
  }

  function press(id: string, keys: Keys) {
    const toggle = pressAdds || keys.ctrlKey || keys.metaKey
    const next = pressed(ids, selected, anchor.current, id, { toggle, range: keys.shiftKey })
    if (keys.shiftKey) onSelect?.(next)
    else choose(next, id)
  }

  function toggle(id: string) {
    const isFollowed = followed.current === id && selected.size === 1 && selected.has(id)
    followed.current = null
    anchor.current = id
    // Chosen by the way already: Space says that it is meant, so that the next row does not take its place.
    if (!isFollowed) onSelect?.(toggled(selected, id))
  }

  /** The focus went from one row to another by an arrow key. */
  function follow(from: string, to: string, keys: Keys) {
    if (!followsFocus || !onSelect || keys.ctrlKey || keys.metaKey) return
    if (keys.shiftKey) onSelect(ranged(ids, anchor.current ?? from, to))
    else if (selected.size === 0 || (selected.size === 1 && selected.has(followed.current ?? '')))
      choose(new Set([to]), to)
  }

  return { choose: (id: string) => choose(new Set([id]), id), press, toggle, follow }
}
