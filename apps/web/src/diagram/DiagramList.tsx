// Rows are placed by their index, because only those in view are rendered.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { signs } from '@cadmus/diagram/palette'
import { type Difference, differences, type Mark } from '@cadmus/diagram/scene'
import { visibleText } from '@cadmus/model/display'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { ArrowLeft, ArrowRight, ChevronRight, EyeOff, Package2, Table2 } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { shortcutOf } from '../commands/keys.ts'
import { classNames } from '../ui/class-names.ts'
import { ContextMenu } from '../ui/ContextMenu.tsx'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { treeMove } from '../ui/tree-moves.ts'
import { rowsInView, scrollFor, useRowWindow } from '../ui/use-window.ts'
import type { DiagramHands } from './diagram-hands.ts'
import type { DiagramActions, Picture } from './diagram.ts'
import { areaId, cardId, cardsOfRow, firstUnfolded, hiddenIn, type ListRow, listRows, outlineOf } from './list-rows.ts'
import styles from './Hands.module.css'

const rowHeight = 28
const indent = 14

export type DiagramListProps = {
  label: string
  picture: Picture
  actions: DiagramActions
  hands: DiagramHands
  needRows: (cards: readonly number[]) => void
  entriesFor: (card: number | null) => MenuEntry[]
  /** Shows a card in the picture. */
  onReveal: (card: number) => void
}

