import { foldName } from './paths.ts'

/**
 * How near a name comes to what is searched for: 0 what is called just so, 1 what begins so, 2 the rest. Both texts are folded.
 * Where nothing is searched for all are alike.
 */
export function matchRank(name: string, search: string): number {
  if (name === search || search === '') return 0
  return name.startsWith(search) ? 1 : 2
}

/** Those of which a text holds what is searched for, the nearest first; among equals the order stays. */
export function bestMatches<T>(all: readonly T[], textsOf: (one: T) => readonly string[], search: string): T[] {
  const wanted = foldName(search)
  return all
    .flatMap(one => {
      const holding = textsOf(one)
        .map(foldName)
        .filter(text => text.includes(wanted))
      return holding.length === 0 ? [] : [{ one, rank: Math.min(...holding.map(text => matchRank(text, wanted))) }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}
