import { ChevronRight, CircleAlert, LoaderCircle, Plus } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { formatCount, visibleText } from '@cadmus/model/display'
import { ContextMenu } from './ContextMenu.tsx'
import type { Icon } from './Icon.ts'
import type { MenuEntry } from './MenuEntries.tsx'
import styles from './Tree.module.css'
import { classNames } from './class-names.ts'
import { dragCode, prefetchDrag } from './lazy-drag.ts'
import { coveredAbove, stickyParents, treeMove } from './tree-moves.ts'
import { rowsInView, scrollFor, useRowWindow } from './use-window.ts'

/** Indentation per level in pixels, and the minimum width of a label; deeper trees scroll horizontally. */
const indent = 14
const readable = 180

/** A visible row of a tree, in order; the caller flattens unfolded nodes. */
export type TreeRow = {
  id: string
  /** Starts at 1. */
  level: number
  label: string
  /** 'more': loads the next page; 'loading'; 'error': clicking tries again; 'note': text only. */
  kind: 'node' | 'more' | 'loading' | 'error' | 'note'
  icon?: Icon
  /** State of the check box that the icon draws; its keys are those of `onKey`. */
  checked?: boolean | 'mixed'
  /** null: has no children. */
  expanded: boolean | null
  posInSet: number
  setSize: number
  count?: number
  /** Muted text after the label: the location in search results. */
  detail?: string
  /** Tooltip: full name and location. */
  title?: string
  /** Marks unsaved changes. */
  dirty?: boolean
  /** Number of problems, which the title has in words. */
  problems?: { severity: 'error' | 'warning'; count: number }
  draggable?: boolean
  target?: boolean
}

type TreeProps = {
  label: string
  rows: readonly TreeRow[]
  selected: string | null
  rowHeight?: number
  onToggle: (id: string) => void
  /** Called for a single click or a move of the focus; `keep` for a double click or Enter. */
  onOpen: (id: string, keep: boolean) => void
  onMore: (id: string) => void
  entriesFor: (id: string) => readonly MenuEntry[]
  /** Content after the label, such as a value or an editor. */
  after?: (id: string) => ReactNode
  /** Buttons at the end of a row, which are no tab stops: its menu has them too. */
  actions?: (id: string) => ReactNode
  /** Handles keys that the tree does not use; returns whether it handled the key. */
  onKey?: (id: string, event: KeyboardEvent) => boolean
  /** Whether a row may be dropped on another; a text is the reason why not. An empty source: a text or a file. */
  canDrop?: (source: string, target: string) => true | string
  onDrop?: (source: string, target: string) => void
}

/** A tree of any size: renders visible rows only; one tab stop, arrow keys, context menu, drag and drop. */
export function Tree(props: TreeProps) {
  const { rows, selected, rowHeight = 28 } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const [focusRequest, setFocusRequest] = useState<{ id: string } | null>(null)
  const focusId = [focused, selected].find(id => id !== null && rows.some(row => row.id === id)) ?? rows[0]?.id ?? null
  const focusAt = rows.findIndex(row => row.id === focusId)

  // The focused row stays rendered, so that the focus is not lost.
  const view = useRowWindow(scroller)
  const shown = rowsInView(view, rows.length, rowHeight, focusAt)

  function focusRow(index: number) {
    const row = rows[index]
    if (!row) return
    setFocused(row.id)
    setFocusRequest({ id: row.id })
    show(index)
  }

  // Focuses the row as soon as it is rendered, so that the next key already applies to it.
  useLayoutEffect(() => {
    if (focusRequest)
      scroller.current
        ?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(focusRequest.id)}"]`)
        ?.focus({ preventScroll: true })
  }, [focusRequest])

  /** Scrolls until the row's name is visible beside the sticky parents. */
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

  // If the focused row was removed, the row now at its index receives the focus.
  const focusedAt = useRef(-1)
  const keepPlace = useEffectEvent(() => {
    const at = rows.findIndex(row => row.id === focused)
    const isLost = at < 0 && focusedAt.current >= 0 && document.activeElement === document.body
    if (isLost && rows.length > 0) focusRow(Math.min(focusedAt.current, rows.length - 1))
    else focusedAt.current = at
  })
  useEffect(() => keepPlace(), [rows, focused])

  // After loading, rows above may still arrive; the scroll position follows only until the user interacts.
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
    // Space is for the check box.
    const move = event.key === ' ' && row.checked !== undefined ? null : treeMove(rows, index, event.key)
    if (!move) {
      if (row.kind === 'node' && props.onKey?.(row.id, event)) event.preventDefault()
      return
    }
    event.preventDefault()
    if (move.kind === 'focus') focusRow(move.index)
    else if (move.kind === 'toggle') props.onToggle(row.id)
    else press(row, true)
  }

  const deepest = rows.reduce((max, row) => Math.max(max, row.level), 1)
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
              actions={props.actions?.(row.id)}
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
            />
          )
        })}
      </div>
    </div>
  )
  return <ContextMenu render={list} entriesFor={props.entriesFor} />
}