/** The diagram as a list of areas, entities and relationships, with the same choice and commands: an ARIA tree grid. */
export function DiagramList(props: DiagramListProps) {
  const { label, picture, hands } = props
  const { scene } = picture
  const outline = useMemo(() => outlineOf(scene), [scene])
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => firstUnfolded(outline, picture.focused))
  const rows = useMemo(() => listRows(outline, unfolded), [outline, unfolded])
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(() => (picture.focused === null ? null : cardId(scene, picture.focused)))
  const view = useRowWindow(scroller)
  const at = Math.max(
    0,
    rows.findIndex(row => row.id === focused),
  )
  const shown = rowsInView({ ...view, top: Math.max(0, view.top - rowHeight) }, rows.length, rowHeight, at)
  useRowsOfLinks(props, rows, shown)
  const focusRow = useFocusedRow(scroller, rows, setFocused)
  useFollow({ picture, rows, focused, setFocused, setUnfolded, scroller })

  function toggle(id: string) {
    setUnfolded(before => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }

  function goTo(index: number, extend = false) {
    const row = rows[index]
    if (!row) return
    focusRow(index)
    if (row.kind !== 'card') return
    if (hands.relating) return hands.relate({ ...hands.relating, over: row.card, at: null })
    props.actions.focus(row.card)
    if (extend) props.actions.choose([row.card], 'add')
    props.onReveal(row.card)
  }

  function press(row: ListRow) {
    if (hands.relating) return hands.related()
    if (row.kind === 'area') toggle(row.id)
    else if (row.kind === 'card') props.actions.open(row.card)
    else {
      // A relationship leads to its other entity.
      setUnfolded(before => new Set(before).add(areaId(scene.areas[row.other] ?? 0)))
      setFocused(cardId(scene, row.other))
      hands.goToCard(row.other)
    }
  }

  function key(event: KeyboardEvent, index: number) {
    const row = rows[index]
    if (!row) return
    const shortcut = shortcutOf(event)
    const plain = shortcut.replace('shift+', '')
    const isMove = ['up', 'down', 'left', 'right', 'home', 'end', 'enter'].includes(plain)
    const labelled = rows.map(one => ({
      level: one.level,
      label: '',
      expanded: one.kind === 'link' ? null : one.expanded,
    }))
    const move = isMove ? treeMove(labelled, index, event.key) : null
    if (move?.kind === 'focus') goTo(move.index, event.shiftKey)
    else if (move?.kind === 'toggle') toggle(row.id)
    else if (move?.kind === 'open') press(row)
    else if (!isMove && !pressCommand(row, shortcut, event.repeat)) return
    event.preventDefault()
    event.stopPropagation()
  }

  function pressCommand(row: ListRow, shortcut: string, repeat: boolean): boolean {
    if (row.kind !== 'area') {
      if (picture.focused !== row.card) props.actions.focus(row.card)
      return hands.press(shortcut, repeat)
    }
    // On an area, Space and H act on all of its entities.
    const cards = cardsOfRow(outline, row)
    if (shortcut === ' ') props.actions.choose(cards, 'replace')
    else if (shortcut === 'h') props.actions.setHidden(cards, hiddenIn(cards, picture.hidden) < cards.length)
    else return hands.press(shortcut, repeat, null)
    return true
  }

  function click(event: MouseEvent, row: ListRow, index: number) {
    const isToggled = event.ctrlKey || event.metaKey
    const cards = cardsOfRow(outline, row)
    if (event.shiftKey && row.kind === 'card') {
      const between = rows.slice(Math.min(at, index), Math.max(at, index) + 1)
      props.actions.choose(
        between.flatMap(one => (one.kind === 'card' ? [one.card] : [])),
        'add',
      )
    } else props.actions.choose(cards, isToggled ? 'toggle' : 'replace')
    goTo(index)
    if (row.kind === 'link') hands.goToCard(row.card)
  }

  const list = (
    <div ref={scroller} className={styles['scroller']} tabIndex={-1}>
      <div role="treegrid" aria-label={handTexts.list(label)} aria-multiselectable>
        <div role="row" className={styles['head']}>
          <span role="columnheader">{handTexts.columns.name}</span>
          <span role="columnheader">{handTexts.columns.detail}</span>
        </div>
        <div role="rowgroup" className={styles['rows']} style={{ height: rows.length * rowHeight }}>
          {shown.map(index => {
            const row = rows[index]
            if (!row) return null
            return (
              <Row
                key={row.id}
                row={row}
                picture={picture}
                cards={cardsOfRow(outline, row)}
                top={index * rowHeight}
                isFocusable={index === at}
                onToggle={() => toggle(row.id)}
                onClick={event => click(event, row, index)}
                onDoubleClick={() => press(row)}
                onKey={event => key(event, index)}
                onKeyUp={event => event.key === 'Alt' && hands.endNudge()}
                onFocus={() => setFocused(row.id)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
  return (
    <ContextMenu
      render={list}
      entriesFor={id => {
        const row = rows.find(one => one.id === id)
        if (!row || row.kind === 'area') return []
        if (!picture.chosen.has(row.card)) props.actions.choose([row.card], 'replace')
        props.actions.focus(row.card)
        return props.entriesFor(row.card)
      }}
    />
  )
}

type RowProps = {
  row: ListRow
  picture: Picture
  cards: readonly number[]
  top: number
  isFocusable: boolean
  onToggle: () => void
  onClick: (event: MouseEvent) => void
  onDoubleClick: () => void
  onKey: (event: KeyboardEvent) => void
  onKeyUp: (event: KeyboardEvent) => void
  onFocus: () => void
}

function Row({
  row,
  picture,
  cards,
  top,
  isFocusable,
  onToggle,
  onClick,
  onDoubleClick,
  onKey,
  onKeyUp,
  onFocus,
}: RowProps) {
  const { name, detail, mark } = textsOf(row, picture, cards)
  const isHidden = row.kind === 'area' ? false : picture.hidden.has(row.kind === 'link' ? row.other : row.card)
  const expanded = row.kind === 'link' ? null : row.expanded
  const Symbol =
    row.kind === 'area' ? Package2 : row.kind === 'card' ? Table2 : row.isReferredTo ? ArrowRight : ArrowLeft
  return (
    <div
      role="row"
      data-row-id={row.id}
      data-hidden={isHidden || undefined}
      aria-level={row.level}
      aria-posinset={row.posInSet}
      aria-setsize={row.setSize}
      aria-expanded={expanded ?? undefined}
      aria-selected={row.kind === 'card' ? picture.chosen.has(row.card) : undefined}
      tabIndex={isFocusable ? 0 : -1}
      className={styles['row']}
      style={{ translate: `0 ${top}px` }}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onKeyDown={onKey}
      onKeyUp={onKeyUp}
      onFocus={onFocus}
    >
      <span role="gridcell" className={styles['cell']} style={{ paddingInlineStart: (row.level - 1) * indent }}>
        <span
          aria-hidden
          className={classNames(styles['twist'], expanded && styles['open'])}
          onClick={event => {
            if (expanded === null) return
            event.stopPropagation()
            onToggle()
          }}
        >
          {expanded !== null && <ChevronRight size={14} />}
        </span>
        <Symbol size={14} aria-hidden />
        {mark && (
          <span aria-hidden className={styles[mark]}>
            {signs[mark]}
          </span>
        )}
        <span className={styles['text']}>{visibleText(name)}</span>
      </span>
      <span role="gridcell" className={classNames(styles['cell'], styles['detail'])}>
        {isHidden && <EyeOff size={14} aria-hidden />}
        <span className={styles['text']}>{detail}</span>
      </span>
    </div>
  )
}

function textsOf(row: ListRow, { scene, hidden, marks, linkMarks, rows }: Picture, cards: readonly number[]) {
  const nameOf = (card: number) => scene.names[card] ?? ''
  if (row.kind === 'area') {
    const shown = cards.length - hiddenIn(cards, hidden)
    return { name: scene.areaNames[row.area] ?? '', detail: handTexts.shownOf(shown, cards.length), mark: undefined }
  }
  const states = (card: number) => (hidden.has(card) ? [handTexts.states.hidden] : [])
  if (row.kind === 'card') {
    const mark = marks.get(row.card)
    const all = [...states(row.card), ...(mark ? [handTexts.marks[mark]] : [])]
    return { name: nameOf(row.card), detail: all.join(', '), mark: differenceOf(mark) }
  }
  const uid = scene.links.uids[row.link]
  const from = scene.links.from[row.link] ?? -1
  const foreignKey = rows(from)?.find(one => one.uid === uid)?.name
  const other = nameOf(row.other)
  const words = row.isReferredTo ? handTexts.refersTo(other) : handTexts.referredToBy(other)
  const mark = linkMarks.get(row.link)
  const all = [words, ...(mark ? [handTexts.marks[mark]] : []), ...states(row.other)]
  return { name: foreignKey ?? other, detail: all.join(', '), mark }
}

function differenceOf(mark: Mark | undefined): Difference | undefined {
  return differences.find(one => one === mark)
}

/** Names of foreign keys are those of rows. */
function useRowsOfLinks(
  { picture, needRows }: DiagramListProps,
  rows: readonly ListRow[],
  shown: readonly number[],
): void {
  const { from } = picture.scene.links
  const missing = shown.flatMap(index => {
    const row = rows[index]
    const card = row?.kind === 'link' ? (from[row.link] ?? -1) : -1
    return card >= 0 && !picture.rows(card) ? [card] : []
  })
  const key = [...new Set(missing)].join(' ')
  const need = useEffectEvent((cards: readonly number[]) => needRows(cards))
  useEffect(() => {
    if (key !== '') need(key.split(' ').map(Number))
  }, [key])
}

function useFocusedRow(
  scroller: React.RefObject<HTMLDivElement | null>,
  rows: readonly ListRow[],
  setFocused: (id: string) => void,
) {
  const [request, setRequest] = useState<{ id: string } | null>(null)
  useLayoutEffect(() => {
    if (request) rowElement(scroller.current, request.id)?.focus({ preventScroll: true })
  }, [request, scroller])
  return (index: number) => {
    const row = rows[index]
    if (!row) return
    setFocused(row.id)
    setRequest({ id: row.id })
    scrollTo(scroller.current, index)
  }
}

function rowElement(scroller: HTMLElement | null, id: string): HTMLElement | null | undefined {
  return scroller?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)
}

/** The head covers a row's height at the top. */
function scrollTo(element: HTMLElement | null, index: number): void {
  if (!element) return
  const view = { top: element.scrollTop, height: element.clientHeight - rowHeight }
  const top = scrollFor(view, index, rowHeight)
  if (top !== null) element.scrollTop = top
}

type Follow = {
  picture: Picture
  rows: readonly ListRow[]
  focused: string | null
  setFocused: (id: string) => void
  setUnfolded: (change: (before: ReadonlySet<string>) => Set<string>) => void
  scroller: React.RefObject<HTMLDivElement | null>
}

/** The current row follows the card that keys act on, as when it changes on the canvas. */
function useFollow({ picture, rows, focused, setFocused, setUnfolded, scroller }: Follow): void {
  const { focused: card, scene } = picture
  const follow = useEffectEvent(() => {
    const current = rows.find(row => row.id === focused)
    if (card === null || (current && current.kind !== 'area' && current.card === card)) return
    setUnfolded(before => new Set(before).add(areaId(scene.areas[card] ?? 0)))
    setFocused(cardId(scene, card))
  })
  useEffect(() => follow(), [card, scene])
  const bring = useEffectEvent(() => {
    const index = rows.findIndex(row => row.id === focused)
    const isOutside = !scroller.current?.contains(document.activeElement)
    if (index >= 0 && isOutside) scrollTo(scroller.current, index)
    // A row that came with its area gets the focus that was in the list.
    else if (
      index >= 0 &&
      focused !== null &&
      !document.activeElement?.matches(`[data-row-id="${CSS.escape(focused)}"]`)
    )
      rowElement(scroller.current, focused)?.focus()
  })
  useEffect(() => bring(), [focused])
}
