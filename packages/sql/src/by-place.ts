/**
 * Finds in a list what was kept under an id, at its place first: of one state of a model after the other most lists are as they
 * were, but for a few items.
 */
export function keptById<K>(
  kept: readonly K[],
  idOf: (one: K) => number,
): (id: number, place: number) => K | undefined {
  let byId: Map<number, K> | undefined
  return (id, place) => {
    const here = kept[place]
    if (here !== undefined && idOf(here) === id) return here
    byId ??= new Map(kept.map(one => [idOf(one), one]))
    return byId.get(id)
  }
}
