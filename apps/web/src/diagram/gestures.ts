import { boxOf, overlap, type Point } from '@cadmus/diagram/geometry'
import { neighbourhood } from '@cadmus/diagram/ways'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import type { Camera, Hit, Picture } from './diagram.ts'
import type { DiagramProps, HandsView, Relating } from './hands.ts'

/** Cards move by this step in world pixels, so that edges meet. */
export const snap = 8
/** Screen pixels before a press becomes a drag. */
const slack = 4
const zoomPerPixel = 0.0022
/** Pixels of a line of a wheel that turns in lines. */
const lineHeight = 16

/** `isText`: on a text of a card that can be marked. */
export type Press = Point & { button: number; extend: boolean; toggle: boolean; pointer: number; isText: boolean }
export type Turn = Point & { deltaX: number; deltaY: number; inLines: boolean; zooms: boolean; sideways: boolean }

type Gesture =
  | { kind: 'none' }
  | { kind: 'pan'; start: Point; camera: Camera; clicks: boolean }
  | { kind: 'press'; start: Point; hit: Extract<Hit, { kind: 'card' }>; press: Press }
  /** `grabbed`: the card under the pointer, whose corner is snapped. `scene`: in which cards have these indexes. */
  | { kind: 'carry'; start: Point; cards: readonly number[]; grabbed: number; by: Point; scene: Picture['scene'] }
  | { kind: 'band'; start: Point; press: Press }
  /** `start`: the press on a handle; null once the relationship is being drawn. */
  | { kind: 'relate'; start: Point | null }
  | { kind: 'pinch'; distance: number; middle: Point; camera: Camera }

const cursors: Record<Hit['kind'], string> = {
  card: 'default',
  handle: 'crosshair',
  port: 'pointer',
  link: 'pointer',
  ground: 'grab',
}

type Options = {
  view: HandsView
  props: () => Pick<DiagramProps, 'picture' | 'actions' | 'locked'>
  relating: () => Relating | null
  relate: (relating: Relating | null) => void
  /** Ends the relationship that is being drawn at its card or on the ground. */
  related: () => void
}

/** What pointers and wheel do on the canvas. Knows no elements and events. Points are pixels from the canvas' corner. */
export class Gestures {
  readonly #options: Options
  #gesture: Gesture = { kind: 'none' }
  #below: Hit['kind'] = 'ground'
  /** Pointers that are down, with their places. */
  readonly #pointers = new Map<number, Point>()

  constructor(options: Options) {
    this.#options = options
  }

  get isIdle(): boolean {
    return this.#gesture.kind === 'none'
  }

