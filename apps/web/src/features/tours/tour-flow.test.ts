import { describe, expect, it } from 'vitest'
import { entityTour, manifestTour } from './all.ts'
import { nextStep, placePopover, ringOf, stepAfter, stepBefore } from './tour-flow.ts'

const at = (title: string) => manifestTour.steps.findIndex(step => step.title === title)
const titleAt = (index: number) => manifestTour.steps[index]?.title
const name = 'Create Manifest: Name'
const entities = 'Create Manifest: Manage Entities'

describe('a tour with a wizard', () => {
  const seen = (from: string, page: string | null, isCreated = false) =>
    titleAt(nextStep(manifestTour, at(from), { page, isCreated }))

  it('follows the wizard back and forth, however its pages are reached', () => {
    expect(seen('Open the wizard', name)).toBe('Give it a name')
    expect(seen('Give it a name', name)).toBe('Give it a name')
    expect(seen('Go on in the wizard', name)).toBe('Go on in the wizard')
    expect(seen('Give it a name', entities)).toBe('Gather its entities')
    expect(seen('Create it', name)).toBe('Give it a name')
    expect(seen('Create it', 'Create Manifest: Manifest to duplicate')).toBe('Choose what to copy')
  })

  it('the tour is not changed when the wizard is closed, and moves on to the created document', () => {
    expect(seen('Create it', null)).toBe('Create it')
    expect(seen('Create it', null, true)).toBe('This is your manifest')
    expect(seen('Open the wizard', null, true)).toBe('Open the wizard')
    expect(seen('This is your manifest', name)).toBe('This is your manifest')
  })

  it('the tour skips missing controls, and has no Back while the wizard has its own', () => {
    const never = () => false
    const always = () => true
    expect(titleAt(stepAfter(manifestTour, at('Give it a name'), always))).toBe('Empty, or a copy')
    expect(titleAt(stepAfter(manifestTour, at('Give it a name'), never))).toBe('Go on in the wizard')
    expect(stepAfter(manifestTour, at('This is your manifest'), always)).toBe(manifestTour.steps.length)
    expect(stepBefore(manifestTour, at('Go on in the wizard'), never)).toBe(at('Give it a name'))
    expect(stepBefore(manifestTour, at('Gather its entities'), always)).toBeNull()
    expect(stepBefore(manifestTour, at('This is your manifest'), always)).toBeNull()
    expect(stepBefore(manifestTour, 0, always)).toBeNull()
  })

  it('has a step for every page of the wizard, and ends with the created document', () => {
    for (const { steps } of [manifestTour, entityTour]) {
      expect(new Set(steps.flatMap(step => step.page ?? [])).size).toBe(steps === manifestTour.steps ? 3 : 4)
      expect(steps.at(-1)?.shows).toBe('result')
    }
  })
})

describe('the popover of a tour', () => {
  const view = { width: 1440, height: 900 }
  const popover = { width: 360, height: 200 }
  const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height })

  it('is placed below a control, and beside a panel', () => {
    expect(placePopover({ box: box(100, 10, 60, 28), surface: null }, popover, view)).toEqual({ left: 100, top: 50 })
    expect(placePopover({ box: box(0, 44, 280, 856), surface: null }, popover, view)).toEqual({ left: 292, top: 44 })
    expect(placePopover({ box: box(1140, 44, 300, 856), surface: null }, popover, view)).toEqual({ left: 768, top: 44 })
  })

  it('is placed beside the dialog of its control if there is room', () => {
    const surface = box(400, 170, 640, 560)
    expect(placePopover({ box: box(420, 300, 600, 32), surface }, popover, view)).toEqual({ left: 1052, top: 300 })
  })

  it('the popover is inside the window and covers no control if possible', () => {
    const small = { width: 512, height: 384 }
    const surface = box(16, 24, 480, 336)
    for (let top = 60; top < 340; top += 20) {
      const control = box(300, top, 100, 32)
      const place = placePopover({ box: control, surface }, { width: 360, height: 150 }, small)
      expect(place.left).toBeGreaterThanOrEqual(8)
      expect(place.top).toBeGreaterThanOrEqual(8)
      expect(place.left + 360).toBeLessThanOrEqual(small.width - 8)
      expect(place.top + 150).toBeLessThanOrEqual(small.height - 8)
      const isFree = place.top >= control.top + 32 || place.top + 150 <= control.top
      expect(isFree, `a control at ${top}`).toBe(true)
    }
  })

  it('is centred without a target, and keeps its ring inside the window', () => {
    expect(placePopover(null, popover, view)).toEqual({ left: 540, top: 350 })
    expect(ringOf(box(0, 44, 280, 856), view)).toEqual(box(4, 44, 276, 852))
  })
})
