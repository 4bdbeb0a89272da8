import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { ContextMenu } from './ContextMenu.tsx'
import type { Icon } from './Icon.ts'
import type { MenuEntry } from './MenuEntries.tsx'
import { prefetchDrag } from './lazy-drag.ts'
import { TreeItem } from './TreeItem.tsx'
import { StickyParents } from './StickyParents.tsx'
import { treeMove } from './tree-keys.ts'
import { coveredAbove, stickyParents } from './tree-sticky.ts'
import { rowsInView, scrollFor, useRowWindow } from './use-window.ts'
import styles from './Tree.module.css'

/** Pixels of a level, and those that a name at least has: a deeper tree is wider and scrolls. */
const indent = 14
const readable = 180

/** A visible row of a tree, in order; the caller flattens what is unfolded. */
export type TreeRow = {
  id: string
  /** From 1. */
  level: number
  label: string
  /** 'more': loads the next page; 'loading': being fetched; 'error': could not be, pressing tries again; 'note': words only. */
  kind: 'node' | 'more' | 'loading' | 'error' | 'note'
  icon?: Icon
  /** null: nothing to unfold. */
  expanded: boolean | null
  posInSet: number
  setSize: number
  /** At the right edge: a count. */
  count?: number
  /** After the label, muted: where it is, in search results. */
  detail?: string
  /** What a tooltip says: the whole name and where it is. */
  title?: string
  /** A dot: unsaved changes. */
  dirty?: boolean
  draggable?: boolean
  /** Whether rows can be dropped on it. */
  target?: boolean
}

export type TreeProps = {
  label: string
  rows: readonly TreeRow[]
  selected: string | null
  /** Pixels of a row. */
  rowHeight?: number
  onToggle: (id: string) => void
  /** A single click or a move of the focus by Enter; `keep` for a double click or Enter. */
  onOpen: (id: string, keep: boolean) => void
  onMore: (id: string) => void
  entriesFor: (id: string) => readonly MenuEntry[]
  /** What stands after the label: a value, or a field that edits it. */
  after?: (id: string) => ReactNode
  /** A key that the tree has no use for; true: it had a meaning for the row. */
  onKey?: (id: string, event: KeyboardEvent) => boolean
  /** What may be dropped where; a sentence is the reason why not. */
  canDrop?: (source: string, target: string) => true | string
  onDrop?: (source: string, target: string) => void
  /** Something from outside the tree (text, a file) was dropped on a target. */
  onForeignDrop?: (target: string) => void
}

