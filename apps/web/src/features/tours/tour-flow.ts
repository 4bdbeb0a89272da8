import type { Tour, TourStep } from './tour.ts'

/** Observed state: the open page of the tour's wizard, and whether the wizard has created its object. */
export type WizardState = { page: string | null; isCreated: boolean }

/** The step for the observed state: follows the wizard back and forth, and moves on once it is done. */
export function nextStep({ steps }: Tour, at: number, { page, isCreated }: WizardState): number {
  const step = steps[at]
  // The result is shown already; opening the wizard again creates another object.
  if (!step || step.shows === 'result') return at
  const isOtherPage = page === null ? step.page !== undefined && isCreated : step.page !== page
  if (!isOtherPage) return at
  const target = steps.findIndex(one => (page === null ? one.shows === 'result' : one.page === page))
  return target === -1 ? at : target
}

/** Index of the next step, skipping optional ones without target; the number of steps at the end. */
export function stepAfter({ steps }: Tour, at: number, isThere: (step: TourStep) => boolean): number {
  const next = steps.findIndex((step, index) => index > at && (!step.optional || isThere(step)))
  return next === -1 ? steps.length : next
}

/** Index of the previous step on the same page; null if there is none, or only the wizard's Back button leads to it. */
export function stepBefore({ steps }: Tour, at: number, isThere: (step: TourStep) => boolean): number | null {
  const step = steps[at]
  const before = steps.findLastIndex((one, index) => index < at && (!one.optional || isThere(one)))
  return before !== -1 && step?.shows !== 'result' && steps[before]?.page === step?.page ? before : null
}

export type Box = { left: number; top: number; width: number; height: number }
type Size = { width: number; height: number }
type Place = { left: number; top: number }

const gap = 12
const margin = 8
/** Space that the ring needs around its box. */
const edge = 4

/** Target of a popover; `surface`: the menu or dialog around it, which must stay visible too. */
export type Anchor = { box: Box; surface: Box | null }

/** Position of the popover: beside the target, inside the window, with the least overlap if there is no room. */
export function placePopover(anchor: Anchor | null, popover: Size, view: Size): Place {
  const inside = ({ left, top }: Place) => ({
    left: Math.max(margin, Math.min(left, view.width - popover.width - margin)),
    top: Math.max(margin, Math.min(top, view.height - popover.height - margin)),
  })
  if (anchor === null)
    return inside({ left: (view.width - popover.width) / 2, top: (view.height - popover.height) / 2 })
  const { box, surface } = anchor
  const { left, top, width, height } = box
  // For a target that fills the page, cover its bottom.
  if (surface === null && width * height > (view.width * view.height) / 3)
    return inside({ left: left + gap, top: top + height - popover.height - gap })
  const places = [...(surface ? placesAroundSurface(surface, top, popover) : []), ...placesAround(box, popover)].map(
    inside,
  )
  const cost = (place: Place) =>
    overlap(box, { ...place, ...popover }) * 100 + (surface ? overlap(surface, { ...place, ...popover }) : 0)
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best))
}

/** Cover the header of a dialog rather than its buttons. */
function placesAroundSurface({ left, top, width, height }: Box, at: number, popover: Size): Place[] {
  return [
    { left: left + width + gap, top: at },
    { left: left - popover.width - gap, top: at },
    { left, top: top - popover.height - gap },
    { left, top: top + height + gap },
  ]
}

function placesAround({ left, top, width, height }: Box, popover: Size): Place[] {
  return [
    { left, top: top + height + gap },
    { left: left + width + gap, top },
    { left: left - popover.width - gap, top },
    { left, top: top - popover.height - gap },
  ]
}

function overlap(one: Box, other: Box): number {
  const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  return Math.max(0, across) * Math.max(0, down)
}

/** The ring around the target, clipped to the window. */
export function ringOf({ left, top, width, height }: Box, view: Size): Box {
  const from = { left: Math.max(left, edge), top: Math.max(top, edge) }
  return {
    ...from,
    width: Math.min(left + width, view.width - edge) - from.left,
    height: Math.min(top + height, view.height - edge) - from.top,
  }
}
