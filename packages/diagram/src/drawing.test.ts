import { describe, expect, it } from 'vitest'
import { overhang, portBox, portsFrom } from './drawing.ts'
import { paintPort } from './card-painter.ts'
import { boxOf } from './geometry.ts'
import { sceneOf } from './testing/scenes.ts'
import type { Drawing } from './drawing.ts'
import type { Pen } from './pens/pen.ts'

const scene = sceneOf([3], [])
const places = { x: Float32Array.of(0), y: Float32Array.of(0) }

describe('ports of cards with hidden neighbours', () => {
  it.each([portsFrom, 0.35, 0.5, 0.79, 1, 2])('can be read at zoom %d, and stand within what is painted', zoom => {
    const sizes: number[] = []
    const pen = { box: () => undefined, text: (_text, _x, _y, { size }) => sizes.push(size) } as Partial<Pen> as Pen
    const drawing = { scene, places, palette: {}, hiddenNeighbours: new Map([[0, 2]]) } as unknown as Drawing
    paintPort(pen, drawing, 0, zoom)
    expect(sizes).toHaveLength(1)
    expect(sizes[0]! * zoom).toBeGreaterThanOrEqual(11 - 1e-9)
    const [box, card] = [portBox(scene, places, 0, zoom), boxOf(scene, places, 0)]
    expect(box.bottom - card.bottom).toBeLessThanOrEqual(overhang)
    expect(box.left).toBeGreaterThanOrEqual(card.left)
  })
})
