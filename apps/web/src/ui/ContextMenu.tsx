import { ContextMenu as Base } from '@base-ui/react/context-menu'
import { useRef, useState, type KeyboardEvent, type MouseEvent, type ReactElement } from 'react'
import { MenuEntries, type MenuEntry } from './MenuEntries.tsx'
import styles from './Menu.module.css'

export type ContextMenuProps = {
  /** The element whose rows have menus; takes a ref. Each row carries data-row-id. */
  render: ReactElement
  /** The entries for a row; none: no menu opens. */
  entriesFor: (rowId: string) => readonly MenuEntry[]
}

/** One context menu for all rows of a tree, table or tab strip: right click, Shift+F10 or the menu key at the row. */
export function ContextMenu({ render, entriesFor }: ContextMenuProps) {
  const [entries, setEntries] = useState<readonly MenuEntry[]>([])
  const row = useRef<HTMLElement | null>(null)

  function prepare(event: MouseEvent) {
    const found = rowAt(event.target)
    const next = found ? entriesFor(found.dataset['rowId'] ?? '') : []
    if (next.length === 0) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    row.current = found
    setEntries(next)
  }

  return (
    <Base.Root>
      <Base.Trigger render={render} onContextMenuCapture={prepare} onKeyDownCapture={openAtRow} />
      <Base.Portal>
        <Base.Positioner className={styles['positioner']}>
          <Base.Popup className={styles['popup']} finalFocus={() => row.current}>
            <MenuEntries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function rowAt(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-row-id]') : null
}

/** The keys that ask for a context menu, at the row instead of wherever the pointer rests. */
function openAtRow(event: KeyboardEvent) {
  if (event.key !== 'ContextMenu' && !(event.shiftKey && event.key === 'F10')) return
  const row = rowAt(event.target)
  if (!row) return
  event.preventDefault()
  const box = row.getBoundingClientRect()
  const at = { clientX: box.left + Math.min(48, box.width / 2), clientY: box.bottom - 4 }
  row.dispatchEvent(new window.MouseEvent('contextmenu', { bubbles: true, cancelable: true, ...at }))
}
