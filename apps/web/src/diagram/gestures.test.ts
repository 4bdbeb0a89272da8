import { boxOf, type Point } from '@cadmus/diagram/geometry'
import { beforeEach, describe, expect, it } from 'vitest'
import { clinic } from '../testing/clinic-scene.ts'
import { recordedActions, type Recorded } from '../testing/recorded-actions.ts'
import type { Camera, Hit, Picture } from './diagram.ts'
import { Gestures, type Press } from './gestures.ts'
import type { HandsView, Relating } from './hands.ts'

const size = { width: 1000, height: 600 }

/** A view without a canvas: it has a camera, finds cards, and records what is lifted. */
class PlainView implements HandsView {
  camera: Camera = { x: 300, y: 200, zoom: 1 }
  lifted: readonly number[] = []
  carried: Point[] = []
  bands: unknown[] = []
  readonly picture: () => Picture
  /** Overrides what is at a point. */
  at: Hit | null = null
  constructor(picture: () => Picture) {
    this.picture = picture
  }
  look = (camera: Camera) => {
    this.camera = camera
  }
  zoomTo = (zoom: number, around: Point = { x: size.width / 2, y: size.height / 2 }) => {
    const before = this.toWorld(around)
    this.camera = { ...this.camera, zoom }
    const after = this.toWorld(around)
    this.camera = { ...this.camera, x: this.camera.x + before.x - after.x, y: this.camera.y + before.y - after.y }
  }
  fit = () => undefined
  reveal = () => undefined
  toWorld = ({ x, y }: Point) => ({
    x: this.camera.x + (x - size.width / 2) / this.camera.zoom,
    y: this.camera.y + (y - size.height / 2) / this.camera.zoom,
  })
  toScreen = ({ x, y }: Point) => ({
    x: (x - this.camera.x) * this.camera.zoom + size.width / 2,
    y: (y - this.camera.y) * this.camera.zoom + size.height / 2,
  })
  hit = (point: Point): Hit => {
    if (this.at) return this.at
    const { x, y } = this.toWorld(point)
    const { scene, places, hidden } = this.picture()
    for (let card = 0; card < scene.count; card++) {
      const box = boxOf(scene, places, card)
      const isInside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
      if (isInside && !hidden.has(card)) return { kind: 'card', card, row: undefined }
    }
    return { kind: 'ground' }
  }
  lift = (cards: readonly number[]) => {
    this.lifted = cards
  }
  carry = (by: Point) => {
    this.carried.push(by)
  }
  drop = () => {
    this.lifted = []
  }
  band = (corners: unknown) => {
    this.bands.push(corners)
  }
  hovered: number | null = null
  hover = (card: number | null) => {
    this.hovered = card
  }
  draft = () => undefined
}

let recorded: Recorded
let view: PlainView
let gestures: Gestures
let relating: Relating | null
let related: (number | null)[]
let locked: string | null

const [patient, visit, doctor, bill] = [0, 1, 2, 3]

beforeEach(() => {
  const placed = clinic()
  recorded = recordedActions(placed)
  view = new PlainView(() => recorded.picture)
  relating = null
  related = []
  locked = null
  gestures = new Gestures({
    view,
    props: () => ({ picture: recorded.picture, actions: recorded.actions, locked }),
    relating: () => relating,
    relate: next => {
      relating = next
    },
    related: () => {
      related.push(relating?.over ?? null)
      relating = null
    },
  })
})

const press = (at: Point, keys: Partial<Press> = {}): Press => ({
  ...at,
  button: 0,
  extend: false,
  toggle: false,
  pointer: 1,
  isText: false,
  ...keys,
})

/** A point of the canvas on the head of a card. */
function on(card: number): Point {
  const { x, y } = recorded.picture.places
  return view.toScreen({ x: (x[card] ?? 0) + 20, y: (y[card] ?? 0) + 10 })
}

function drag(from: Point, to: Point, keys: Partial<Press> = {}) {
  gestures.down(press(from, keys))
  gestures.move({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, pointer: 1 })
  gestures.move({ ...to, pointer: 1 })
  gestures.up(press(to, keys))
}

const click = (at: Point, keys: Partial<Press> = {}) => {
  gestures.down(press(at, keys))
  gestures.up(press(at, keys))
}

const ground = { x: 30, y: 30 }

