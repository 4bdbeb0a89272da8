import '../../styles/index.css'
import { layoutByAreas } from '@cadmus/diagram/layout/by-areas'
import type { Places, Row, Scene } from '@cadmus/diagram/scene'
import { generatedScene } from '@cadmus/diagram/testing/scenes'
import { DiagramEngine } from '../../diagram/canvas/engine.ts'
import { pngOf, printDiagram, svgOf } from '../../diagram/canvas/export.ts'
import type { Camera, Picture } from '../../diagram/diagram.ts'
import { layout } from '../../diagram/layout.ts'

/** A page with an engine alone, for tests and benchmarks. */
export class DiagramPage {
  engine!: DiagramEngine
  picture!: Picture
  requested: number[] = []
  rested: Camera[] = []
  /** Tiles that were painted, and those that are held. */
  painted = 0
  held = 0
  readonly exports = { svgOf, pngOf, printDiagram }
  readonly layout = layout
  #whole: (() => void)[] = []

  /** Opens a generated model, with all rows or none. Milliseconds from its data to the first whole picture. */
  async open(count: number, options: { perArea?: number; rows?: 'loaded' | 'none' } = {}): Promise<number> {
    const scene = named(generatedScene({ count, perArea: options.perArea ?? 25 }))
    const places = layoutByAreas(scene)
    const rows = options.rows === 'none' ? () => undefined : rowsOf(scene)
    const start = performance.now()
    await this.start(pictureOf(scene, places, rows))
    this.engine.fit()
    await this.whole()
    return performance.now() - start
  }

