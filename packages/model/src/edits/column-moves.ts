import { unmovedKeys } from '../merge/items.ts'
import { uidOf } from './lists.ts'

/** An attribute or relationship in the order that both share. */
type Column = { uid: string; position: number }
/** Moves a column before another one, or last if that is null or missing. */
type ColumnMove = { uid: string; before: string | null }
export type ColumnMoves = { moves: ColumnMove[]; places: Column[] }

/** Positions after the moves, by which columns exchange theirs, and after the places. */
export function positionsAfter(columns: readonly Column[], { moves, places }: ColumnMoves): Map<string, number> {
  const ordered = inOrder(columns)
  const order = reordered(ordered.map(uidOf), moves)
  const positions = new Map(order.map((uid, index) => [uid, ordered[index]?.position ?? index]))
  for (const { uid, position } of places) if (positions.has(uid)) positions.set(uid, position)
  return positions
}

/** Few moves that give columns their later order, and the positions that these do not explain. */
export function movesBetween(before: readonly Column[], after: readonly Column[]): ColumnMoves {
  // The order of columns at the same position depends on their lists.
  const isOrdered = new Set(before.map(({ position }) => position)).size === before.length
  const moves = isOrdered ? orderMoves(before, after) : []
  const positions = positionsAfter(before, { moves, places: [] })
  const places = after.filter(({ uid, position }) => (positions.get(uid) ?? position) !== position)
  return { moves, places: places.map(({ uid, position }) => ({ uid, position })) }
}

function inOrder(columns: readonly Column[]): Column[] {
  return columns.toSorted((a, b) => a.position - b.position)
}

/** A linked list, because there may be thousands of columns and moves. Null is before the first and after the last. */
function reordered(uids: readonly string[], moves: readonly ColumnMove[]): string[] {
  const next = new Map<string | null, string | null>()
  const previous = new Map<string | null, string | null>()
  const link = (one: string | null, other: string | null) => {
    next.set(one, other)
    previous.set(other, one)
  }
  ;[null, ...uids].forEach((uid, index) => link(uid, uids[index] ?? null))
  for (const { uid, before } of moves) {
    if (uid === before || !next.has(uid)) continue
    link(previous.get(uid) ?? null, next.get(uid) ?? null)
    const place = next.has(before) ? before : null
    link(previous.get(place) ?? null, uid)
    link(uid, place)
  }
  const order: string[] = []
  for (let uid = next.get(null) ?? null; uid !== null; uid = next.get(uid) ?? null) order.push(uid)
  return order
}

function orderMoves(before: readonly Column[], after: readonly Column[]): ColumnMove[] {
  const former = inOrder(before).map(uidOf)
  const isFormer = new Set(former)
  const order = inOrder(after)
    .map(uidOf)
    .filter(uid => isFormer.has(uid))
  const staying = unmovedKeys(former, order)
  const moves = order.map((uid, index) => ({ uid, before: order[index + 1] ?? null }))
  return moves.filter(({ uid }) => !staying.has(uid)).toReversed()
}