  /** The CSS cursor. */
  get cursor(): string {
    const { kind } = this.#gesture
    if (kind === 'relate' || this.#options.relating()) return 'crosshair'
    if (kind === 'pan' || kind === 'carry') return 'grabbing'
    return kind === 'none' ? cursors[this.#below] : 'default'
  }

  down(press: Press): void {
    this.#pointers.set(press.pointer, press)
    if (this.#pointers.size > 1) return this.#pinch()
    const { view, props } = this.#options
    const { actions, picture, locked } = props()
    const found = view.hit(press)
    const hit: Hit = found.kind === 'handle' && locked !== null ? { ...found, kind: 'card' } : found
    if (press.button === 1) return this.#pan(press, false)
    if (press.button !== 0) return this.#aim(hit)
    if (this.#options.relating()) {
      // Begun by keys or by a click.
      this.#pointAt(press)
      this.#gesture = { kind: 'relate', start: null }
      return
    }
    switch (hit.kind) {
      case 'handle':
        this.#gesture = { kind: 'relate', start: press }
        this.#options.relate({ from: hit.card, row: hit.row, over: null, at: press })
        return
      case 'card':
        actions.focus(hit.card)
        if (press.extend || press.toggle) actions.choose([hit.card], press.toggle ? 'toggle' : 'add')
        else if (!picture.chosen.has(hit.card)) actions.choose([hit.card], 'replace')
        // The head moves its card; texts of rows are marked.
        if (!press.isText || hit.row === undefined) this.#gesture = { kind: 'press', start: press, hit, press }
        return
      case 'port':
        actions.setHidden(neighbourhood(picture.scene, hit.card, 1).intersection(picture.hidden), false)
        return
      case 'link': {
        const { from, to } = picture.scene.links
        actions.choose([from[hit.link]!, to[hit.link]!], press.extend || press.toggle ? 'add' : 'replace')
        return
      }
      default:
        if (press.extend) this.#gesture = { kind: 'band', start: view.toWorld(press), press }
        else this.#pan(press, true)
    }
  }

  /** Returns whether something follows the pointer. */
  move(to: Point & { pointer: number }): boolean {
    if (this.#pointers.has(to.pointer)) this.#pointers.set(to.pointer, to)
    const gesture = this.#gesture
    const { view } = this.#options
    switch (gesture.kind) {
      case 'none': {
        const hit = view.hit(to)
        this.#below = hit.kind
        view.hover(hit.kind === 'card' || hit.kind === 'handle' ? hit.card : null)
        return false
      }
      case 'pan': {
        const { camera, start } = gesture
        const [x, y] = [camera.x - (to.x - start.x) / camera.zoom, camera.y - (to.y - start.y) / camera.zoom]
        if (gesture.clicks && distance(to, start) > slack) this.#gesture = { ...gesture, clicks: false }
        view.look({ x, y, zoom: camera.zoom })
        return true
      }
      case 'press':
        if (distance(to, gesture.start) > slack) this.#lift(gesture, to)
        return true
      case 'carry':
        this.#carry(gesture, to)
        return true
      case 'band':
        view.band({ from: gesture.start, to: view.toWorld(to) })
        return true
      case 'relate':
        this.#pointAt(to)
        return true
      case 'pinch':
        this.#spread(gesture)
        return true
    }
  }

  up(press: Press): void {
    this.#pointers.delete(press.pointer)
    const gesture = this.#gesture
    this.#gesture = { kind: 'none' }
    const { view, props } = this.#options
    const { actions } = props()
    switch (gesture.kind) {
      case 'pan':
        if (gesture.clicks) actions.choose([], 'replace')
        return
      case 'press':
        // A click on one of several chosen cards chooses that one.
        if (!press.extend && !press.toggle && !gesture.press.extend && !gesture.press.toggle)
          actions.choose([gesture.hit.card], 'replace')
        return
      case 'carry':
        this.#drop(gesture)
        return
      case 'band':
        view.band(null)
        actions.choose(cardsBetween(props().picture, gesture.start, view.toWorld(press)), 'add')
        return
      case 'relate':
        this.#pointAt(press)
        // After a click on the handle, the next press takes the card.
        if (gesture.start === null || distance(press, gesture.start) > slack) this.#options.related()
        return
      case 'pinch':
        // The other finger goes on panning.
        for (const [pointer, at] of this.#pointers) this.#pan({ ...press, ...at, pointer }, false)
    }
  }

  /** Gives the gesture up; what was dragged goes back. Returns whether there was one. */
  cancel(): boolean {
    const { kind } = this.#gesture
    const { view, relate } = this.#options
    this.#gesture = { kind: 'none' }
    this.#pointers.clear()
    if (kind === 'carry') putBack(view)
    if (kind === 'band') view.band(null)
    if (kind === 'relate') relate(null)
    return kind !== 'none'
  }

  wheel(turn: Turn): void {
    const { view } = this.#options
    const unit = turn.inLines ? lineHeight : 1
    const [deltaX, deltaY] = [turn.deltaX * unit, turn.deltaY * unit]
    if (turn.zooms) {
      view.zoomTo(view.camera.zoom * Math.exp(-clamp(deltaY, 300) * zoomPerPixel), turn)
    } else {
      const { x, y, zoom } = view.camera
      const [across, down] = turn.sideways && deltaX === 0 ? [deltaY, 0] : [deltaX, deltaY]
      view.look({ x: x + across / zoom, y: y + down / zoom, zoom })
    }
    // What is dragged stays below the pointer.
    const [pointer] = this.#pointers.keys()
    if (pointer !== undefined && this.#gesture.kind !== 'pan') this.move({ x: turn.x, y: turn.y, pointer })
  }

  doubleClick(at: Point & { toggle: boolean }): void {
    const { view, props } = this.#options
    const { actions, picture } = props()
    const hit = view.hit(at)
    if (hit.kind === 'card' || hit.kind === 'handle') actions.open(hit.card, at.toggle)
    if (hit.kind === 'link') actions.open(picture.scene.links.from[hit.link]!, at.toggle)
  }

  /** A context menu acts on the card below it, or on the choice if the card is chosen. */
  #aim(hit: Hit): void {
    if (hit.kind === 'ground' || hit.kind === 'link') return
    const { actions, picture } = this.#options.props()
    actions.focus(hit.card)
    if (!picture.chosen.has(hit.card)) actions.choose([hit.card], 'replace')
  }

  #pan(start: Press, clicks: boolean): void {
    this.#gesture = { kind: 'pan', start, camera: this.#options.view.camera, clicks }
  }

  #pinch(): void {
    // Ends what the first finger began.
    const pointers = new Map(this.#pointers)
    this.cancel()
    for (const [pointer, at] of pointers) this.#pointers.set(pointer, at)
    const fingers = this.#fingers()
    if (fingers) this.#gesture = { kind: 'pinch', ...fingers, camera: this.#options.view.camera }
  }

  #spread(gesture: Extract<Gesture, { kind: 'pinch' }>): void {
    const fingers = this.#fingers()
    if (!fingers) return
    const { view } = this.#options
    const { camera, middle } = gesture
    view.look({
      x: camera.x - (fingers.middle.x - middle.x) / camera.zoom,
      y: camera.y - (fingers.middle.y - middle.y) / camera.zoom,
      zoom: camera.zoom,
    })
    view.zoomTo((camera.zoom * fingers.distance) / gesture.distance, fingers.middle)
  }

  #fingers(): { distance: number; middle: Point } | undefined {
    const [one, other] = this.#pointers.values()
    if (!one || !other) return undefined
    const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
    return { distance: Math.max(1, distance(one, other)), middle }
  }

  #lift({ start, hit }: Extract<Gesture, { kind: 'press' }>, to: Point): void {
    const { view, props } = this.#options
    const { picture } = props()
    const { card } = hit
    const cards = picture.chosen.has(card) ? [...picture.chosen].filter(one => !picture.hidden.has(one)) : [card]
    view.lift(cards)
    const by = { x: 0, y: 0 }
    const gesture = {
      kind: 'carry',
      start: view.toWorld(start),
      cards,
      grabbed: card,
      by,
      scene: picture.scene,
    } as const
    this.#gesture = gesture
    this.#carry(gesture, to)
  }

  #carry(gesture: Extract<Gesture, { kind: 'carry' }>, to: Point): void {
    const { view, props } = this.#options
    const { picture } = props()
    if (picture.scene !== gesture.scene) return void this.cancel()
    const { x, y } = picture.places
    const at = view.toWorld(to)
    const { grabbed, start } = gesture
    const by = {
      x: snapped(x[grabbed]! + at.x - start.x) - x[grabbed]!,
      y: snapped(y[grabbed]! + at.y - start.y) - y[grabbed]!,
    }
    this.#gesture = { ...gesture, by }
    view.carry(by)
  }

