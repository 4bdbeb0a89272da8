import { temporaryName } from '../alter-pairs.ts'

export type Rename<T> = { readonly of: T; readonly from: string; readonly to: string }

export type OrderedRenames<T> = { readonly first: readonly Rename<T>[]; readonly last: readonly Rename<T>[] }

/**
 * Renames whose new name is still in use go through a temporary one, so that names can be exchanged: `last` follows when all other names
 * are given up.
 */
export function orderedRenames<T>(
  renames: readonly Rename<T>[],
  used: ReadonlySet<string>,
  fold: (name: string) => string,
  firstNumber: number,
): OrderedRenames<T> {
  const changed = renames.filter(({ from, to }) => from !== to)
  const isFree = ({ to }: Rename<T>) => !used.has(fold(to))
  const taken = changed
    .filter(one => !isFree(one))
    .map((one, at) => ({ ...one, aside: temporaryName(firstNumber + at) }))
  return {
    first: [...changed.filter(isFree), ...taken.map(one => ({ of: one.of, from: one.from, to: one.aside }))],
    last: taken.map(one => ({ of: one.of, from: one.aside, to: one.to })),
  }
}
