import { describe, expect, it } from 'vitest'
import { steadied, toScreen } from './camera.ts'

describe('a camera whose canvas changes its size', () => {
  const camera = { x: 300, y: -40, zoom: 0.5 }
  const from = { x: 280, y: 200, width: 860, height: 650 }
  const inWindow = (at: typeof camera, frame: typeof from) => {
    const { x, y } = toScreen(at, frame, { x: 120, y: 80 })
    return { x: x + frame.x, y: y + frame.y }
  }

  it.each([
    ['a message below it', { ...from, height: 615 }],
    ['a note above it', { ...from, y: 235, height: 615 }],
    ['a panel before it', { ...from, x: 480, width: 660 }],
    ['a panel after it', { ...from, width: 500 }],
    ['panels on two sides', { x: 480, y: 200, width: 660, height: 300 }],
  ])('keeps what is seen at its place in the window beside %s', (_, to) => {
    expect(inWindow(steadied(camera, from, to), to)).toEqual(inWindow(camera, from))
  })

  it('keeps what is seen at its place in the canvas where the page has scrolled', () => {
    const to = { ...from, y: -900, height: 700 }
    expect(toScreen(steadied(camera, from, to), to, { x: 0, y: 0 })).toEqual(toScreen(camera, from, { x: 0, y: 0 }))
  })
})
