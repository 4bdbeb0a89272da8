import { foldName } from './paths.ts'

/** Rank of a match: 0 exact name, 1 prefix, 2 other. Both texts are folded. Without a search text all ranks are equal. */
export function matchRank(name: string, search: string): number {
  if (name === search || search === '') return 0
  return name.startsWith(search) ? 1 : 2
}

/** Items with a matching text, best matches first; stable. */
export function bestMatches<T>(all: readonly T[], textsOf: (one: T) => readonly string[], search: string): T[] {
  const folded = foldName(search)
  return all
    .flatMap(one => {
      const matching = textsOf(one)
        .map(foldName)
        .filter(text => text.includes(folded))
      return matching.length === 0 ? [] : [{ one, rank: Math.min(...matching.map(text => matchRank(text, folded))) }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}
