import { levelAt, type Drawing } from '@cadmus/diagram/drawing'
import { around, boxOf, grown, isWithin, type Box, type Point } from '@cadmus/diagram/geometry'
import { paint } from '@cadmus/diagram/painter'
import type { Palette } from '@cadmus/diagram/palette'
import { CanvasPen } from '@cadmus/diagram/pens/canvas-pen'
import type { Row } from '@cadmus/diagram/scene'
import type { Camera, Hit, Picture } from '../diagram.ts'
import {
  boundedZoom,
  cameraOn,
  revealing,
  steadied,
  toScreen,
  toWorld,
  viewOf,
  zoomedAround,
  type Frame,
  type Size,
} from './camera.ts'
import styles from './canvas.module.css'
import { paletteOf, watchColours } from './colours.ts'
import { changesOf, isEmphasised } from './changes.ts'
import { Ground } from './ground.ts'
import { hitAt } from './hit.ts'
import { mostNear, nearFrom, NearTexts } from './near-texts.ts'
import { mostAbove, paintOverlay, type Band, type Draft } from './overlay.ts'
import { Pace } from './pace.ts'
import { Tiles } from './tiles.ts'

/** Milliseconds of a frame for leading links around cards, and at rest, when nothing moves, for painting tiles. */
const budgets = { moving: { lead: 2 }, resting: { lead: 26, paint: 26 } } as const
/** The camera rests when it was not moved for so many milliseconds. */
const restAfter = 120
/** Rows are requested for at most so many cards at once. */
const mostRows = 200
/** Rows become readable at 0.5; a little before, they are requested. */
const rowsFrom = 0.4

export type DiagramEvents = {
  /** Cards in view whose rows are not there yet. */
  needsRows: (cards: readonly number[]) => void
  /** After the camera has moved and rests. */
  rested?: (camera: Camera) => void
  /** After a frame; `isWhole`: everything in view is sharp and in its place. */
  drawn?: (isWhole: boolean) => void
}

/** Draws a picture of a diagram on a canvas in an element, at any size, and reports what lies where. */
export class DiagramEngine {
  readonly #host: HTMLElement
  readonly #events: DiagramEvents
  readonly #canvas = document.createElement('canvas')
  readonly #context: CanvasRenderingContext2D
  readonly #texts: NearTexts
  readonly #tiles: Tiles
  readonly #pace = new Pace()
  readonly #end = new AbortController()
  #size: Size = { width: 0, height: 0 }
  /** Where the canvas lay when it was last seen. */
  #place: Frame | undefined
  #ratio = 1
  #camera: Camera = { x: 0, y: 0, zoom: 1 }
  /** Nobody has moved the camera or a card since everything was shown. */
  #isWhole = false
  #picture: Picture | undefined
  #ground: Ground | undefined
  #palette: Palette
  readonly #paintedRows = new Map<number, readonly Row[] | undefined>()
  #requested = ''
  readonly #lifted = new Map<number, Point>()
  /** Dropped cards stay above the tiles until these show them. */
  readonly #settling = new Set<number>()
  #hovered: number | null = null
  #band: Band | null = null
  #draft: Draft | null = null
  #frame = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #movedAt = -Infinity
  #lookedAt = -Infinity
  #hasRested = true

