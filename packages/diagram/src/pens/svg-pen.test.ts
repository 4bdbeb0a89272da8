import { describe, expect, it } from 'vitest'
import { SvgPen } from './svg-pen.ts'

const box = { left: -10, top: 0.126, right: 90, bottom: 50 }
const outline = { colour: '#123', width: 2 }

describe('the SVG pen', () => {
  it('writes what is drawn within the box of the document', () => {
    const pen = new SvgPen()
    pen.box(1, 2, 3, 4, { fill: '#fff', outline, radius: 5 })
    pen.lines([[0, 0, 10.123, 0, 10, 5], new Float32Array([1, 1, 2, 2])], { ...outline, dash: 3 })
    pen.ring({ x: 1, y: 2 }, 3, { outline })
    pen.text('id', 5, 6, { size: 12, colour: '#000', weight: 600, align: 'right' })
    const lines = pen.document(box, '#eee', 'Clinic').split('\n')
    expect(lines[0]).toContain('viewBox="-10 0.13 100 49.87"')
    expect(lines[0]).toContain('<title>Clinic</title>')
    expect(lines.slice(1, -2)).toEqual([
      '<rect x="1" y="2" width="3" height="4" rx="5" fill="#fff" stroke="#123" stroke-width="2"/>',
      '<path d="M0 0L10.12 0L10 5M1 1L2 2" fill="none" stroke="#123" stroke-width="2" stroke-dasharray="3"/>',
      '<circle cx="1" cy="2" r="3" fill="none" stroke="#123" stroke-width="2"/>',
      '<text x="5" y="6" font-size="12" font-weight="600" fill="#000" text-anchor="end">id</text>',
    ])
  })

  it('escapes names and replaces characters that XML cannot have', () => {
    const pen = new SvgPen()
    pen.text('<b>&"\u0000\u001B\uFFFF\uD800x', 0, 0, { size: 1, colour: '#000' })
    const document = pen.document(box, '"><script>', ']]></title>')
    expect(document).toContain('>&#60;b&#62;&#38;&#34;\uFFFD\uFFFD\uFFFD\uFFFDx</text>')
    expect(document).not.toContain('<script')
    expect(document.match(/<\/title>/g)).toHaveLength(1)
  })

  it('writes nothing for no lines, and opacity only where something is pale', () => {
    const pen = new SvgPen()
    pen.lines([], outline)
    pen.opacity = 0.4
    pen.ring({ x: 0, y: 0 }, 1, { fill: '#fff' })
    pen.opacity = 1
    pen.ring({ x: 0, y: 0 }, 1, { fill: '#fff' })
    expect(pen.document(box, '#fff', '').match(/path|opacity="0.4"/g)).toEqual(['opacity="0.4"'])
  })
})
