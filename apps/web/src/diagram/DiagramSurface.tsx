// The picture is operated as a whole, which the role `application` says; its parts are in the list.
/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */
import type { Point } from '@cadmus/diagram/geometry'
import { visibleText } from '@cadmus/model/display'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { shortcutOf } from '../commands/keys.ts'
import { Boundary } from '../ui/Boundary.tsx'
import { LazyMenuPopup, notifyUnopened } from '../ui/lazy-menu.ts'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { useLatest } from '../ui/use-latest.ts'
import { isCardText } from './canvas/near-texts.ts'
import type { DiagramEngine } from './canvas/engine.ts'
import type { DiagramHands } from './diagram-hands.ts'
import { Gestures, type Press } from './gestures.ts'
import type { DiagramProps } from './hands.ts'
import styles from './Hands.module.css'

type DiagramSurfaceProps = Pick<DiagramProps, 'label'> & {
  engine: DiagramEngine | null
  hands: DiagramHands
  props: () => Pick<DiagramProps, 'picture' | 'actions' | 'locked'>
  entriesFor: (card: number | null) => MenuEntry[]
  /** The canvas, which fills the surface. */
  children: ReactNode
}

type Opened = { key: number; entries: readonly MenuEntry[]; place: DOMRect; byKey: boolean }

/** What pointers and keys do on the picture of a diagram: one tab stop, with the menu and the relationship that is drawn. */
export function DiagramSurface({ label, engine, hands, props, entriesFor, children }: DiagramSurfaceProps) {
  const [surface, setSurface] = useState<HTMLElement | null>(null)
  const described = useId()
  const [opened, setOpened] = useState<Opened | null>(null)
  const latest = useLatest({ props })
  const gestures = useMemo(
    () =>
      engine &&
      new Gestures({
        view: engine,
        props: latest.props,
        relating: () => hands.relating,
        relate: relating => hands.relate(relating),
        related: () => hands.related(),
      }),
    [engine, hands, latest],
  )
  useWheel(surface, gestures)

  function at(event: { clientX: number; clientY: number }): Point {
    const { left, top } = surface?.getBoundingClientRect() ?? new DOMRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  function pressOf(event: PointerEvent): Press {
    return {
      ...at(event),
      button: event.button,
      extend: event.shiftKey,
      toggle: event.ctrlKey || event.metaKey,
      pointer: event.pointerId,
      isText: event.pointerType === 'mouse' && isCardText(event.target),
    }
  }

  function press(event: PointerEvent<HTMLDivElement>) {
    if (!gestures) return
    surface?.focus({ preventScroll: true })
    hands.endNudge()
    gestures.down(pressOf(event))
    // A text that is being chosen needs the browser's own handling.
    if (!gestures.isIdle) event.currentTarget.setPointerCapture(event.pointerId)
  }

  function openMenu(card: number | null, place: DOMRect, byKey: boolean) {
    setOpened({ key: (opened?.key ?? 0) + 1, entries: entriesFor(card), place, byKey })
  }

  function openMenuByKey() {
    const { focused } = props().picture
    const box = focused === null ? undefined : engine?.boxOf(focused)
    const { left, top } = surface?.getBoundingClientRect() ?? new DOMRect()
    const corner = box && engine ? engine.toScreen({ x: box.left, y: box.top }) : { x: 0, y: 0 }
    openMenu(box ? focused : null, new DOMRect(left + corner.x + 24, top + corner.y + 24, 0, 0), true)
  }

  function key(event: KeyboardEvent) {
    const isMenu = event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')
    const isCancelled = event.key === 'Escape' && (gestures?.cancel() ?? false)
    if (isMenu) openMenuByKey()
    else if (!isCancelled && !hands.press(shortcutOf(event), event.repeat)) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={styles['frame']}>
      <div
        ref={setSurface}
        role="application"
        aria-label={handTexts.canvas(label)}
        aria-describedby={described}
        tabIndex={0}
        className={styles['surface']}
        onPointerDown={press}
        onPointerMove={event => {
          gestures?.move({ ...at(event), pointer: event.pointerId })
          event.currentTarget.style.cursor = gestures?.cursor ?? ''
        }}
        onPointerUp={event => gestures?.up(pressOf(event))}
        onPointerCancel={() => gestures?.cancel()}
        onPointerLeave={() => engine?.hover(null)}
        onDoubleClick={event => gestures?.doubleClick({ ...at(event), toggle: event.ctrlKey || event.metaKey })}
        onContextMenu={event => {
          event.preventDefault()
          const hit = engine?.hit(at(event)) ?? { kind: 'ground' }
          const card = 'card' in hit ? hit.card : null
          openMenu(card, new DOMRect(event.clientX, event.clientY, 0, 0), false)
        }}
        onKeyDown={key}
        onKeyUp={event => event.key === 'Alt' && hands.endNudge()}
        onFocus={event => event.target.matches(':focus-visible') && hands.enter()}
        onBlur={() => hands.endNudge()}
      >
        {children}
      </div>
      <span id={described} hidden>
        {handTexts.instructions}
      </span>
      <RelatingNote hands={hands} />
      {opened && opened.entries.length > 0 && (
        <Boundary key={opened.key} onFailure={() => notifyUnopened(() => setOpened(null))}>
          <LazyMenuPopup
            entries={opened.entries}
            anchor={{ getBoundingClientRect: () => opened.place }}
            align="start"
            returnTo={surface}
            byKey={opened.byKey}
            onClose={() => setOpened(current => (current?.key === opened.key ? null : current))}
          />
        </Boundary>
      )}
    </div>
  )
}

/** React listens to the wheel passively, which could not keep Ctrl and the wheel from zooming the page. */
function useWheel(element: HTMLElement | null, gestures: Gestures | null): void {
  useEffect(() => {
    if (!element || !gestures) return
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top } = element.getBoundingClientRect()
      gestures.wheel({
        x: event.clientX - left,
        y: event.clientY - top,
        deltaX: event.deltaX,
        deltaY: event.deltaY,
        inLines: event.deltaMode === WheelEvent.DOM_DELTA_LINE,
        zooms: event.ctrlKey || event.metaKey,
        sideways: event.shiftKey,
      })
    }
    element.addEventListener('wheel', turn, { passive: false })
    return () => element.removeEventListener('wheel', turn)
  }, [element, gestures])
}

/** What the relationship that is being drawn would be, beside the pointer; announced by the live region of the hands. */
function RelatingNote({ hands }: { hands: DiagramHands }) {
  const { relating, preview } = useStore(hands.state)
  if (!relating || preview === '') return null
  const { at } = relating
  const style = at ? { insetInlineStart: at.x + 16, insetBlockStart: at.y + 12 } : undefined
  return (
    <div aria-hidden className={at ? styles['note'] : styles['fixedNote']} style={style}>
      {visibleText(preview)}
    </div>
  )
}

/** Announces what keys did. */
export function HandsAnnouncer({ hands }: { hands: DiagramHands }) {
  const { text, at } = useStore(hands.state, ({ announcement }) => announcement)
  return (
    <output aria-label={handTexts.announcements} className="visually-hidden">
      {/* The same text is announced again. */}
      <span key={at}>{text}</span>
    </output>
  )
}