  constructor(host: HTMLElement, events: DiagramEvents) {
    this.#host = host
    this.#events = events
    host.classList.add(styles['host'] ?? '', styles['colours'] ?? '')
    this.#canvas.className = styles['canvas'] ?? ''
    host.append(this.#canvas)
    this.#context = this.#canvas.getContext('2d', { alpha: false })!
    this.#texts = new NearTexts(host)
    this.#tiles = new Tiles((context, box, zoom) => this.#paintTile(new CanvasPen(context), box, zoom))
    this.#palette = paletteOf(host)
    this.#watch()
  }

  get camera(): Camera {
    return this.#camera
  }

  /** Shows a picture; what is the same as in the last one is not painted again. */
  show(picture: Picture): void {
    const last = this.#picture
    this.#picture = picture
    if (!last || !this.#ground || last.scene !== picture.scene || last.linkMarks !== picture.linkMarks)
      this.#showScene(picture)
    else {
      this.#outdate(this.#ground.move(this.#movedIn(this.#ground, picture)))
      this.#outdate(this.#ground.setHidden(picture.hidden))
      this.#outdate(changesOf(this.#ground, last, picture, this.#paintedRows))
    }
    this.#request()
  }

  look(camera: Camera): void {
    this.#isWhole = false
    this.#camera = { ...camera, zoom: boundedZoom(camera.zoom) }
    const now = performance.now()
    // A single look is a jump: what is seen stands still at once.
    this.#movedAt = now - this.#lookedAt < restAfter ? now : -Infinity
    this.#lookedAt = now
    this.#hasRested = false
    this.#request()
  }

  /** Everything that is not hidden, or some cards. */
  fit(cards?: Iterable<number>): void {
    const box = this.#around(cards)
    if (!box) return
    this.look(cameraOn(box, this.#size))
    this.#isWhole = cards === undefined
  }

  /** Shows everything again where some of it went out of view and nobody has moved the camera or carried a card since then. */
  keepWhole(): void {
    const box = this.#isWhole ? this.#around() : undefined
    if (box && !isWithin(box, viewOf(this.#camera, this.#size))) this.fit()
  }

  #around(cards?: Iterable<number>): Box | undefined {
    const ground = this.#ground
    if (!ground) return undefined
    const shown = cards ? [...cards] : Array.from({ length: ground.scene.count }, (_, card) => card)
    return around(shown.filter(card => !ground.hidden.has(card)).map(card => boxOf(ground.scene, ground.places, card)))
  }

  zoomTo(zoom: number, point: Point = { x: this.#size.width / 2, y: this.#size.height / 2 }): void {
    this.look(zoomedAround(this.#camera, this.#size, zoom, point))
  }

  reveal(card: number): void {
    const box = this.boxOf(card)
    if (box) this.look(revealing(this.#camera, this.#size, box))
  }

  toWorld(point: Point): Point {
    return toWorld(this.#camera, this.#size, point)
  }

  toScreen(point: Point): Point {
    return toScreen(this.#camera, this.#size, point)
  }

  /** The box of a card in world pixels, where it is drawn now. */
  boxOf(card: number): Box | undefined {
    const ground = this.#ground
    return ground && card < ground.scene.count ? boxOf(ground.scene, ground.places, card) : undefined
  }

  hit(point: Point): Hit {
    if (!this.#ground || !this.#picture) return { kind: 'ground' }
    return hitAt(this.#ground, this.#picture, this.toWorld(point), this.#camera.zoom)
  }

  /** Shows the handles of the card under the pointer. */
  hover(card: number | null): void {
    if (card === this.#hovered) return
    this.#hovered = card
    this.#request()
  }

  /** Takes cards out of their tiles, to be carried. */
  lift(cards: readonly number[]): void {
    this.#isWhole = false
    const ground = this.#ground
    if (!ground) return
    this.drop()
    for (const card of cards) this.#lifted.set(card, { x: ground.places.x[card]!, y: ground.places.y[card]! })
    this.#outdateCards(cards)
    this.#texts.clear()
    this.#request()
  }

  /** World pixels from where the cards were lifted. */
  carry({ x, y }: Point): void {
    const ground = this.#ground
    if (!ground) return
    for (const [card, from] of this.#lifted) {
      ground.places.x[card] = from.x + x
      ground.places.y[card] = from.y + y
    }
    this.#request()
  }

  /** Puts lifted cards down where they are; the next picture says whether they stay there. */
  drop(): void {
    const ground = this.#ground
    if (!ground || this.#lifted.size === 0) return
    const to = new Map(
      [...this.#lifted.keys()].map(card => [card, { x: ground.places.x[card]!, y: ground.places.y[card]! }]),
    )
    // The index knows the cards where they were lifted.
    this.carry({ x: 0, y: 0 })
    for (const card of this.#lifted.keys()) this.#settling.add(card)
    this.#lifted.clear()
    this.#outdate(ground.move(to))
    this.#request()
  }

  band(corners: Band | null): void {
    this.#band = corners
    this.#request()
  }

  draft(line: Draft | null): void {
    this.#draft = line
    this.#request()
  }

  dispose(): void {
    this.#end.abort()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#timer)
    this.#tiles.clear()
    this.#host.replaceChildren()
    this.#host.classList.remove(styles['host'] ?? '', styles['colours'] ?? '')
  }

  #showScene(picture: Picture): void {
    this.#lifted.clear()
    this.#settling.clear()
    this.#hovered = null
    this.#paintedRows.clear()
    this.#ground = new Ground(picture.scene, picture.places, picture.hidden, picture)
    this.#tiles.outdate(undefined)
  }

  /** Cards that lie elsewhere in the picture than they are drawn; carried ones stay in the hand. */
  #movedIn({ places, scene }: Ground, picture: Picture): Map<number, Point> {
    const moved = new Map<number, Point>()
    for (let card = 0; card < scene.count; card++) {
      const [x, y] = [picture.places.x[card]!, picture.places.y[card]!]
      if ((places.x[card] !== x || places.y[card] !== y) && !this.#lifted.has(card)) moved.set(card, { x, y })
    }
    return moved
  }

  #watch(): void {
    const { signal } = this.#end
    const sizes = new ResizeObserver(() => this.#resize())
    sizes.observe(this.#host)
    signal.addEventListener('abort', () => sizes.disconnect())
    this.#watchRatio()
    watchColours(() => {
      this.#palette = paletteOf(this.#host)
      this.#tiles.clear()
      this.#request()
    }, signal)
    // Texts may have been painted before their font was there.
    document.fonts.addEventListener('loadingdone', () => this.#outdate(undefined), { signal })
  }

  /** A query is about one ratio: the next change needs another. */
  #watchRatio(): void {
    this.#resize()
    const { signal } = this.#end
    const ratio = matchMedia(`(resolution: ${devicePixelRatio}dppx)`)
    ratio.addEventListener('change', () => this.#watchRatio(), { once: true, signal })
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#host
    this.#ratio = Math.min(2, Math.max(1, devicePixelRatio))
    this.#tiles.ratio = this.#ratio
    const { left: x, top: y } = this.#host.getBoundingClientRect()
    const place = { x, y, width, height }
    if (this.#place && width > 0) this.#camera = steadied(this.#camera, this.#place, place)
    const isOtherWidth = width > 0 && width !== this.#place?.width
    if (width > 0) this.#place = place
    this.#size = place
    // Messages, which come and go, change the height.
    if (isOtherWidth) this.keepWhole()
    this.#canvas.width = Math.round(width * this.#ratio)
    this.#canvas.height = Math.round(height * this.#ratio)
    // Setting the size clears the canvas: draw before the browser shows it.
    this.#draw()
  }

  #request(): void {
    if (this.#frame === 0 && !this.#end.signal.aborted) this.#frame = requestAnimationFrame(() => this.#draw())
  }

  #outdate(boxes: readonly Box[] | undefined): void {
    this.#tiles.outdate(boxes)
    this.#request()
  }

  #outdateCards(cards: Iterable<number>): void {
    const ground = this.#ground
    if (ground) this.#outdate(ground.boxesOf(cards))
  }

  #draw(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    const { width, height } = this.#canvas
    const context = this.#context
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.globalAlpha = 1
    context.fillStyle = this.#palette.ground
    const start = performance.now()
    const isMoving = start - this.#movedAt < restAfter
    const isWhole = this.#advance(isMoving, start)
    // The tiles show them now.
    if (isWhole && this.#lifted.size === 0) this.#settling.clear()
    context.fillRect(0, 0, width, height)
    this.#tiles.draw(context, this.#camera, this.#size, isMoving)
    this.#drawOverlay()
    if (!isWhole) this.#request()
    if (isWhole || !isMoving) this.#pace.pause()
    if (isMoving) this.#wakeAtRest()
    else this.#rest(isWhole)
    this.#texts.move(this.#camera, this.#size)
    this.#events.drawn?.(isWhole && !isMoving)
  }

  /** Leads links and paints tiles as far as there is time. */
  #advance(isMoving: boolean, start: number): boolean {
    if (!this.#ground) return true
    const { lead } = isMoving ? budgets.moving : budgets.resting
    const most = isMoving ? this.#pace.next(start) : budgets.resting.paint
    const isOver = (milliseconds: number) => () => performance.now() - start > milliseconds
    const view = viewOf(this.#camera, this.#size)
    const { changed, isDone } = this.#ground.lead(view, this.#camera.zoom, isMoving, isOver(lead))
    this.#tiles.outdate(changed)
    return this.#tiles.paint(this.#camera, this.#size, isMoving, isOver(most)) && isDone
  }

  #wakeAtRest(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#request(), restAfter)
  }

  #rest(isWhole: boolean): void {
    if (!this.#hasRested) this.#events.rested?.(this.#camera)
    this.#hasRested = true
    this.#requestRows()
    this.#showTexts()
    if (isWhole) this.#finish()
  }

  /** While all is painted, prepares what comes next. */
  #finish(): void {
    const start = performance.now()
    const isOver = () => performance.now() - start > budgets.resting.lead
    const changed = this.#ground?.leadRest(viewOf(this.#camera, this.#size), this.#camera.zoom, isOver) ?? []
    if (changed.length > 0) this.#outdate(changed)
    else this.#ground?.prepare()
  }

  #requestRows(): void {
    const [ground, picture] = [this.#ground, this.#picture]
    if (!ground || !picture || this.#camera.zoom < rowsFrom) return
    const cards = ground
      .cardsIn(grown(viewOf(this.#camera, this.#size), 200))
      .filter(card => ground.scene.rowCounts[card]! > 0 && !picture.rows(card))
      .slice(0, mostRows)
    const requested = cards.join(' ')
    if (requested === this.#requested) return
    this.#requested = requested
    if (cards.length > 0) this.#events.needsRows(cards)
  }

  #showTexts(): void {
    const drawing = this.#drawingAt(this.#camera.zoom)
    const isNear = this.#camera.zoom >= nearFrom && this.#lifted.size === 0
    const cards = isNear && this.#ground ? this.#ground.cardsIn(viewOf(this.#camera, this.#size)) : []
    if (drawing && cards.length > 0 && cards.length <= mostNear)
      this.#texts.show(drawing, cards, this.#camera, this.#size)
    else this.#texts.clear()
  }

  #drawingAt(zoom: number): Drawing | undefined {
    const [ground, picture] = [this.#ground, this.#picture]
    if (!ground || !picture) return undefined
    const { scene, places, hidden } = ground
    const { marks, linkMarks, hiddenNeighbours } = picture
    return {
      scene,
      places,
      hidden,
      marks,
      linkMarks,
      hiddenNeighbours,
      palette: this.#palette,
      isPale: isEmphasised(picture),
      rows: card => {
        const rows = picture.rows(card)
        this.#paintedRows.set(card, rows)
        return rows
      },
      route: link => (this.#isLoose(link) ? ground.direct(link) : ground.route(link, zoom)),
    }
  }

  /** Whether a link moves with a card in the hand. */
  #isLoose(link: number): boolean {
    if (this.#lifted.size === 0 || !this.#ground) return false
    const { from, to } = this.#ground.scene.links
    return this.#lifted.has(from[link]!) || this.#lifted.has(to[link]!)
  }

  *#paintTile(pen: CanvasPen, box: Box, zoom: number): Generator<void> {
    const { left, top, right, bottom } = box
    pen.box(left, top, right - left, bottom - top, { fill: this.#palette.ground })
    const drawing = this.#drawingAt(zoom)
    if (!drawing || !this.#ground) return
    const part = this.#ground.part(box, zoom)
    yield
    const cards = part.cards.filter(card => !this.#lifted.has(card))
    const links = part.links.filter(link => !this.#isLoose(link))
    yield* paint(pen, drawing, { ...part, cards, links }, zoom)
  }

  #drawOverlay(): void {
    const [picture, ground, camera] = [this.#picture, this.#ground, this.#camera]
    const drawing = this.#drawingAt(camera.zoom)
    if (!picture || !ground || !drawing) return
    const scale = camera.zoom * this.#ratio
    const view = viewOf(camera, this.#size)
    this.#context.setTransform(scale, 0, 0, scale, -Math.round(view.left * scale), -Math.round(view.top * scale))
    const lifted = [...this.#lifted.keys(), ...this.#settling]
    const overlay = {
      lifted,
      hovered: this.#hovered,
      band: this.#band,
      draft: this.#draft,
      chosen: picture.chosen,
      focused: picture.focused,
      links: this.#accentedIn(view, lifted),
    }
    paintOverlay(new CanvasPen(this.#context), drawing, overlay, view, camera.zoom)
  }

  /** Links of what is chosen or carried, and those of a way, as far as they may be in view. */
  #accentedIn(view: Box, lifted: readonly number[]): number[] {
    const [picture, ground] = [this.#picture, this.#ground]
    if (!picture || !ground || levelAt(this.#camera.zoom) === 'areas') return []
    const cards = new Set([...picture.chosen, ...lifted])
    const links = cards.size > mostAbove ? [] : ground.linksOf(cards)
    const inView = [...new Set([...picture.way, ...links])].filter(link => ground.mayTouch(link, view))
    return inView.slice(0, mostAbove)
  }
}