/** Whether the user has clicked, scrolled or pressed a key in the element. */
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

type TreeItemProps = {
  row: TreeRow
  after: ReactNode
  actions: ReactNode
  /** Pixels from the top of the tree. */
  top: number
  height: number
  selected: boolean
  focusable: boolean
  onToggle: () => void
  onPress: (keep: boolean) => void
  onKey: (event: KeyboardEvent) => void
  onFocus: () => void
  canDrop: (source: string) => true | string
  onDrop: (source: string) => void
}

const symbols = { more: Plus, loading: LoaderCircle, error: CircleAlert }

function TreeItem(props: TreeItemProps) {
  const { row, selected } = props
  const element = useRef<HTMLDivElement>(null)
  const over = useTreeDrag(element, props)
  const Symbol = row.kind === 'node' || row.kind === 'note' ? row.icon : symbols[row.kind]
  return (
    <div
      ref={element}
      role="treeitem"
      data-row-id={row.id}
      data-kind={row.kind}
      data-over={over === null ? undefined : over === true ? 'yes' : 'no'}
      title={typeof over === 'string' ? over : row.title}
      aria-level={row.level}
      aria-posinset={row.posInSet}
      aria-setsize={row.setSize}
      aria-expanded={row.expanded ?? undefined}
      aria-selected={selected}
      aria-checked={row.checked}
      tabIndex={props.focusable ? 0 : -1}
      className={styles['row']}
      style={{
        height: props.height,
        translate: `0 ${props.top}px`,
        paddingInlineStart: `calc(8px + ${row.level - 1} * var(--indent))`,
      }}
      onClick={() => props.onPress(false)}
      onDoubleClick={() => props.onPress(true)}
      // A field inside the row handles its own keys.
      onKeyDown={event => event.target === event.currentTarget && props.onKey(event)}
      onFocus={props.onFocus}
    >
      <span
        aria-hidden
        className={classNames(styles['twist'], row.expanded && styles['open'])}
        onClick={event => {
          if (row.expanded === null) return
          event.stopPropagation()
          props.onToggle()
        }}
      >
        {row.expanded !== null && <ChevronRight size={14} />}
      </span>
      {Symbol && (
        <Symbol size={15} strokeWidth={1.75} aria-hidden className={classNames(styles['icon'], styles[row.kind])} />
      )}
      <span className={classNames(styles['label'], props.after !== undefined && styles['short'])}>
        {/* The space separates both texts for screen readers. */}
        {visibleText(row.label)}
        {row.detail && ' '}
        {row.detail && <span className={styles['detail']}>{visibleText(row.detail)}</span>}
      </span>
      {props.after}
      {row.kind === 'error' && <span className={styles['retry']}>Retry</span>}
      {row.dirty && (
        <span className={styles['dot']}>
          <span className="visually-hidden">Unsaved changes</span>
        </span>
      )}
      {row.problems && (
        <span aria-hidden className={styles['problems']} data-severity={row.problems.severity}>
          {formatCount(row.problems.count)}
        </span>
      )}
      {row.count !== undefined && <span className={styles['count']}>{formatCount(row.count)}</span>}
      {props.actions}
    </div>
  )
}

/** null: nothing is dragged over it; true: may be dropped; text: the reason why not. */
function useTreeDrag(element: { readonly current: HTMLDivElement | null }, props: TreeItemProps): true | string | null {
  const [over, setOver] = useState<true | string | null>(null)
  const { id, draggable: movable = false, target = false } = props.row
  const judge = useEffectEvent((source: string) => props.canDrop(source))
  const dropped = useEffectEvent((source: string) => props.onDrop(source))

  useEffect(() => {
    const node = element.current
    if (!node || (!movable && !target)) return
    const attached = dragCode.then(({ attachTreeDrag }) =>
      node.isConnected ? attachTreeDrag(node, { id, movable, target, judge, onOver: setOver, onDrop: dropped }) : null,
    )
    return () => void attached.then(detach => detach?.())
  }, [element, id, movable, target])
  return over
}

type StickyParentsProps = { rows: readonly TreeRow[]; parents: readonly number[]; onPress: (index: number) => void }

/** Sticky copies of the ancestors of the first rows in view. Visual only: the rows themselves are in the tree. */
function StickyParents({ rows, parents, onPress }: StickyParentsProps) {
  if (parents.length === 0) return null
  return (
    <div aria-hidden className={styles['sticky']}>
      <div className={styles['parents']}>
        {parents.map(index => {
          const row = rows[index]
          if (!row) return null
          const Symbol = row.icon
          return (
            <button
              key={row.id}
              type="button"
              tabIndex={-1}
              className={styles['parent']}
              style={{ paddingInlineStart: `calc(8px + ${row.level - 1} * var(--indent))` }}
              onClick={() => onPress(index)}
            >
              <span className={styles['twist']} />
              {Symbol && <Symbol size={15} strokeWidth={1.75} className={styles['icon']} />}
              <span className={styles['label']}>{visibleText(row.label)}</span>
            </button>
          )
        })}
      </div>
    </div>
  )
}
