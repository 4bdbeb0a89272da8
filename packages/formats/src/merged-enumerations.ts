import type { Enumeration, PlacedEnumeration } from '@cadmus/model/enumeration'
import { foldName } from '@cadmus/model/paths'
import { newUid } from '@cadmus/model/uid'

type Merged = {
  enumerations: Enumeration[]
  /** What became of those of the file, by their uids. */
  placed: Map<string, PlacedEnumeration>
  additions: EnumerationAddition[]
}

/** The values that an enumeration got; a new one is new as a whole. */
export type EnumerationAddition = { name: string; isNew: boolean; values: string[] }

/**
 * The enumerations of a manifest with those of a file, which are known by uid, otherwise by name. Each keeps its values and labels; values
 * that only the file has are added after those that precede them there. The same file again changes nothing.
 */
export function mergedEnumerations(existing: readonly Enumeration[], read: readonly Enumeration[]): Merged {
  const enumerations = [...existing]
  const merged: Merged = { enumerations, placed: new Map(), additions: [] }
  const byUid = new Map(existing.map(({ uid }, index) => [uid, index]))
  const byName = new Map(existing.map(({ name }, index) => [foldName(name), index]))
  for (const one of read) {
    const index = byUid.get(one.uid) ?? byName.get(foldName(one.name)) ?? enumerations.length
    const before = enumerations[index]
    const is = before ? withAddedValues(before, one) : one
    enumerations[index] = is
    byUid.set(is.uid, index)
    byName.set(foldName(is.name), index)
    merged.placed.set(one.uid, { read: one, is })
    const known = new Set(before?.values.map(({ value }) => value))
    const values = one.values.flatMap(({ value }) => (known.has(value) ? [] : [value]))
    if (values.length > 0) merged.additions.push({ name: is.name, isNew: before === undefined, values })
  }
  return merged
}

function withAddedValues(existing: Enumeration, read: Enumeration): Enumeration {
  const labels = new Map(read.values.map(({ value, label }) => [value, label]))
  const known = new Set(existing.values.map(({ value }) => value))
  const uids = new Set(existing.values.map(({ uid }) => uid))
  const following = new Map<string | undefined, Enumeration['values']>()
  let last: string | undefined
  for (const one of read.values) {
    if (known.has(one.value)) last = one.value
    else {
      const added = following.get(last) ?? []
      added.push({ ...one, uid: uids.has(one.uid) ? newUid() : one.uid })
      following.set(last, added)
    }
  }
  const values = existing.values.flatMap(one => [
    { ...one, label: one.label || (labels.get(one.value) ?? '') },
    ...(following.get(one.value) ?? []),
  ])
  return {
    ...existing,
    description: existing.description || read.description,
    values: [...(following.get(undefined) ?? []), ...values],
  }
}
