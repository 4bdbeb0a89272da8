import { unmovedKeys } from '../merge/items.ts'
import type { TextChange } from './changes.ts'

/** The replacements of whole lines that turn a text into another. Lines that each text has once stay, as far as their order is the same. */
export function lineChanges(before: string, after: string): TextChange[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const changes: TextChange[] = []
  let [at, to, offset] = [0, 0, 0]
  for (const [nextAt, nextTo] of [...anchors(old, now), [old.length, now.length] as const]) {
    const [from, until] = inner(old, now, { at, to, nextAt, nextTo })
    const start = offset + lengthOf(old, at, from.at)
    const insert = now.slice(from.to, until.to).join('')
    const end = start + lengthOf(old, from.at, until.at)
    if (insert !== '' || end > start) changes.push({ from: start, to: end, insert })
    offset += lengthOf(old, at, nextAt)
    at = nextAt
    to = nextTo
  }
  return changes
}

/** With their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function lengthOf(lines: readonly string[], from: number, to: number): number {
  let length = 0
  for (let at = from; at < to; at += 1) length += lines[at]?.length ?? 0
  return length
}

/** Places of lines that stay, in both texts. */
function anchors(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const places = uniquePlaces(now)
  const once = [...uniquePlaces(old)].filter(([line]) => places.has(line))
  const stays = unmovedKeys(
    [...places.keys()],
    once.map(([line]) => line),
  )
  return once.flatMap(([line, at]) => (stays.has(line) ? [[at, places.get(line) ?? 0] as const] : []))
}

/** In the order of the text. */
function uniquePlaces(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return new Map(lines.flatMap((line, at) => (counts.get(line) === 1 ? [[line, at] as const] : [])))
}

type Gap = { at: number; to: number; nextAt: number; nextTo: number }
type Place = { at: number; to: number }

/** A gap without the equal lines at its ends. */
function inner(old: readonly string[], now: readonly string[], { at, to, nextAt, nextTo }: Gap): [Place, Place] {
  const from = { at, to }
  while (from.at < nextAt && from.to < nextTo && old[from.at] === now[from.to]) {
    from.at += 1
    from.to += 1
  }
  const until = { at: nextAt, to: nextTo }
  while (until.at > from.at && until.to > from.to && old[until.at - 1] === now[until.to - 1]) {
    until.at -= 1
    until.to -= 1
  }
  return [from, until]
}
