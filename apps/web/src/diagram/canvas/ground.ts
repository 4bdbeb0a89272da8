import {
  differencesOf,
  framesOf,
  labelsOf,
  tiesOf,
  type AreaFrame,
  type AreaLabel,
  type Tie,
} from '@cadmus/diagram/areas'
import { levelAt, overhang } from '@cadmus/diagram/drawing'
import { around, boxOf, grown, overlap, type Box, type Point } from '@cadmus/diagram/geometry'
import { cardsWithin, GridIndex, indexCards } from '@cadmus/diagram/grid-index'
import { linkReach, type Part } from '@cadmus/diagram/painter'
import type { Hidden, Marks, Places, Scene } from '@cadmus/diagram/scene'
import { directRoute, distanceTo, type Route } from '@cadmus/diagram/routes/route'
import { Router } from '@cadmus/diagram/routes/router'

/** At most this many links in view are led around cards before these are painted, those near the middle first. */
const mostLed = 300
/** Moved items are searched one by one; beyond this many a new index is faster. */
const mostMoved = 400
const noMarks: Marks = { marks: new Map(), linkMarks: new Map() }

/** What of a scene lies where: finds cards, links and areas by box. Its places are its own and follow what is dragged. */
export class Ground {
  readonly scene: Scene
  readonly places: Places
  readonly hidden: Set<number>
  #cards!: GridIndex
  #links: GridIndex | undefined
  #router!: Router
  readonly #led = new Map<number, Route>()
  #linksOf: readonly (readonly number[])[] | undefined
  #frames: AreaFrame[] | undefined
  #ties: Tie[] | undefined
  readonly #labels = new Map<number, AreaLabel[]>()
  readonly #marks: Marks

  /** `marks`: of the differences between two states, which stay as long as the scene. */
  constructor(scene: Scene, places: Places, hidden: Hidden, marks: Marks = noMarks) {
    this.scene = scene
    this.#marks = marks
    this.places = { x: places.x.slice(), y: places.y.slice() }
    this.hidden = new Set(hidden)
    this.#index()
  }