/** A tree of any size: only visible rows are in the page; one tab stop, arrow keys, context menu, drag and drop. */
export function Tree(props: TreeProps) {
  const { rows, selected, rowHeight = 28 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [wanted, setWanted] = useState<{ id: string } | null>(null)
  const focusId = [focused, selected].find(id => id !== null && rows.some(row => row.id === id)) ?? rows[0]?.id ?? null
  const focusAt = rows.findIndex(row => row.id === focusId)

  // The row with the focus stays there: without it the keyboard would fall out of the tree.
  const view = useRowWindow(scroller)
  const shown = rowsInView(view, rows.length, rowHeight, focusAt)

  function focusRow(index: number) {
    const row = rows[index]
    if (!row) return
    setFocused(row.id)
    setWanted({ id: row.id })
    show(index)
  }

  // As soon as the row is there: the next key is that row's, however fast it comes.
  useLayoutEffect(() => {
    if (wanted)
      scroller.current
        ?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(wanted.id)}"]`)
        ?.focus({ preventScroll: true })
  }, [wanted])

  /** Scrolls until a row can be read: not under the parents that stay at the top, and from its name on. */
  function show(index: number) {
    const element = scroller.current
    const row = rows[index]
    if (!element || !row) return
    const now = { top: element.scrollTop, height: element.clientHeight }
    const top = scrollFor(now, index, rowHeight, coveredAbove(row) * rowHeight)
    const start = (row.level - 1) * indent
    const cut = start < element.scrollLeft || start + readable > element.scrollLeft + element.clientWidth
    if (top !== null || cut)
      element.scrollTo({ top: top ?? now.top, left: cut ? Math.max(0, start - 2 * indent) : element.scrollLeft })
  }

  // Where the row with the focus was taken away, the one in its place has it.
  const focusedAt = useRef(-1)
  const keepPlace = useEffectEvent(() => {
    const at = rows.findIndex(row => row.id === focused)
    const isLost = at < 0 && focusedAt.current >= 0 && document.activeElement === document.body
    if (isLost && rows.length > 0) focusRow(Math.min(focusedAt.current, rows.length - 1))
    else focusedAt.current = at
  })
  useEffect(() => keepPlace(), [rows, focused])

  // After a load the rows above it are still coming; who has touched the tree decides what is in view.
  const touched = useTouched(scroller)
  const selectedAt = rows.findIndex(row => row.id === selected)
  const showSelected = useEffectEvent(() => show(selectedAt))
  const keepSelected = useEffectEvent(() => !touched.current && show(selectedAt))
  useEffect(() => showSelected(), [selected])
  useEffect(() => void keepSelected(), [selectedAt])

  function press(row: TreeRow, keep: boolean) {
    if (row.kind === 'more' || row.kind === 'error') props.onMore(row.id)
    else if (row.kind === 'node') props.onOpen(row.id, keep)
  }

  function key(event: KeyboardEvent, index: number) {
    const row = rows[index]
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return
    const move = treeMove(rows, index, event.key)
    if (!move) {
      if (row.kind === 'node' && props.onKey?.(row.id, event)) event.preventDefault()
      return
    }
    event.preventDefault()
    if (move.kind === 'focus') focusRow(move.index)
    else if (move.kind === 'toggle') props.onToggle(row.id)
    else press(row, true)
  }

  const deepest = rows.reduce((most, row) => Math.max(most, row.level), 1)
  const list = (
    <div
      ref={scroller}
      className={styles['scroller']}
      tabIndex={-1}
      onPointerEnter={prefetchDrag}
      onDragEnter={prefetchDrag}
    >
      <StickyParents rows={rows} parents={stickyParents(rows, Math.floor(view.top / rowHeight))} onPress={focusRow} />
      <div
        role="tree"
        aria-label={props.label}
        className={styles['tree']}
        style={{ height: rows.length * rowHeight, minWidth: (deepest - 1) * indent + readable }}
      >
        {shown.map(index => {
          const row = rows[index]
          if (!row) return null
          return (
            <TreeItem
              key={row.id}
              row={row}
              after={props.after?.(row.id)}
              top={index * rowHeight}
              height={rowHeight}
              selected={row.id === selected}
              focusable={row.id === focusId}
              onToggle={() => props.onToggle(row.id)}
              onPress={keep => press(row, keep)}
              onKey={event => key(event, index)}
              onFocus={() => setFocused(row.id)}
              canDrop={source => props.canDrop?.(source, row.id) ?? 'Nothing can be dropped here.'}
              onDrop={source => props.onDrop?.(source, row.id)}
              onForeignDrop={() => props.onForeignDrop?.(row.id)}
            />
          )
        })}
      </div>
    </div>
  )
  return <ContextMenu render={list} entriesFor={props.entriesFor} />
}

/** Whether somebody has pressed, turned the wheel or used a key in it. */
function useTouched(element: RefObject<HTMLElement | null>): RefObject<boolean> {
  const touched = useRef(false)
  useEffect(() => {
    const done = new AbortController()
    const touch = () => {
      touched.current = true
      done.abort()
    }
    for (const event of ['pointerdown', 'wheel', 'keydown'])
      element.current?.addEventListener(event, touch, { passive: true, signal: done.signal })
    return () => done.abort()
  }, [element])
  return touched
}
