/** Finds items of the previous state by id, checking the same index first: successive states differ in few items. */
export function previousById<K>(
  previous: readonly K[],
  idOf: (one: K) => number,
): (id: number, index: number) => K | undefined {
  let byId: Map<number, K> | undefined
  return (id, index) => {
    const candidate = previous[index]
    if (candidate !== undefined && idOf(candidate) === id) return candidate
    byId ??= new Map(previous.map(one => [idOf(one), one]))
    return byId.get(id)
  }
}
