import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { nextTabStop, containerOf, tabStopsIn } from './visibility.ts'
import { placePopover, ringOf, type Anchor } from './tour-flow.ts'
import type { Tour, TourStep } from './tour.ts'
import type { StepVisibility } from './use-step-visibility.ts'
import styles from './Tours.module.css'

export type TourPopoverProps = {
  tour: Tour
  at: number
  step: TourStep
  visibility: Exclude<StepVisibility, { is: 'away' }>
  /** Null if there is no previous step on this page. */
  onBack: (() => void) | null
  onNext: () => void
  /** True on the first call only. */
  begin: () => boolean
  onLeave: () => void
  onReturn: () => void
}

export function TourPopover({
  tour,
  at,
  step,
  visibility,
  begin,
  onBack,
  onNext,
  onLeave,
  onReturn,
}: TourPopoverProps) {
  const popover = useRef<HTMLElement>(null)
  const heading = useId()
  const isLost = visibility.is === 'lost'
  const target = isLost ? null : visibility.target
  const anchor = isLost ? null : visibility.anchor
  const container = containerOf(target)
  const { title, text } = isLost ? lostTexts(tour, step) : step
  const isLast = at === tour.steps.length - 1
  usePlace(popover, anchor)
  /** The focused button may be removed with the step; the popover is not removed. */
  const act = (work: () => void) => () => {
    popover.current?.focus({ preventScroll: true })
    work()
  }
  useFocus(popover, { step, target, begin }, `${tour.id} ${at} ${isLost}`)
  useKeys(popover, container, target, onLeave)

  return createPortal(
    <>
      {!isLost && <Ring anchor={anchor} isAlone={tour.makes !== undefined} />}
      <section ref={popover} aria-labelledby={heading} data-region="tour" tabIndex={-1} className={styles['popover']}>
        <p className={styles['where']}>
          {tour.name} <span aria-hidden>·</span> {at + 1} of {tour.steps.length}
        </p>
        <h2 id={heading} className={styles['title']}>
          {title}
        </h2>
        <p>{text}</p>
        <Announcement text={`${tour.name}, ${at + 1} of ${tour.steps.length}. ${title}. ${text}`} />
        <div className={styles['buttons']}>
          {(!isLast || isLost) && (
            <Button variant="quiet" className={styles['leave']} onClick={onLeave}>
              {tour.makes ? 'Leave' : 'Skip'}
            </Button>
          )}
          {onBack && <Button onClick={act(onBack)}>Back</Button>}
          {isLost && (
            <Button variant="primary" data-on onClick={act(onReturn)}>
              {step.page === undefined ? 'Show it again' : 'Open it again'}
            </Button>
          )}
          {!isLost && !step.waits && (
            <Button variant="primary" data-on onClick={act(onNext)}>
              {isLast ? 'Finish' : tour.makes ? 'Next tip' : 'Next'}
            </Button>
          )}
        </div>
      </section>
    </>,
    container,
  )
}

/** Highlights the target. The rest is dimmed if the step does not need it, but remains clickable. */
function Ring({ anchor, isAlone }: { anchor: Anchor | null; isAlone: boolean }) {
  if (anchor === null) return isAlone ? null : <div aria-hidden className={styles['veil']} />
  const box = ringOf(anchor.box, { width: innerWidth, height: innerHeight })
  return <div aria-hidden className={classNames(styles['ring'], isAlone && styles['alone'])} style={box} />
}

function lostTexts({ makes }: Tour, { page, shows }: TourStep): { title: string; text: string } {
  const noun = makes?.noun ?? ''
  if (page !== undefined)
    return { title: 'The wizard was closed', text: `No ${noun} was created. Open it again to continue, or leave.` }
  if (shows === 'result')
    return { title: 'Something else is shown', text: `Show your ${noun} again to continue, or leave.` }
  return { title: 'Out of sight', text: 'The target of this step is hidden. Show it again to continue, or leave.' }
}

/** Set after the region exists: screen readers skip a live region's initial content. */
function Announcement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), 100)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p aria-live="polite" className="visually-hidden">
      {announced}
    </p>
  )
}

function usePlace(popover: RefObject<HTMLElement | null>, anchor: Anchor | null): void {
  const place = useEffectEvent(() => {
    if (popover.current) moveTo(popover.current, anchor)
  })
  // The height depends on the text.
  useLayoutEffect(() => place())
  useEffect(() => {
    const again = () => place()
    addEventListener('resize', again)
    return () => removeEventListener('resize', again)
  }, [])
}

function moveTo(popover: HTMLElement, anchor: Anchor | null): void {
  const { width, height } = popover.getBoundingClientRect()
  const { left, top } = placePopover(anchor, { width, height }, { width: innerWidth, height: innerHeight })
  popover.style.left = `${left}px`
  popover.style.top = `${top}px`
}

/**
 * Focuses the popover or the control to use. A focus elsewhere, such as in a wizard field, is not moved unless the tour
 * has just begun.
 */
function useFocus(
  popover: RefObject<HTMLElement | null>,
  { step, target, begin }: { step: TourStep; target: HTMLElement | null; begin: () => boolean },
  key: string,
): void {
  const focus = useEffectEvent(() => {
    const { activeElement: active } = document
    const isLost = active === null || active === document.body
    const isTyping = active instanceof HTMLElement && active.matches('input, textarea')
    const isIn = popover.current?.contains(active) ?? false
    const isFirst = begin()
    if (!isLost && !isIn && (!isFirst || isTyping)) return
    const [stop] = step.waits && target ? tabStopsIn(target) : []
    target?.scrollIntoView({ block: 'nearest' })
    const on = popover.current?.querySelector<HTMLElement>('[data-on]')
    ;(stop ?? on ?? popover.current)?.focus({ preventScroll: true })
  })
  useEffect(() => {
    // Waits until menus and dialogs have returned the focus.
    const timer = setTimeout(() => focus(), 60)
    return () => clearTimeout(timer)
  }, [key])
}

/** Escape ends the tour; Tab visits the popover between the target and the next control. */
function useKeys(
  popover: RefObject<HTMLElement | null>,
  container: HTMLElement,
  target: HTMLElement | null,
  onLeave: () => void,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const section = popover.current
    const { key, shiftKey, target: from } = event
    if (!section || event.defaultPrevented || !(from instanceof HTMLElement)) return
    const isIn = section.contains(from)
    if (key === 'Escape' && (isIn || from === document.body || (target?.contains(from) && !handlesOwnKeys(from)))) {
      event.preventDefault()
      event.stopPropagation()
      onLeave()
    }
    if (key !== 'Tab' || !target || from.closest('[role=menu]')) return
    const goal = nextTabStop(from, shiftKey, section, target)
    if (!goal) return
    event.preventDefault()
    goal.focus()
  })
  useEffect(() => {
    // Inside a dialog: before its own Escape handler. Elsewhere: after all other handlers.
    const section = popover.current
    const inside = (event: KeyboardEvent) => press(event)
    section?.addEventListener('keydown', inside)
    addEventListener('keydown', inside)
    return () => {
      section?.removeEventListener('keydown', inside)
      removeEventListener('keydown', inside)
    }
  }, [popover, container])
}

/** Dialogs, menus and fields handle the key themselves. */
function handlesOwnKeys(from: HTMLElement): boolean {
  const theirs = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=combobox], input, textarea'
  return from.closest(theirs) !== null
}
