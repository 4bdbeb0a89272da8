import { formatCount, visibleText } from '@cadmus/model/display'
import { ChevronRight, CircleAlert, LoaderCircle, Plus } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { TreeRow } from './Tree.tsx'
import { classNames } from './class-names.ts'
import { dragCode } from './lazy-drag.ts'
import styles from './Tree.module.css'

type TreeItemProps = {
  row: TreeRow
  after: ReactNode
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
  onForeignDrop: () => void
}

const symbols = { more: Plus, loading: LoaderCircle, error: CircleAlert }

export function TreeItem(props: TreeItemProps) {
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
      {row.count !== undefined && <span className={styles['count']}>{formatCount(row.count)}</span>}
    </div>
  )
}

/** null: nothing is dragged over it; true: may be dropped; text: the reason why not. */
function useTreeDrag(element: { readonly current: HTMLDivElement | null }, props: TreeItemProps): true | string | null {
  const [over, setOver] = useState<true | string | null>(null)
  const { id, draggable: movable = false, target = false } = props.row
  const judge = useEffectEvent((source: string) => props.canDrop(source))
  const dropped = useEffectEvent((source: string) => props.onDrop(source))
  const foreign = useEffectEvent(() => props.onForeignDrop())

  useEffect(() => {
    const node = element.current
    if (!node || (!movable && !target)) return
    const attached = dragCode.then(({ attachTreeDrag }) =>
      node.isConnected
        ? attachTreeDrag(node, { id, movable, target, judge, onOver: setOver, onDrop: dropped, onForeign: foreign })
        : null,
    )
    return () => void attached.then(detach => detach?.())
  }, [element, id, movable, target])
  return over
}