  #drop({ cards, by, scene }: Extract<Gesture, { kind: 'carry' }>): void {
    const { view, props } = this.#options
    const { picture, actions } = props()
    // The model has changed: other cards have these indexes now.
    if (picture.scene !== scene) return
    if (by.x === 0 && by.y === 0) return putBack(view)
    view.drop()
    actions.move(movedBy(picture, cards, by), handTexts.move(cards.map(card => picture.scene.names[card] ?? '')))
  }

  #pointAt(to: Point): void {
    const { view, relating, relate } = this.#options
    const now = relating()
    if (!now) return
    const hit = view.hit(to)
    const over = hit.kind === 'ground' || hit.kind === 'link' ? null : hit.card
    relate({ ...now, over, at: { x: to.x, y: to.y } })
  }
}

/** Where cards are after a move by an offset; integers, as stored. */
export function movedBy({ places }: Pick<Picture, 'places'>, cards: readonly number[], by: Point): Map<number, Point> {
  return new Map(
    cards.map(card => [card, { x: Math.round(places.x[card]! + by.x), y: Math.round(places.y[card]! + by.y) }]),
  )
}

/** Shown cards that a rectangle touches. */
function cardsBetween({ scene, places, hidden }: Picture, from: Point, to: Point): number[] {
  const box = {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    right: Math.max(from.x, to.x),
    bottom: Math.max(from.y, to.y),
  }
  return Array.from({ length: scene.count }, (_, card) => card).filter(
    card => !hidden.has(card) && overlap(box, boxOf(scene, places, card)),
  )
}

function putBack(view: HandsView): void {
  view.carry({ x: 0, y: 0 })
  view.drop()
}

function snapped(value: number): number {
  return Math.round(value / snap) * snap
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value))
}
