import type { Anchor, Box } from './tour-flow.ts'
import type { Tour, TourStep } from './tour.ts'

/** Overlays that take pointer input: while one is open, tours with targets outside of it are paused. */
const overlays =
  ':is([role=dialog], [role=alertdialog], [role=menu], [role=listbox]:not([aria-hidden=true])):not([data-closed])'
const dialogs = ':is([role=dialog], [role=alertdialog])'

/**
 * Calls back when tour targets may have appeared, disappeared or moved, at most once per frame; returns a cleanup
 * function.
 */
export function watchPage(onChange: () => void): () => void {
  let frame = 0
  const look = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      onChange()
    })
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  addEventListener('resize', look)
  addEventListener('scroll', look, true)
  // The end of a transition fires no observed event.
  const timer = setInterval(look, 250)
  look()
  return () => {
    observer.disconnect()
    removeEventListener('resize', look)
    removeEventListener('scroll', look, true)
    clearInterval(timer)
    cancelAnimationFrame(frame)
  }
}

export function targetOf({ at }: TourStep): HTMLElement | null {
  for (const selector of at) {
    const visible = [...document.querySelectorAll<HTMLElement>(selector)].find(isVisible)
    if (visible) return visible
  }
  return null
}

/** The page of the tour's wizard that is open. */
export function visiblePage({ steps }: Tour): string | null {
  const pages = new Set(steps.map(step => step.page))
  const open = [...document.querySelectorAll<HTMLElement>(`${dialogs} [data-tour]`)].find(
    element => pages.has(element.dataset['tour']) && isVisible(element),
  )
  return open?.dataset['tour'] ?? null
}

/** Whether an overlay other than the target's is open. */
export function isCovered(target: HTMLElement | null): boolean {
  return [...document.querySelectorAll<HTMLElement>(overlays)].some(
    overlay => !overlay.contains(target) && isVisible(overlay),
  )
}

/** Container of the popover: while a dialog is open, everything outside is inert. */
export function containerOf(target: HTMLElement | null): HTMLElement {
  return target?.closest<HTMLElement>(dialogs) ?? document.body
}

export function anchorOf(element: HTMLElement): Anchor {
  const surface = element.closest<HTMLElement>(`${dialogs}, [role=menu]`)
  return { box: boxOf(element), surface: surface && boxOf(surface) }
}

function boxOf(element: HTMLElement): Box {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { left: Math.round(left), top: Math.round(top), width: Math.round(width), height: Math.round(height) }
}

const focusable = 'button:not(:disabled), input:not(:disabled, [aria-hidden=true]), textarea, a[href], [tabindex="0"]'

export function tabStopsIn(element: HTMLElement): HTMLElement[] {
  const own = element.matches(focusable) || element.matches('[role=menuitem]') ? [element] : []
  const within = [...element.querySelectorAll<HTMLElement>(focusable)].filter(({ tabIndex }) => tabIndex >= 0)
  return [...own, ...within].filter(stop => stop.checkVisibility({ visibilityProperty: true }))
}

/**
 * Next tab stop, such that the popover, last in its container, follows the target; undefined keeps the default. In a
 * dialog, Tab wraps as usual.
 */
export function nextTabStop(from: HTMLElement, isBack: boolean, popover: HTMLElement, target: HTMLElement) {
  const container = containerOf(target)
  const own = tabStopsIn(popover).filter(stop => stop !== popover)
  const others = tabStopsIn(container).filter(stop => !popover.contains(stop))
  const behind = others.filter(
    stop => !target.contains(stop) && target.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  const before = others.slice(0, others.length - behind.length)
  const order = [...before, ...own, ...behind]
  if (from === popover) return isBack ? before.at(-1) : own.at(0)
  const at = order.indexOf(from)
  if (at < 0) return undefined
  const isDialog = container !== document.body
  const goal = order[at + (isBack ? -1 : 1)] ?? (isDialog ? order.at(isBack ? -1 : 0) : undefined)
  const isEdge = isDialog && at === (isBack ? 0 : order.length - 1)
  return goal && (isEdge || own.includes(goal) || own.includes(from)) ? goal : undefined
}

function isVisible(element: HTMLElement): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return right > left && bottom > top && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
}
