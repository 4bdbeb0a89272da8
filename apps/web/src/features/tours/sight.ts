import type { Anchor, Box } from './tour-flow.ts'
import type { Tour, TourStep } from './tour.ts'

/** What is open over the page and takes its presses: whoever it asks or offers something is not spoken to by a tour meanwhile. */
const overlays =
  ':is([role=dialog], [role=alertdialog], [role=menu], [role=listbox]:not([aria-hidden=true])):not([data-closed])'
const dialogs = ':is([role=dialog], [role=alertdialog])'

/** Tells whenever what a tour points at may have come, gone or moved, once a frame at most; returns what ends that. */
export function watchPage(tell: () => void): () => void {
  let frame = 0
  const look = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      tell()
    })
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true })
  addEventListener('resize', look)
  addEventListener('scroll', look, true)
  // What glides to its place tells nobody when it is there.
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

/** The first of what it points at that can be seen. */
export function targetOf({ at }: TourStep): HTMLElement | null {
  for (const selector of at) {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find(isSeen)
    if (found) return found
  }
  return null
}

/** Which page of the tour's wizard is open. */
export function pageInSight({ steps }: Tour): string | null {
  const pages = new Set(steps.map(step => step.page))
  const open = [...document.querySelectorAll<HTMLElement>(`${dialogs} [data-tour]`)].find(
    element => pages.has(element.dataset['tour']) && isSeen(element),
  )
  return open?.dataset['tour'] ?? null
}

/** Whether something is open that has the person's attention and is not what the tour is about. */
export function isTalkedOver(target: HTMLElement | null): boolean {
  return [...document.querySelectorAll<HTMLElement>(overlays)].some(
    overlay => !overlay.contains(target) && isSeen(overlay),
  )
}

/** Where a popover about it must be: everything outside of a dialog is out of reach while that is open. */
export function roomOf(target: HTMLElement | null): HTMLElement {
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

/** What in it, or it itself, takes the focus by Tab. */
export function stopsIn(element: HTMLElement): HTMLElement[] {
  const own = element.matches(focusable) || element.matches('[role=menuitem]') ? [element] : []
  const within = [...element.querySelectorAll<HTMLElement>(focusable)].filter(({ tabIndex }) => tabIndex >= 0)
  return [...own, ...within].filter(stop => stop.checkVisibility({ visibilityProperty: true }))
}

/**
 * Where Tab goes from a stop, so that the popover, which stands last in its room, comes behind what it points at; undefined where it
 * would go there by itself. A dialog is gone around, as without a tour.
 */
export function goalOfTab(from: HTMLElement, isBack: boolean, popover: HTMLElement, target: HTMLElement) {
  const room = roomOf(target)
  const own = stopsIn(popover).filter(stop => stop !== popover)
  const others = stopsIn(room).filter(stop => !popover.contains(stop))
  const behind = others.filter(
    stop => !target.contains(stop) && target.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  const before = others.slice(0, others.length - behind.length)
  const order = [...before, ...own, ...behind]
  if (from === popover) return isBack ? before.at(-1) : own.at(0)
  const at = order.indexOf(from)
  if (at < 0) return undefined
  const isDialog = room !== document.body
  const goal = order[at + (isBack ? -1 : 1)] ?? (isDialog ? order.at(isBack ? -1 : 0) : undefined)
  const isEdge = isDialog && at === (isBack ? 0 : order.length - 1)
  return goal && (isEdge || own.includes(goal) || own.includes(from)) ? goal : undefined
}

function isSeen(element: HTMLElement): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return right > left && bottom > top && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
}