describe('clicks in the diagram', () => {
  it('a click chooses one card, Ctrl toggles, Shift adds, and the ground clears the choice', () => {
    click(on(patient))
    expect([...recorded.picture.chosen]).toEqual([patient])
    click(on(visit), { toggle: true })
    click(on(doctor), { extend: true })
    expect([...recorded.picture.chosen]).toEqual([patient, visit, doctor])
    click(on(visit), { toggle: true })
    expect([...recorded.picture.chosen]).toEqual([patient, doctor])
    click(ground)
    expect([...recorded.picture.chosen]).toEqual([])
  })

  it('a click on one of several chosen cards chooses that one, and makes it the card of the keys', () => {
    recorded.actions.choose([patient, visit], 'replace')
    click(on(visit))
    expect([...recorded.picture.chosen]).toEqual([visit])
    expect(recorded.picture.focused).toBe(visit)
  })

  it('the right button chooses the card below it and keeps a choice that contains it', () => {
    recorded.actions.choose([patient, visit], 'replace')
    click(on(visit), { button: 2 })
    expect([...recorded.picture.chosen]).toEqual([patient, visit])
    click(on(doctor), { button: 2 })
    expect([...recorded.picture.chosen]).toEqual([doctor])
  })

  it('a click on a line chooses both of its entities', () => {
    view.at = { kind: 'link', link: 1 }
    click(ground)
    expect([...recorded.picture.chosen]).toEqual([visit, doctor])
  })

  it('a click on +1 shows the hidden neighbours', () => {
    recorded.actions.setHidden([patient, bill], true)
    view.at = { kind: 'port', card: visit }
    click(ground)
    expect([...recorded.picture.hidden]).toEqual([])
  })

  it('a double click opens the entity, with Ctrl beside', () => {
    gestures.doubleClick({ ...on(doctor), toggle: false })
    gestures.doubleClick({ ...on(doctor), toggle: true })
    gestures.doubleClick({ ...ground, toggle: false })
    expect(recorded.calls).toEqual([
      ['open', doctor, false],
      ['open', doctor, true],
    ])
  })
})

it('the card under the pointer shows its handles', () => {
  gestures.move({ ...on(visit), pointer: 1 })
  expect(view.hovered).toBe(visit)
  gestures.move({ ...ground, pointer: 1 })
  expect(view.hovered).toBeNull()
})

describe('drags in the diagram', () => {
  it('a drag of a card is one step to a place on the grid of 8 px', () => {
    drag(on(doctor), { x: on(doctor).x + 101, y: on(doctor).y + 33 })
    expect(recorded.moves).toEqual([{ label: 'Move Doctor', moved: [[doctor, { x: 504, y: 256 }]] }])
  })

  it('a drag moves nothing if the model has changed, because cards have other indexes then', () => {
    const from = on(doctor)
    gestures.down(press(from))
    gestures.move({ x: from.x + 40, y: from.y, pointer: 1 })
    expect(view.lifted).toEqual([doctor])
    recorded.picture = { ...recorded.picture, scene: { ...recorded.picture.scene } }
    gestures.up(press({ x: from.x + 80, y: from.y }))
    expect(recorded.moves).toEqual([])
  })

  it('a drag of a chosen card moves the whole choice by the same distance', () => {
    recorded.actions.choose([visit, doctor], 'replace')
    drag(on(doctor), { x: on(doctor).x - 80, y: on(doctor).y + 4 })
    expect(recorded.moves).toEqual([
      {
        label: 'Move 2 entities',
        moved: [
          [visit, { x: -80, y: 204 }],
          [doctor, { x: 320, y: 224 }],
        ],
      },
    ])
    expect([...recorded.picture.chosen]).toEqual([visit, doctor])
  })

  it('a drag of a card that is not chosen moves it alone', () => {
    recorded.actions.choose([visit, doctor], 'replace')
    drag(on(patient), { x: on(patient).x, y: on(patient).y - 40 })
    expect(recorded.moves.map(({ moved }) => moved.length)).toEqual([1])
  })

  it('a press that hardly moves is a click', () => {
    drag(on(doctor), { x: on(doctor).x + 2, y: on(doctor).y + 2 })
    expect(recorded.moves).toEqual([])
    expect([...recorded.picture.chosen]).toEqual([doctor])
  })

  it('Escape puts a dragged card back', () => {
    gestures.down(press(on(doctor)))
    gestures.move({ ...ground, pointer: 1 })
    expect(view.lifted).toEqual([doctor])
    expect(gestures.cancel()).toBe(true)
    gestures.up(press(ground))
    expect(view.lifted).toEqual([])
    expect(view.carried.at(-1)).toEqual({ x: 0, y: 0 })
    expect(recorded.moves).toEqual([])
  })

  it('the wheel pans during a drag, and the card stays below the pointer', () => {
    const start = on(doctor)
    gestures.down(press(start))
    gestures.move({ x: start.x + 10, y: start.y, pointer: 1 })
    gestures.wheel({
      x: start.x + 10,
      y: start.y,
      deltaX: 0,
      deltaY: 160,
      inLines: false,
      zooms: false,
      sideways: false,
    })
    gestures.up(press({ x: start.x + 10, y: start.y }))
    expect(recorded.moves[0]?.moved).toEqual([[doctor, { x: 408, y: 384 }]])
  })

  it('a drag of the ground pans', () => {
    drag(ground, { x: ground.x + 100, y: ground.y - 50 })
    expect(view.camera).toEqual({ x: 200, y: 250, zoom: 1 })
    expect(recorded.calls).toEqual([])
  })

  it('the middle button pans even on a card', () => {
    drag(on(doctor), { x: on(doctor).x + 10, y: on(doctor).y }, { button: 1 })
    expect(view.camera.x).toBe(290)
    expect(recorded.moves).toEqual([])
  })

  it('Shift and a drag choose the shown cards that the rectangle touches', () => {
    recorded.actions.setHidden([bill], true)
    const [from, to] = [view.toScreen({ x: -50, y: 190 }), view.toScreen({ x: 20, y: 500 })]
    drag(from, to, { extend: true })
    expect([...recorded.picture.chosen]).toEqual([visit])
    expect(view.bands.at(-1)).toBeNull()
  })

  it('two fingers zoom and move', () => {
    gestures.down(press({ x: 400, y: 300 }, { pointer: 1 }))
    gestures.down(press({ x: 600, y: 300 }, { pointer: 2 }))
    gestures.move({ x: 300, y: 300, pointer: 1 })
    gestures.move({ x: 700, y: 300, pointer: 2 })
    expect(view.camera).toEqual({ x: 300, y: 200, zoom: 2 })
    gestures.up(press({ x: 700, y: 300 }, { pointer: 2 }))
    gestures.move({ x: 320, y: 300, pointer: 1 })
    expect(view.camera.x).toBe(290)
    expect(recorded.calls).toEqual([])
  })
})

