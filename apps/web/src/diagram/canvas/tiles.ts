import { overlap, type Box } from '@cadmus/diagram/geometry'
import type { Camera } from '../diagram.ts'
import { viewOf, type Size } from './camera.ts'

const side = 512
/** A tile has a megabyte. Those in view stay, whatever the size of the screen. */
const most = 96

/** A tile that is being painted; it shows its last picture until the new one is whole. */
type Job = { steps: Generator<void>; canvas: OffscreenCanvas }
type Tile = { column: number; row: number; image?: ImageBitmap; job?: Job; isFresh: boolean; used: number }
type Layer = { zoom: number; tiles: Map<number, Tile> }

export type PaintTile = (context: OffscreenCanvasRenderingContext2D, box: Box, zoom: number) => Generator<void>

/** Pictures of parts of the world, painted once for a zoom and then only moved about. */
export class Tiles {
  readonly #paint: PaintTile
  #layers: Layer[] = []
  #frame = 0
  #spare: OffscreenCanvas[] = []
  /** Pixels of the screen for each CSS pixel. */
  #ratio = 1

  constructor(paint: PaintTile) {
    this.#paint = paint
  }

  get count(): number {
    return this.#layers.reduce((sum, layer) => sum + layer.tiles.size, 0)
  }

  set ratio(ratio: number) {
    if (ratio !== this.#ratio) this.clear()
    this.#ratio = ratio
  }

  clear(): void {
    for (const layer of this.#layers) for (const tile of layer.tiles.values()) tile.image?.close()
    this.#layers = []
  }

  /** Tiles that show one of the boxes are painted anew; undefined: all. */
  outdate(boxes: readonly Box[] | undefined): void {
    if (boxes?.length === 0) return
    for (const layer of this.#layers) {
      for (const tile of layer.tiles.values()) {
        const box = this.#boxOf(layer, tile)
        if (boxes && !boxes.some(each => overlap(each, box))) continue
        tile.isFresh = false
        this.#stop(tile)
      }
    }
  }

  /** Paints what is missing in view, from the middle outwards, until the time is over. Returns whether all is sharp. */
  paint(camera: Camera, size: Size, isMoving: boolean, isOver: () => boolean): boolean {
    this.#frame++
    const layer = this.#layerFor(camera.zoom, isMoving)
    let isWhole = true
    for (const tile of this.#inView(layer, camera, size)) {
      tile.used = this.#frame
      if (tile.isFresh) continue
      isWhole = !isOver() && this.#advance(layer, tile, isOver) && isWhole
    }
    if (this.count > most) this.#forget()
    return isWhole && layer.zoom === camera.zoom
  }

  /** Draws the tiles; where some are missing, coarser ones below them. */
  draw(context: CanvasRenderingContext2D, camera: Camera, size: Size, isMoving: boolean): void {
    const layer = this.#layerFor(camera.zoom, isMoving)
    const missing = this.#inView(layer, camera, size).flatMap(tile => (tile.image ? [] : this.#boxOf(layer, tile)))
    const below =
      missing.length === 0 ? [] : this.#layers.filter(other => other !== layer && other.zoom < layer.zoom * 4)
    const distance = ({ zoom }: Layer) => Math.abs(Math.log(zoom / layer.zoom))
    below.sort((a, b) => distance(b) - distance(a))
    // Scaling pictures is slow without a graphics card: only those that show through are drawn.
    for (const each of below.slice(-3)) this.#drawLayer(context, each, camera, size, missing)
    this.#drawLayer(context, layer, camera, size)
  }

  #drawLayer(
    context: CanvasRenderingContext2D,
    layer: Layer,
    camera: Camera,
    size: Size,
    within?: readonly Box[],
  ): void {
    const view = viewOf(camera, size)
    const scale = camera.zoom * this.#ratio
    const isExact = layer.zoom === camera.zoom
    const length = (side * camera.zoom) / layer.zoom
    // Rounded once: tiles of the exact layer lie on whole pixels beside one another.
    const [left, top] = isExact
      ? [Math.round(view.left * scale), Math.round(view.top * scale)]
      : [view.left * scale, view.top * scale]
    context.imageSmoothingEnabled = !isExact
    for (const tile of layer.tiles.values()) {
      const { image, column, row } = tile
      if (!image || within?.every(box => !overlap(box, this.#boxOf(layer, tile)))) continue
      const [x, y] = [Math.floor(column * length - left), Math.floor(row * length - top)]
      const [right, bottom] = [Math.ceil((column + 1) * length - left), Math.ceil((row + 1) * length - top)]
      if (right < 0 || bottom < 0 || x > context.canvas.width || y > context.canvas.height) continue
      context.drawImage(image, x, y, right - x, bottom - y)
    }
  }

  /** While zooming, layers are a root of two apart; at rest there is one of exactly the zoom. */
  #layerFor(zoom: number, isMoving: boolean): Layer {
    const exact = this.#layers.find(layer => layer.zoom === zoom)
    if (exact) return exact
    const step = isMoving ? 2 ** (Math.round(Math.log2(zoom) * 2) / 2) : zoom
    const existing = this.#layers.find(layer => layer.zoom === step)
    if (existing) return existing
    const layer: Layer = { zoom: step, tiles: new Map() }
    this.#layers.push(layer)
    return layer
  }

  #inView(layer: Layer, camera: Camera, size: Size): Tile[] {
    const world = side / layer.zoom / this.#ratio
    const { left, top, right, bottom } = viewOf(camera, size)
    const tiles: Tile[] = []
    for (let row = Math.floor(top / world); row * world < bottom; row++)
      for (let column = Math.floor(left / world); column * world < right; column++)
        tiles.push(this.#tileAt(layer, column, row))
    const distance = ({ column, row }: Tile) =>
      Math.hypot((column + 0.5) * world - camera.x, (row + 0.5) * world - camera.y)
    return tiles.sort((a, b) => distance(a) - distance(b))
  }

  #tileAt(layer: Layer, column: number, row: number): Tile {
    const key = row * 0x100_0000 + column
    const existing = layer.tiles.get(key)
    if (existing) return existing
    const tile: Tile = { column, row, isFresh: false, used: this.#frame }
    layer.tiles.set(key, tile)
    return tile
  }

  #boxOf(layer: Layer, { column, row }: Tile): Box {
    const world = side / layer.zoom / this.#ratio
    return { left: column * world, top: row * world, right: (column + 1) * world, bottom: (row + 1) * world }
  }

  #advance(layer: Layer, tile: Tile, isOver: () => boolean): boolean {
    const job = (tile.job ??= this.#start(layer, tile))
    while (!job.steps.next().done) if (isOver()) return false
    tile.image?.close()
    tile.image = job.canvas.transferToImageBitmap()
    tile.isFresh = true
    this.#stop(tile)
    return true
  }

  #start(layer: Layer, tile: Tile): Job {
    const canvas = this.#spare.pop() ?? new OffscreenCanvas(side, side)
    const context = canvas.getContext('2d', { alpha: false })!
    context.reset()
    const box = this.#boxOf(layer, tile)
    const scale = layer.zoom * this.#ratio
    context.setTransform(scale, 0, 0, scale, -box.left * scale, -box.top * scale)
    return { canvas, steps: this.#paint(context, box, layer.zoom) }
  }

  #stop(tile: Tile): void {
    if (tile.job) this.#spare.push(tile.job.canvas)
    delete tile.job
  }

  #forget(): void {
    const all = this.#layers.flatMap(layer => [...layer.tiles].map(([key, tile]) => ({ layer, key, tile })))
    all.sort((a, b) => b.tile.used - a.tile.used)
    for (const { layer, key, tile } of all.slice(most)) {
      if (tile.used === this.#frame) continue
      tile.image?.close()
      this.#stop(tile)
      layer.tiles.delete(key)
    }
    this.#layers = this.#layers.filter(layer => layer.tiles.size > 0)
    this.#spare.length = Math.min(this.#spare.length, 4)
  }
}
