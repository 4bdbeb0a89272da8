import {
  cloneElement,
  useState,
  type HTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
} from 'react'
import { Boundary } from './Boundary.tsx'
import { LazyMenuPopup, notifyUnopened } from './lazy-menu.ts'
import type { MenuEntry } from './MenuEntries.tsx'

export type ContextMenuProps = {
  /** The element that contains the rows. Each row carries data-row-id. */
  render: ReactElement<HTMLAttributes<HTMLElement>>
  /** The entries of a row, at an element of it; no menu opens for an empty list. */
  entriesFor: (rowId: string, target: Element) => readonly MenuEntry[]
}

type Opened = { key: number; entries: readonly MenuEntry[]; row: HTMLElement; place: DOMRect; byKey: boolean }

/** One context menu for all rows of a tree, table or tab strip: right click, Shift+F10 or the menu key. */
export function ContextMenu({ render, entriesFor }: ContextMenuProps) {
  const [opened, setOpened] = useState<Opened | null>(null)

  function open(row: HTMLElement, target: Element, [left, top]: readonly [number, number], byKey: boolean) {
    const entries = entriesFor(row.dataset['rowId'] ?? '', target)
    const key = (opened?.key ?? 0) + 1
    setOpened(entries.length > 0 ? { key, entries, row, place: new DOMRect(left, top, 0, 0), byKey } : null)
  }

  const element = cloneElement(render, {
    onContextMenu: (event: MouseEvent) => {
      const row = rowAt(event.target)
      // Text fields keep the browser's menu.
      if (event.target instanceof Element && event.target.closest('input, textarea')) return
      event.preventDefault()
      if (row && event.target instanceof Element) open(row, event.target, [event.clientX, event.clientY], false)
    },
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key !== 'ContextMenu' && !(event.shiftKey && event.key === 'F10')) return
      const row = rowAt(event.target)
      if (!row || !(event.target instanceof Element)) return
      event.preventDefault()
      event.stopPropagation()
      const box = row.getBoundingClientRect()
      open(row, event.target, [box.left + Math.min(48, box.width / 2), box.bottom - 4], true)
    },
  })
  return (
    <>
      {element}
      {opened && (
        <Boundary key={opened.key} onFailure={() => notifyUnopened(() => setOpened(null))}>
          <LazyMenuPopup
            entries={opened.entries}
            anchor={{ getBoundingClientRect: () => opened.place }}
            align="start"
            returnTo={opened.row}
            byKey={opened.byKey}
            onClose={() => setOpened(current => (current?.key === opened.key ? null : current))}
          />
        </Boundary>
      )}
    </>
  )
}

function rowAt(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-row-id]') : null
}