  get frames(): readonly AreaFrame[] {
    return (this.#frames ??= framesOf(this.scene, this.places, this.hidden))
  }

  /** Makes what the next zoom levels need, while there is time. */
  prepare(): void {
    this.#indexedLinks()
  }

  /** In the order in which they are drawn, which is the same on all tiles. */
  cardsIn(box: Box): number[] {
    const cards = cardsWithin(this.scene, this.places, this.#cards, box).filter(card => !this.hidden.has(card))
    return cards.sort((a, b) => a - b)
  }

  /** Links that a box may show; those of hidden cards are not drawn. */
  linksIn(box: Box): number[] {
    return this.#indexedLinks()
      .search(box)
      .filter(link => this.#isShown(link))
      .sort((a, b) => a - b)
  }

  linksOf(cards: Iterable<number>): number[] {
    return this.#touching(cards).filter(link => this.#isShown(link))
  }

  /** Everything that is painted in a box at a zoom. */
  part(box: Box, zoom: number): Part {
    const level = levelAt(zoom)
    const near = grown(box, Math.max(overhang, 3 / zoom))
    return {
      cards: this.cardsIn(near),
      links: level === 'areas' ? [] : this.#linesIn(grown(box, linkReach(zoom, this.#marks)), zoom),
      frames: this.frames.filter(frame => overlap(frame.box, near)),
      labels: this.#labelsAt(zoom).filter(label => overlap(label.box, near)),
      ties: level === 'areas' ? this.#allTies() : [],
    }
  }

  /**
   * Leads links in view around cards before they are painted, as far as there is time. `changed`: where lines were and are;
   * `isDone`: none is left that picture waits for. Where there are very many, none is led while the camera moves, nor from afar.
   */
  lead(view: Box, zoom: number, isMoving: boolean, isOver: () => boolean): { changed: Box[]; isDone: boolean } {
    const links = isLedAt(zoom) ? this.linksIn(view) : []
    const isCrowded = links.length > mostLed
    if (isCrowded && (isMoving || levelAt(zoom) !== 'rows')) return { changed: [], isDone: true }
    const nearest = isCrowded ? this.#nearest(links, view).slice(0, mostLed) : links
    return this.#leadSome(nearest, isOver)
  }

  /** Leads the other links in view, of which there may be thousands, when all else is painted. */
  leadRest(view: Box, zoom: number, isOver: () => boolean): Box[] {
    const links = levelAt(zoom) === 'rows' ? this.linksIn(view) : []
    const missing = links.filter(link => !this.#led.has(link))
    return missing.length === 0 ? [] : this.#leadSome(this.#nearest(missing, view), isOver).changed
  }

  #leadSome(links: readonly number[], isOver: () => boolean): { changed: Box[]; isDone: boolean } {
    const changed: Box[] = []
    const missing = links.filter(link => !this.#led.has(link))
    for (const [index, link] of missing.entries()) {
      if (index > 0 && isOver()) return { changed, isDone: false }
      changed.push(...partsOf(this.direct(link)), ...partsOf(this.#lead(link)))
    }
    return { changed, isDone: true }
  }

  /** Those that pass nearest to the middle of a box first. */
  #nearest(links: readonly number[], { left, top, right, bottom }: Box): number[] {
    const middle = { x: (left + right) / 2, y: (top + bottom) / 2 }
    const distances = new Map(links.map(link => [link, distanceTo(this.direct(link), middle)]))
    return links.toSorted((a, b) => distances.get(a)! - distances.get(b)!)
  }

  leadAll(links: Iterable<number>): void {
    for (const link of links) if (!this.#led.has(link)) this.#lead(link)
  }

  #lead(link: number): Route {
    const route = this.#router.route(link)
    this.#led.set(link, route)
    this.#links?.move(link, this.#coverOf(link))
    return route
  }

  route(link: number, zoom: number): Route {
    return (isLedAt(zoom) ? this.#led.get(link) : undefined) ?? this.direct(link)
  }

  /** Where a line is drawn, from near and from afar. */
  #coverOf(link: number): Box[] {
    return [...partsOf(this.direct(link)), ...partsOf(this.#led.get(link) ?? [])]
  }

  direct(link: number): Route {
    return directRoute(this.scene, this.places, link)
  }

  /** Whether a link may be seen in a box: by the cards at its ends, since lines go little beyond them unless they are led. */
  mayTouch(link: number, box: Box): boolean {
    if (!this.#isShown(link)) return false
    if (partsOf(this.#led.get(link) ?? []).some(part => overlap(part, box))) return true
    const { from, to } = this.scene.links
    const ends = around([from[link]!, to[link]!].map(card => boxOf(this.scene, this.places, card)))
    return ends !== undefined && overlap(grown(ends, 200), box)
  }

  /** Where cards and their links are drawn. */
  boxesOf(cards: Iterable<number>): Box[] {
    const all = [...cards]
    const lines = this.linksOf(all).flatMap(link => this.#coverOf(link))
    return [...this.#cardBoxes(all), ...lines]
  }

  /** Moves cards and returns the boxes whose picture changes; undefined: everything. */
  move(moved: ReadonlyMap<number, Point>): Box[] | undefined {
    return this.#change(new Set(moved.keys()), () => {
      for (const [card, { x, y }] of moved) {
        this.places.x[card] = x
        this.places.y[card] = y
      }
    })
  }

  setHidden(hidden: Hidden): Box[] | undefined {
    return this.#change(this.hidden.symmetricDifference(hidden), changed => {
      for (const card of changed) if (!this.hidden.delete(card)) this.hidden.add(card)
      this.#ties = undefined
    })
  }

  #change(cards: ReadonlySet<number>, apply: (cards: ReadonlySet<number>) => void): Box[] | undefined {
    if (cards.size === 0) return []
    if (this.#cards.moved + cards.size > mostMoved) {
      apply(cards)
      this.#index()
      return undefined
    }
    const framesBefore = this.frames
    const links = this.#touching(cards)
    const before = [...this.#cardBoxes(cards), ...links.flatMap(link => partsOf(this.direct(link)))]
    const boxes = this.#boxesOf(cards)
    apply(cards)
    this.#frames = undefined
    this.#labels.clear()
    for (const card of cards) this.#cards.move(card, boxOf(this.scene, this.places, card))
    const forgotten = this.#router.forget(cards, [...boxes, ...this.#boxesOf(cards)])
    const lines = [...new Set([...forgotten, ...links])].flatMap(link => this.#reset(link))
    return [...before, ...this.#cardBoxes(cards), ...lines, ...changedFrames(framesBefore, this.frames)]
  }

  #index(): void {
    this.#cards = indexCards(this.scene, this.places)
    this.#router = new Router(this.scene, this.places, this.hidden, this.#cards)
    this.#links = undefined
    this.#frames = undefined
    this.#labels.clear()
    this.#led.clear()
  }

  #boxesOf(cards: Iterable<number>): Box[] {
    return [...cards].map(card => boxOf(this.scene, this.places, card))
  }

  #cardBoxes(cards: Iterable<number>): Box[] {
    return this.#boxesOf(cards).map(box => grown(box, overhang))
  }

  /** Until it is led anew, a link is drawn directly; returns where it was and is. */
  #reset(link: number): Box[] {
    const before = this.#led.get(link) ?? []
    this.#led.delete(link)
    this.#links?.move(link, this.#coverOf(link))
    return [...partsOf(before), ...partsOf(this.direct(link))]
  }

  #touching(cards: Iterable<number>): number[] {
    const all = (this.#linksOf ??= linksByCard(this.scene))
    return [...new Set([...cards].flatMap(card => all[card] ?? []))]
  }

  #indexedLinks(): GridIndex {
    return (this.#links ??= new GridIndex(this.scene.links.count, (link, cover) => {
      for (const box of this.#coverOf(link)) cover(box)
    }))
  }

  /** Only links that run through a box: those drawn in one stroke must not depend on what the index lists. */
  #linesIn(box: Box, zoom: number): number[] {
    return this.linksIn(box).filter(link => {
      const route = this.route(link, zoom)
      for (let at = 0; at + 3 < route.length; at += 2) {
        const [x, y, endX, endY] = [route[at]!, route[at + 1]!, route[at + 2]!, route[at + 3]!]
        const isBeside = Math.max(x, endX) < box.left || Math.min(x, endX) > box.right
        if (!isBeside && Math.max(y, endY) >= box.top && Math.min(y, endY) <= box.bottom) return true
      }
      return false
    })
  }

  #isShown(link: number): boolean {
    const { from, to } = this.scene.links
    return !this.hidden.has(from[link]!) && !this.hidden.has(to[link]!)
  }

  #allTies(): Tie[] {
    return (this.#ties ??= this.frames.length > 0 ? tiesOf(this.scene, this.hidden) : [])
  }

  #labelsAt(zoom: number): AreaLabel[] {
    const existing = this.#labels.get(zoom)
    if (existing) return existing
    const isCentred = levelAt(zoom) === 'areas'
    const notes = isCentred ? differencesOf(this.scene, this.hidden, this.#marks) : undefined
    const labels = labelsOf(this.scene, this.frames, zoom, isCentred, notes)
    if (this.#labels.size > 16) this.#labels.clear()
    this.#labels.set(zoom, labels)
    return labels
  }
}

/** Whether lines of single links can be followed. */
function isLedAt(zoom: number): boolean {
  const level = levelAt(zoom)
  return level === 'rows' || level === 'heads'
}

/** Boxes around the parts of a line, with room for what stands at its ends. */
export function partsOf(route: ArrayLike<number>): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 3 < route.length; at += 2) {
    const [x, y, endX, endY] = [route[at]!, route[at + 1]!, route[at + 2]!, route[at + 3]!]
    const [left, right] = x < endX ? [x, endX] : [endX, x]
    const [top, bottom] = y < endY ? [y, endY] : [endY, y]
    boxes.push({ left: left - 8, top: top - 8, right: right + 8, bottom: bottom + 8 })
  }
  return boxes
}

function linksByCard({ count, links }: Scene): number[][] {
  const byCard: number[][] = Array.from({ length: count }, () => [])
  for (let link = 0; link < links.count; link++) {
    const [from, to] = [links.from[link]!, links.to[link]!]
    byCard[from]!.push(link)
    if (from !== to) byCard[to]!.push(link)
  }
  return byCard
}

/** A frame that grows or shrinks is painted anew as a whole, with its name above it. */
function changedFrames(before: readonly AreaFrame[], after: readonly AreaFrame[]): Box[] {
  const text = ({ area, box }: AreaFrame) => [area, box.left, box.top, box.right, box.bottom].join(' ')
  const [old, now] = [before, after].map(frames => new Map(frames.map(frame => [text(frame), frame])))
  const changed = [...before.filter(frame => !now?.has(text(frame))), ...after.filter(frame => !old?.has(text(frame)))]
  return changed.map(({ box: { left, top, right, bottom } }) => ({
    left: left - 8,
    top: top - 220,
    right: right + 8,
    bottom: bottom + 8,
  }))
}
