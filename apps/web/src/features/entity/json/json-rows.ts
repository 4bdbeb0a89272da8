import type { JsonPath } from '@cadmus/model/read-content'
import { isRecord } from '@cadmus/model/equal'
import type { TreeRow } from '../../../ui/Tree.tsx'

export type JsonRow = {
  path: JsonPath
  value: unknown
  /** Whether the row is for a new value that is not in the content yet. */
  adding: boolean
  tree: TreeRow
}

export function addingId(parent: string): string {
  return `${parent}\n+`
}

/** The visible rows; `unfolded` and `adding` hold row ids. List items with a uid are identified by it. */
export function jsonRows(content: object, unfolded: ReadonlySet<string>, adding: string | null): JsonRow[] {
  const rows: JsonRow[] = []
  const add = (value: object, path: JsonPath, parent: string) => {
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
    const isAdding = adding === parent
    const setSize = entries.length + (isAdding ? 1 : 0)
    for (const [index, [key, inner]] of entries.entries()) {
      const id = `${parent}\n${uidOf(inner) ?? JSON.stringify(key)}`
      const holds = sizeOf(inner)
      const expanded = holds === null ? null : unfolded.has(id)
      const named = typeof key === 'number' ? nameOf(inner) : undefined
      rows.push({
        path: [...path, key],
        value: inner,
        adding: false,
        tree: {
          id,
          level: path.length + 1,
          label: named ?? String(key),
          ...(named === undefined ? {} : { detail: `[${key}]` }),
          kind: 'node',
          expanded,
          posInSet: index + 1,
          setSize,
        },
      })
      if (expanded && typeof inner === 'object' && inner !== null) add(inner, [...path, key], id)
    }
    if (isAdding) rows.push(addingRow(value, path, parent, setSize))
  }
  add(content, [], '')
  return rows
}

function addingRow(value: object, path: JsonPath, parent: string, setSize: number): JsonRow {
  const key = Array.isArray(value) ? value.length : ''
  return {
    path: [...path, key],
    value: undefined,
    adding: true,
    tree: {
      id: addingId(parent),
      level: path.length + 1,
      label: Array.isArray(value) ? String(key) : 'New',
      kind: 'node',
      expanded: null,
      posInSet: setSize,
      setSize,
    },
  }
}

/** Number of values of a list or object; null for other values. */
export function sizeOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length
  return isRecord(value) ? Object.keys(value).length : null
}

export function rowIdAt(content: unknown, path: JsonPath): string {
  let value = content
  let id = ''
  for (const step of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
    id = `${id}\n${uidOf(value) ?? JSON.stringify(step)}`
  }
  return id
}

function uidOf(value: unknown): string | undefined {
  // A reference carries the uid of its target, which may occur several times.
  return isRecord(value) && typeof value['uid'] === 'string' && !('id' in value) ? value['uid'] : undefined
}

function nameOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const name = value['name'] ?? value['foreignKeyTypeAttribute']
  return typeof name === 'string' && name !== '' ? name : undefined
}
