import type { EntityComparison } from '../contract/comparison.ts'
import { isRecord } from '../equal.ts'

/** Characters of a value in a list of changes. */
const longestValue = 500
/** Fields of an object in a list of changes; those of a model have fewer. */
const mostFields = 50

/** Entities for a list, with cut values. After `max` changes whole entities are left out and counted. */
export function listedEntities(
  entities: readonly EntityComparison[],
  max: number,
): { entities: EntityComparison[]; more: number } {
  let changes = 0
  const shown: EntityComparison[] = []
  for (const entity of entities) {
    if (changes >= max) break
    changes += Math.max(1, entity.changes.length)
    shown.push({ ...entity, changes: entity.changes.map(withCutValues) })
  }
  return { entities: shown, more: entities.length - shown.length }
}

/** Long values end with an ellipsis. */
export function withCutValues<T extends object>(difference: T): T {
  if (!('before' in difference && 'after' in difference)) return difference
  return { ...difference, before: cutValue(difference.before), after: cutValue(difference.after) }
}

function cutValue(value: unknown): unknown {
  let left = longestValue
  const cut = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const text = part.length <= left ? part : `${withoutHalf(part.slice(0, Math.max(0, left - 1)))}…`
      left -= part.length
      return text
    }
    left -= 1
    if (Array.isArray(part)) {
      const items: unknown[] = []
      for (const item of part) {
        if (left <= 0) return [...items, '…']
        items.push(cut(item))
      }
      return items
    }
    if (!isRecord(part)) return part
    if (left <= 0) return '…'
    const fields = Object.entries(part).slice(0, mostFields)
    return Object.fromEntries(
      fields.map(([name, item]) => {
        left -= name.length
        return [name, cut(item)]
      }),
    )
  }
  return cut(value)
}

/** Without the first half of a character that was cut in two. */
function withoutHalf(text: string): string {
  return text.isWellFormed() ? text : text.replace(/[\uD800-\uDBFF]$/, '')
}
