import { describe, expect, it } from 'vitest'
import { differencesOf, framesOf, labelsOf, tiesOf } from './areas.ts'
import { levelAt, type Drawing } from './drawing.ts'
import { paintLegend } from './legend.ts'
import { paint } from './painter.ts'
import type { Palette } from './palette.ts'
import { SvgPen } from './pens/svg-pen.ts'
import { directRoute } from './routes/route.ts'
import { linkEnds, type Row } from './scene.ts'
import { sceneOf } from './testing/scenes.ts'

const palette: Palette = {
  ground: 'ground',
  surface: 'surface',
  line: 'line',
  text: 'text',
  muted: 'muted',
  edge: 'edge',
  key: 'key',
  reference: 'reference',
  bar: 'bar',
  frame: 'frame',
  accent: 'accent',
  onAccent: 'on-accent',
  tints: ['tint-1', 'tint-2'],
  blocks: ['block-1', 'block-2'],
  marks: { added: 'green', removed: 'red', changed: 'amber', problem: 'orange', unsaved: 'blue' },
}
const scene = sceneOf([5, 5, 1], [{ from: 1, to: 0, row: 1 }], [0, 0, 1])
const places = { x: Float32Array.of(0, 400, 800), y: Float32Array.of(0, 0, 0) }
const rows: Row[] = [
  { uid: 'a', name: 'id', type: 'integer', kind: 'key', nullable: false },
  { uid: 'b', name: 'patient_id', type: 'integer', kind: 'reference', nullable: true },
]

function drawn(zoom: number, changes: Partial<Drawing> = {}): string {
  const drawing: Drawing = {
    scene,
    places,
    palette,
    hidden: new Set(),
    rows: () => rows,
    marks: new Map(),
    linkMarks: new Map(),
    hiddenNeighbours: new Map(),
    route: link => directRoute(drawing.scene, places, link),
    isPale: false,
    ...changes,
  }
  const frames = framesOf(scene, places, drawing.hidden)
  const labels = labelsOf(scene, frames, zoom, levelAt(zoom) === 'areas')
  const part = { cards: [0, 1, 2], links: [0], frames, labels, ties: tiesOf(scene, drawing.hidden) }
  const pen = new SvgPen()
  for (const _ of paint(pen, drawing, part, zoom));
  return pen.document({ left: -50, top: -50, right: 1100, bottom: 200 }, 'ground', '')
}

const texts = (svg: string) => [...svg.matchAll(/>([^<>\n]+)<\/text>/g)].map(([, text]) => text)

