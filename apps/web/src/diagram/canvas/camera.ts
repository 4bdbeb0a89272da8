import type { Box, Point } from '@cadmus/diagram/geometry'
import type { Camera } from '../diagram.ts'

export type Size = { readonly width: number; readonly height: number }

/** Where the canvas lies in the window. */
export type Frame = Size & Point

const zooms = { least: 0.01, most: 2.5 } as const

/** Screen points are CSS pixels from the left upper corner of the canvas. */
export function toWorld({ x, y, zoom }: Camera, { width, height }: Size, point: Point): Point {
  return { x: x + (point.x - width / 2) / zoom, y: y + (point.y - height / 2) / zoom }
}

export function toScreen({ x, y, zoom }: Camera, { width, height }: Size, point: Point): Point {
  return { x: (point.x - x) * zoom + width / 2, y: (point.y - y) * zoom + height / 2 }
}

/** The part of the world that is seen. */
export function viewOf({ x, y, zoom }: Camera, { width, height }: Size): Box {
  const [across, down] = [width / 2 / zoom, height / 2 / zoom]
  return { left: x - across, top: y - down, right: x + across, bottom: y + down }
}

export function boundedZoom(zoom: number): number {
  return Math.min(zooms.most, Math.max(zooms.least, zoom))
}

/** Shows a whole box, not larger than life. */
export function cameraOn({ left, top, right, bottom }: Box, { width, height }: Size, margin = 48): Camera {
  const room = { width: Math.max(1, width - 2 * margin), height: Math.max(1, height - 2 * margin) }
  const zoom = Math.min(1, room.width / (right - left), room.height / (bottom - top))
  return { x: (left + right) / 2, y: (top + bottom) / 2, zoom: boundedZoom(zoom) }
}

/** What is seen stays at its place in the window while the canvas gives way to a message, a note or a panel. */
export function steadied(camera: Camera, from: Frame, to: Frame): Camera {
  const across = movedMiddle(from.x, from.width, to.x, to.width)
  const down = movedMiddle(from.y, from.height, to.y, to.height)
  return { ...camera, x: camera.x + across / camera.zoom, y: camera.y + down / camera.zoom }
}

/** Pages that scroll move both edges of the canvas: what is seen then stays at the first one. */
function movedMiddle(from: number, fromLength: number, to: number, toLength: number): number {
  const isEndFixed = Math.abs(from + fromLength - to - toLength) < 1
  return ((toLength - fromLength) / 2) * (isEndFixed ? -1 : 1)
}

/** Zooms so that what lies under a point of the screen stays there. */
export function zoomedAround(camera: Camera, size: Size, zoom: number, point: Point): Camera {
  const next = boundedZoom(zoom)
  const fixed = toWorld(camera, size, point)
  return {
    x: fixed.x - (point.x - size.width / 2) / next,
    y: fixed.y - (point.y - size.height / 2) / next,
    zoom: next,
  }
}

/** The least move of the camera after which a box is seen with a margin; its middle where it is larger than the view. */
export function revealing(camera: Camera, size: Size, box: Box, margin = 40): Camera {
  const view = viewOf(camera, size)
  const gap = margin / camera.zoom
  return {
    x: camera.x + shift(view.left + gap, view.right - gap, box.left, box.right),
    y: camera.y + shift(view.top + gap, view.bottom - gap, box.top, box.bottom),
    zoom: camera.zoom,
  }
}

function shift(start: number, end: number, from: number, to: number): number {
  if (to - from > end - start) return (from + to) / 2 - (start + end) / 2
  if (from < start) return from - start
  return to > end ? to - end : 0
}