describe('the wheel over the diagram', () => {
  const wheel = { x: 700, y: 300, deltaX: 0, deltaY: 0, inLines: false, zooms: false, sideways: false }

  it('pans, and sideways with Shift', () => {
    gestures.wheel({ ...wheel, deltaX: 10, deltaY: 20 })
    gestures.wheel({ ...wheel, deltaY: 3, inLines: true, sideways: true })
    expect(view.camera).toEqual({ x: 358, y: 220, zoom: 1 })
  })

  it('with Ctrl zooms around the pointer', () => {
    const before = view.toWorld(wheel)
    gestures.wheel({ ...wheel, deltaY: -100, zooms: true })
    expect(view.camera.zoom).toBeGreaterThan(1.2)
    expect(view.toWorld(wheel)).toEqual({ x: expect.closeTo(before.x), y: expect.closeTo(before.y) })
    gestures.wheel({ ...wheel, deltaY: 100, zooms: true })
    expect(view.camera.zoom).toBeCloseTo(1)
  })
})

describe('a relationship drawn from a handle', () => {
  const fromHandle = () => {
    view.at = { kind: 'handle', card: visit, row: 1 }
    gestures.down(press(on(visit)))
    view.at = null
  }

  it('names the card below the pointer and is taken by the release', () => {
    fromHandle()
    expect(relating).toMatchObject({ from: visit, row: 1, over: null })
    gestures.move({ ...on(patient), pointer: 1 })
    expect(relating).toMatchObject({ from: visit, row: 1, over: patient })
    gestures.up(press(on(patient)))
    expect(related).toEqual([patient])
    expect(recorded.moves).toEqual([])
  })

  it('offers a new entity on the ground', () => {
    fromHandle()
    gestures.move({ ...ground, pointer: 1 })
    gestures.up(press(ground))
    expect(related).toEqual([null])
  })

  it('a click on the handle lets the next click take the card', () => {
    fromHandle()
    gestures.up(press(on(visit)))
    expect(related).toEqual([])
    gestures.move({ ...on(doctor), pointer: 1 })
    click(on(doctor))
    expect(related).toEqual([doctor])
  })

  it('is not begun where none can be drawn: the handle moves its card', () => {
    locked = 'An old version.'
    fromHandle()
    gestures.move({ ...on(patient), pointer: 1 })
    expect(relating).toBeNull()
    expect(view.lifted).toEqual([visit])
  })

  it('is given up with Escape', () => {
    fromHandle()
    gestures.move({ ...on(patient), pointer: 1 })
    gestures.cancel()
    expect(relating).toBeNull()
    gestures.up(press(on(patient)))
    expect(related).toEqual([])
  })
})