  async start(picture: Picture): Promise<void> {
    // Pictures before and after it came differ.
    await document.fonts.load('13px Inter')
    this.engine?.dispose()
    this.picture = picture
    const host = document.querySelector('main')!
    host.style.height = '100vh'
    this.engine = new DiagramEngine(host, {
      needsRows: cards => this.requested.push(...cards),
      rested: camera => this.rested.push(camera),
      drawn: isWhole => {
        if (isWhole) for (const done of this.#whole.splice(0)) done()
      },
    })
    this.engine.show(picture)
  }

  change(part: Partial<Picture>): Promise<void> {
    this.picture = { ...this.picture, ...part }
    this.engine.show(this.picture)
    return this.whole()
  }

  /** Looks at a card, at a zoom, until all is sharp; milliseconds. */
  async lookAt(card: number, zoom: number): Promise<number> {
    const start = performance.now()
    this.engine.look({ x: this.picture.places.x[card]! + 120, y: this.picture.places.y[card]! + 150, zoom })
    await this.whole()
    return performance.now() - start
  }

  /** The pixels of the canvas as text. */
  get pixels(): string {
    return document.querySelector('canvas')!.toDataURL()
  }

  /** A card of the clinic, whose places are known, with its rows. */
  async openClinic(part: Partial<Picture> = {}): Promise<void> {
    const { scene, places } = clinic()
    await this.start({ ...pictureOf(scene, places, rowsOf(scene)), ...part })
    this.engine.look({ x: 300, y: 150, zoom: 1 })
    await this.whole()
  }

  /** The same picture and camera in an engine that painted nothing before. */
  async again(): Promise<void> {
    const { camera } = this.engine
    await this.start(this.picture)
    this.engine.look(camera)
    await this.whole()
  }

  /** Moves the camera for some milliseconds; the milliseconds between frames. */
  fly(kind: 'pan' | 'zoom', milliseconds: number): Promise<number[]> {
    const { engine } = this
    const { x, y, zoom } = engine.camera
    const view = innerWidth / zoom
    return frames(milliseconds, share => {
      if (kind === 'pan') engine.look({ x: x + view * 3 * share, y: y + view * 0.6 * Math.sin(share * 6), zoom })
      else engine.look({ x: x + view * 0.3 * Math.sin(share * 3), y, zoom: zoom * 4 ** Math.sin(share * Math.PI * 2) })
    })
  }

  /** Carries a card about and drops it. */
  async drag(card: number, milliseconds: number): Promise<number[]> {
    this.engine.lift([card])
    const gaps = await frames(milliseconds, share => this.engine.carry({ x: share * 900, y: share * 300 }))
    this.engine.drop()
    return gaps
  }

  /** The card with most links. */
  get hub(): number {
    const { count, links } = this.picture.scene
    const counts = new Uint32Array(count)
    for (const ends of [links.from, links.to]) for (const card of ends) counts[card]!++
    return counts.indexOf(Math.max(...counts))
  }

  /** When everything in view is sharp. */
  whole(): Promise<void> {
    this.engine.look(this.engine.camera)
    return new Promise(resolve => this.#whole.push(resolve))
  }
}

function frames(milliseconds: number, move: (share: number) => void): Promise<number[]> {
  return new Promise(resolve => {
    const gaps: number[] = []
    const start = performance.now()
    let last = start
    const frame = (now: number) => {
      gaps.push(now - last)
      last = now
      const share = (now - start) / milliseconds
      if (share >= 1) return resolve(gaps.slice(1))
      move(share)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

export function pictureOf(scene: Scene, places: Places, rows: Picture['rows']): Picture {
  return {
    scene,
    places,
    rows,
    hidden: new Set(),
    detail: 'all',
    chosen: new Set(),
    focused: null,
    marks: new Map(),
    linkMarks: new Map(),
    way: new Set(),
    hiddenNeighbours: new Map(),
  }
}

const words = ['customer', 'order', 'invoice', 'line', 'product', 'price', 'address', 'contact', 'visit', 'payment']
const types = ['varchar(40)', 'integer', 'decimal(10,2)', 'timestamp', 'boolean', 'text', 'date']

function wordAt(index: number): string {
  return words[index % words.length]!
}

function named(scene: Scene): Scene {
  const names = scene.names.map((_, card) => `${wordAt(card)}_${wordAt(card * 7 + 3)}_${card}`)
  return { ...scene, names, areaNames: scene.areaNames.map((_, area) => `${wordAt(area * 3)} management ${area + 1}`) }
}

function rowsOf({ rowCounts, links }: Scene): Picture['rows'] {
  const references = new Set<string>()
  for (let link = 0; link < links.count; link++) references.add(`${links.from[link]} ${links.row[link]}`)
  const cache = new Map<number, Row[]>()
  const rowAt = (card: number, row: number): Row => ({
    uid: `row-${card}-${row}`,
    name: row === 0 ? 'id' : `${wordAt(row)}_${wordAt(row + card)}`,
    type: types[(row + card) % types.length]!,
    kind: row === 0 ? 'key' : references.has(`${card} ${row}`) ? 'reference' : 'attribute',
    nullable: row % 3 === 2,
  })
  return card => {
    const existing = cache.get(card)
    if (existing) return existing
    const rows = Array.from({ length: rowCounts[card]! }, (_, row) => rowAt(card, row))
    cache.set(card, rows)
    return rows
  }
}

/** Two areas of two entities each; Visit refers to Patient by its second row, and Bill to itself. */
function clinic(): { scene: Scene; places: Places } {
  const links = { count: 2, uids: ['a', 'b'], from: Int32Array.of(1, 3), to: Int32Array.of(0, 3) }
  const scene: Scene = {
    count: 4,
    uids: ['patient', 'visit', 'doctor', 'bill'],
    names: ['Patient', 'Visit', 'Doctor', '<b>&"Bill\u0000\uD800'],
    areas: Int32Array.of(0, 0, 1, 1),
    areaNames: ['Care', 'Staff & <money>'],
    rowCounts: Int32Array.of(3, 4, 2, 3),
    links: { ...links, row: Int32Array.of(1, 1), ends: Uint8Array.of(0, 2) },
  }
  return { scene, places: { x: Float32Array.of(0, 400, 0, 400), y: Float32Array.of(0, 0, 260, 260) } }
}

declare global {
  var diagramPage: DiagramPage
}
const page = new DiagramPage()
globalThis.diagramPage = page
const { transferToImageBitmap } = OffscreenCanvas.prototype
const { close } = ImageBitmap.prototype
OffscreenCanvas.prototype.transferToImageBitmap = function () {
  page.painted++
  page.held++
  return transferToImageBitmap.call(this)
}
ImageBitmap.prototype.close = function () {
  page.held--
  close.call(this)
}
