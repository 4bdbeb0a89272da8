import { describe, expect, it } from 'vitest'
import { clinic, sceneOf } from '../testing/clinic-scene.ts'
import {
  cardId,
  cardsOfRow,
  firstUnfolded,
  hiddenIn,
  type ListRow,
  listRows,
  mostUnfolded,
  outlineOf,
} from './list-rows.ts'

const { scene } = clinic()
const outline = outlineOf(scene)

/** A row as `  Visit ›` with its depth, and `▾` or `▸` where it can be folded. */
function text(row: ListRow): string {
  const indent = '  '.repeat(row.level - 1)
  if (row.kind === 'area') return `${indent}${row.expanded ? '▾' : '▸'} ${scene.areaNames[row.area]}`
  if (row.kind === 'link') return `${indent}${row.isReferredTo ? '→' : '←'} ${scene.names[row.other]}`
  return `${indent}${row.expanded === null ? '' : row.expanded ? '▾ ' : '▸ '}${scene.names[row.card]}`
}

describe('list beside the diagram', () => {
  it('has areas, below them entities by name, below them their relationships in both directions', () => {
    const unfolded = new Set(['area:0', cardId(scene, 1), cardId(scene, 2)])
    expect(listRows(outline, unfolded).map(text)).toEqual([
      '▾ Clinic',
      '  ▾ Doctor',
      '    → Doctor',
      '    ← Visit',
      '  ▸ Patient',
      '  ▾ Visit',
      '    → Patient',
      '    → Doctor',
      '    ← Bill',
      '▸ Money',
    ])
  })

  it('positions count the siblings of a row', () => {
    const rows = listRows(outline, new Set(['area:0', cardId(scene, 1)]))
    const places = rows.map(row => `${text(row).trim()} ${row.posInSet}/${row.setSize}`)
    expect(places).toContain('▾ Visit 3/3')
    expect(places).toContain('→ Doctor 2/3')
    expect(places).toContain('▸ Money 2/2')
  })

  it('ids are unique although a relationship stands below both of its entities', () => {
    const rows = listRows(
      outline,
      new Set(['area:0', 'area:1', cardId(scene, 0), cardId(scene, 1), cardId(scene, 2), cardId(scene, 3)]),
    )
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(rows.filter(({ kind }) => kind === 'link')).toHaveLength(2 * 3 + 1)
  })

  it('a small diagram is unfolded at first, a large one only at the focused entity', () => {
    expect([...firstUnfolded(outline, null)]).toEqual(['area:0', 'area:1'])
    const many = outlineOf(
      sceneOf(
        Array.from({ length: mostUnfolded + 1 }, (_, at) => ({ name: `E${at}`, x: at, y: 0, area: `A${at % 2}` })),
      ).scene,
    )
    expect([...firstUnfolded(many, null)]).toEqual([])
    expect([...firstUnfolded(many, 3)]).toEqual(['area:1'])
  })

  it('commands on an area act on all of its entities', () => {
    const [area] = listRows(outline, new Set())
    if (!area) throw new Error('There is an area.')
    expect(cardsOfRow(outline, area).map(card => scene.names[card])).toEqual(['Doctor', 'Patient', 'Visit'])
    expect(hiddenIn(cardsOfRow(outline, area), new Set([0, 3]))).toBe(1)
  })
})
