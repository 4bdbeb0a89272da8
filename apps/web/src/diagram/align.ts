import { around, type Box } from '@cadmus/diagram/geometry'
import type { DiagramActions } from './diagram.ts'

export type Edge = Parameters<DiagramActions['align']>[0]
export type Direction = Parameters<DiagramActions['distribute']>[0]
export type Moves = Map<number, { x: number; y: number }>

/** Moves cards so that their edges or middles are in line with those of all together. */
export function aligned(boxes: ReadonlyMap<number, Box>, edge: Edge): Moves {
  const all = around(boxes.values())
  if (!all) return new Map()
  const { left, right, top, bottom } = all
  const place: Record<Edge, (box: Box) => { x?: number; y?: number }> = {
    left: () => ({ x: left }),
    right: box => ({ x: right - widthIn(box) }),
    centre: box => ({ x: (left + right - widthIn(box)) / 2 }),
    top: () => ({ y: top }),
    bottom: box => ({ y: bottom - heightIn(box) }),
    middle: box => ({ y: (top + bottom - heightIn(box)) / 2 }),
  }
  return moves(boxes, place[edge])
}

/** Moves cards so that the gaps between them are equal; the outermost two stay. */
export function distributed(boxes: ReadonlyMap<number, Box>, direction: Direction): Moves {
  const isAcross = direction === 'across'
  const [start, end] = isAcross ? (['left', 'right'] as const) : (['top', 'bottom'] as const)
  const order = [...boxes].toSorted(([, a], [, b]) => a[start] + a[end] - b[start] - b[end])
  const [first, last] = [order[0], order.at(-1)]
  if (!first || !last || order.length < 3) return new Map()
  const filled = order.reduce((sum, [, box]) => sum + box[end] - box[start], 0)
  const gap = (last[1][end] - first[1][start] - filled) / (order.length - 1)
  const at = new Map<number, number>()
  let next = first[1][start]
  for (const [card, box] of order) {
    at.set(card, next)
    next += box[end] - box[start] + gap
  }
  return moves(boxes, (_box, card) => (isAcross ? { x: at.get(card)! } : { y: at.get(card)! }))
}

function moves(boxes: ReadonlyMap<number, Box>, place: (box: Box, card: number) => { x?: number; y?: number }): Moves {
  return new Map(
    Array.from(boxes, ([card, box]) => {
      const { x = box.left, y = box.top } = place(box, card)
      return [card, { x: Math.round(x), y: Math.round(y) }]
    }),
  )
}

function widthIn(box: Box): number {
  return box.right - box.left
}

function heightIn(box: Box): number {
  return box.bottom - box.top
}
