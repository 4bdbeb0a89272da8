import { describe, expect, it } from 'vitest'
import { framesOf, labelsOf, tiesOf } from './areas.ts'
import { overlap } from './geometry.ts'
import { sceneOf } from './testing/scenes.ts'

const scene = sceneOf(
  [2, 2, 2, 2],
  [
    { from: 0, to: 1 },
    { from: 0, to: 2 },
    { from: 3, to: 1 },
    { from: 2, to: 3 },
  ],
  [0, 0, 1, 1],
)
const places = { x: Float32Array.of(0, 300, 1000, 1000), y: Float32Array.of(0, 0, 0, 200) }
const none = new Set<number>()

describe('areas of a diagram', () => {
  it('have a frame around their visible cards', () => {
    expect(framesOf(scene, places, none).map(({ box }) => box)).toEqual([
      { left: -30, top: -30, right: 570, bottom: 106 },
      { left: 970, top: -30, right: 1270, bottom: 306 },
    ])
    expect(framesOf(scene, places, new Set([1]))[0]?.box.right).toBe(270)
  })

  it('have no frames where all visible cards are of one', () => {
    expect(framesOf(scene, places, new Set([2, 3]))).toEqual([])
  })

  it('are tied by the links between their visible cards', () => {
    expect(tiesOf(scene, none)).toEqual([{ from: 0, to: 1, weight: 2 }])
    expect(tiesOf(scene, new Set([2]))).toEqual([{ from: 0, to: 1, weight: 1 }])
    expect(tiesOf(scene, new Set([2, 3]))).toEqual([])
  })

  it('have names that do not overlap: the larger area keeps its name', () => {
    const count = 40
    const many = sceneOf(
      Array.from({ length: count }, () => 2),
      [],
      Array.from({ length: count }, (_, area) => area),
    )
    const row = { x: Float32Array.from({ length: count }, (_, card) => card * 320), y: new Float32Array(count) }
    const frames = framesOf(many, row, none)
    expect(labelsOf(many, frames, 1, false)).toHaveLength(count)
    const far = labelsOf(many, frames, 0.1, false)
    expect(far.length).toBeGreaterThan(0)
    expect(far.length).toBeLessThan(count)
    for (const label of far) expect(far.filter(other => overlap(label.box, other.box))).toEqual([label])
    const larger = { area: 7, box: { ...frames[7]!.box, bottom: 900 } }
    expect(labelsOf(many, frames.with(7, larger), 0.02, false)[0]?.text).toBe('Area 8')
  })
})
