import type { Problem } from '@cadmus/model/problem'

/** What is said and what about: an inherited attribute is the same in each of its tables. */
export function findingOf({ code, path }: Problem): string {
  const last = path.at(-1)
  return `${code}\0${last?.uid ?? (last && 'id' in last ? last.id : '')}`
}