describe('the painter', () => {
  it('shows names, rows, types and nullable rows from zoom 0.5 on', () => {
    const near = texts(drawn(0.5))
    expect(near.slice(0, 5)).toEqual(['Entity0', 'id', 'integer', 'patient_id', 'integer?'])
    expect(near).toContain('Area 2')
  })

  it('shows names and bars from zoom 0.22 on, the names at 11 pixels of the screen', () => {
    const svg = drawn(0.25)
    expect(texts(svg)).toEqual(['Entity0', 'Entity1', 'Entity2', 'Area 1', 'Area 2'])
    expect(svg).toContain('font-size="44"')
    expect(svg).toContain('fill="bar"')
  })

  it('shows blocks in the colours of their areas from zoom 0.08 on', () => {
    const svg = drawn(0.1)
    expect(svg.match(/fill="block-\d"/g)).toEqual(['fill="block-1"', 'fill="block-1"', 'fill="block-2"'])
    expect(svg).toContain('stroke="edge"')
  })

  it('shows areas and what ties them together from farther away', () => {
    const svg = drawn(0.05, { scene: sceneOf([2, 2, 1], [{ from: 1, to: 2 }], [0, 0, 1]) })
    expect(svg).toContain('fill="tint-2"')
    expect(svg).not.toContain('Entity')
  })

  it('shows bars where rows are not loaded', () => {
    const svg = drawn(1, { rows: () => undefined })
    expect(texts(svg)).not.toContain('id')
    expect(svg).toContain('fill="bar"')
  })

  it('does not show hidden cards', () => {
    expect(texts(drawn(1, { hidden: new Set([0]) }))).not.toContain('Entity0')
  })

  it.each([
    ['added', '+', 'green'],
    ['removed', '−', 'red'],
    ['changed', '•', 'amber'],
    ['problem', '!', 'orange'],
    ['unsaved', '*', 'blue'],
  ] as const)('shows what is %s by a sign and a colour', (mark, sign, colour) => {
    for (const zoom of [1, 0.3]) {
      const svg = drawn(zoom, { marks: new Map([[0, mark]]) })
      expect(texts(svg)).toContain(sign)
      expect(svg).toContain(`fill="${colour}"`)
    }
    expect(drawn(0.1, { marks: new Map([[0, mark]]) })).toContain(`fill="${colour}"`)
    expect(texts(drawn(0.1, { marks: new Map([[0, mark]]) }))).toContain(sign)
    expect(texts(drawn(0.2, { marks: new Map([[0, mark]]) })).join(' ')).toContain(`${sign} Entity0`)
  })

  it.each([
    ['added', '+', 'green'],
    ['removed', '−', 'red'],
    ['changed', '•', 'amber'],
  ] as const)('shows a row that is %s by a sign in the margin and a colour', (mark, sign, colour) => {
    const marked = [rows[0]!, { ...rows[1]!, mark }]
    const near = drawn(1, { rows: card => (card === 0 ? marked : rows) })
    expect(texts(near).filter(text => text === sign)).toHaveLength(1)
    expect(near).toContain(`fill="${colour}"`)
    const strokes = near.match(/<path[^>]*stroke="red"/g) ?? []
    expect(strokes).toHaveLength(mark === 'removed' ? 1 : 0)
    // Bars have signs in strokes.
    const far = drawn(0.45, { rows: card => (card === 0 ? marked : rows) })
    expect(far).toMatch(mark === 'changed' ? /<circle[^>]*fill="amber"/ : new RegExp(`<path[^>]*stroke="${colour}"`))
  })

  it.each([
    ['added', '+', 'green'],
    ['removed', '−', 'red'],
    ['changed', '•', 'amber'],
  ] as const)('shows a link that is %s by its colour and a sign, from near and afar', (mark, sign, colour) => {
    for (const zoom of [1, 0.3, 0.1]) {
      const svg = drawn(zoom, { linkMarks: new Map([[0, mark]]), rows: () => undefined })
      expect(texts(svg)).toContain(sign)
      const [line] = svg.match(new RegExp(`<path[^>]*stroke="${colour}"[^>]*>`)) ?? []
      expect(line?.includes('stroke-dasharray')).toBe(mark === 'removed')
      expect(svg).not.toContain('stroke="edge"')
    }
  })

  it('counts differences of areas that stand for their cards', () => {
    const four = sceneOf([2, 2, 2, 2], [], [0, 0, 1, 1])
    const apart = { x: Float32Array.of(0, 4000, 0, 4000), y: Float32Array.of(0, 0, 3000, 3000) }
    const marks = new Map([
      [0, 'added'],
      [1, 'added'],
      [2, 'changed'],
      [3, 'removed'],
    ] as const)
    const notes = differencesOf(four, new Set([1]), { marks })
    const labels = labelsOf(four, framesOf(four, apart, new Set()), 0.05, true, notes)
    expect(labels.map(({ text }) => text).toSorted()).toEqual(['Area 1 +1', 'Area 2 −1 •1'])
  })

  it('says in a legend what the signs mean', () => {
    const pen = new SvgPen()
    const items = [
      { mark: 'added', text: '3 added' },
      { mark: 'removed', text: '1 removed' },
    ] as const
    const box = { left: 0, top: 0, right: 400, bottom: 100 }
    expect(paintLegend(pen, palette, items, box)).toBeGreaterThan(100)
    expect(texts(pen.document(box, 'ground', ''))).toEqual(['+', '3 added', '−', '1 removed'])
  })

  it('strikes through what is removed', () => {
    const strokes = (svg: string) => svg.match(/stroke="red"/g)?.length
    expect(strokes(drawn(1, { marks: new Map([[0, 'removed']]) }))).toBe(2)
    expect(strokes(drawn(1, { marks: new Map([[0, 'problem']]) }))).toBeUndefined()
  })

  it.each([
    ['many that may be none, to exactly one', 0, { rings: 1, strokes: 4 }],
    ['one that may be none, to exactly one', linkEnds.unique, { rings: 1, strokes: 3 }],
    ['many that may be none, to one or none', linkEnds.nullable, { rings: 2, strokes: 3 }],
    ['one or none at both ends', linkEnds.unique | linkEnds.nullable, { rings: 2, strokes: 2 }],
  ])('ends of links say: %s', (_, bits, { rings, strokes }) => {
    const links = { ...scene.links, ends: Uint8Array.of(bits) }
    const svg = drawn(1, { scene: { ...scene, links }, rows: () => undefined })
    const [, ends] = [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke="edge"/g)].map(([, path]) => path ?? '')
    expect(ends?.match(/M/g)).toHaveLength(strokes)
    expect(svg.match(/<circle[^>]*stroke="edge"/g)).toHaveLength(rings)
  })

  it('draws pale links where others are drawn above', () => {
    expect(drawn(1)).not.toContain('opacity="0.4"')
    expect(drawn(1, { isPale: true })).toMatch(/stroke="edge"[^>]*opacity="0.4"/)
  })

  it('counts hidden neighbours at a card', () => {
    expect(texts(drawn(0.4, { hiddenNeighbours: new Map([[1, 7]]) }))).toContain('+7')
    expect(texts(drawn(1, { hiddenNeighbours: new Map([[1, 5000]]) }))).toContain('+999')
  })

  it('paints in steps, so that a frame can end between them', () => {
    const many = 300
    const large = sceneOf(
      Array.from({ length: many }, () => 2),
      [],
    )
    const grid = { x: Float32Array.from({ length: many }, (_, card) => card * 300), y: new Float32Array(many) }
    const drawing: Drawing = {
      scene: large,
      places: grid,
      palette,
      hidden: new Set(),
      rows: () => undefined,
      marks: new Map(),
      linkMarks: new Map(),
      hiddenNeighbours: new Map(),
      route: () => [],
      isPale: false,
    }
    const part = { cards: Array.from({ length: many }, (_, card) => card), links: [], frames: [], labels: [], ties: [] }
    expect([...paint(new SvgPen(), drawing, part, 1)].length).toBeGreaterThan(many)
  })
})
