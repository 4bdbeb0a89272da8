import type { Configuration } from '@cadmus/model/configuration'
import { useState } from 'react'

export type Property = Configuration['packageProperties']['customProperties'][number]

type KeyedRows = { rows: readonly Property[]; keys: readonly number[] }

/**
 * Keys that stay with their property when rows above are added or removed, so that unapplied text stays with it too.
 */
export function useRowKeys(rows: readonly Property[]): readonly number[] {
  const [keyed, setKeyed] = useState<KeyedRows>(() => ({ rows, keys: rows.map((_, index) => index) }))
  if (keyed.rows === rows) return keyed.keys
  const next = { rows, keys: keysOf(rows, keyed) }
  setKeyed(next)
  return next.keys
}

/** Matches rows by name; a new name takes the key of the row in its place, unless that row moved. */
export function keysOf(rows: readonly Property[], { rows: before, keys }: KeyedRows): number[] {
  const byName = new Map(before.map(({ name }, index) => [name, keys[index]]))
  const names = new Set(rows.map(({ name }) => name))
  const used = new Set<number>()
  const take = (key: number | undefined) => {
    if (key === undefined || used.has(key)) return undefined
    used.add(key)
    return key
  }
  const matched = rows.map(({ name }, index) => {
    if (before[index]?.name === name) return take(keys[index])
    return take(byName.get(name))
  })
  let nextKey = Math.max(-1, ...keys)
  return matched.map((key, index) => {
    const previous = before[index]
    const inPlace =
      previous !== undefined && (previous.name === '' || !names.has(previous.name)) ? take(keys[index]) : undefined
    return key ?? inPlace ?? (nextKey += 1)
  })
}

/** Applies a change to the property seen at `index`, at its current index; adds the property if it was removed. */
export function withChanged(
  now: readonly Property[],
  seen: KeyedRows,
  index: number,
  change: Partial<Property>,
): readonly Property[] {
  const at = keysOf(now, seen).indexOf(seen.keys[index] ?? -1)
  const row = now[at]
  if (row) return now.with(at, { ...row, ...change })
  const removed = seen.rows[index]
  return removed ? [...now, { ...removed, ...change }] : now
}
