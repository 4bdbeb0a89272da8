import type { Problem } from '@cadmus/model/problem'

/** Identifies a problem: an inherited attribute counts once for all its tables. */
export function findingOf({ code, path }: Problem): string {
  const last = path.at(-1)
  return `${code}\0${last?.uid ?? (last && 'id' in last ? last.id : '')}`
}
