import { foldName } from '@cadmus/model/paths'

/** Gives names that are not taken: each itself, or with the first free number behind it. Thousands may ask for the same one. */
export function freeNames(takenNames: Iterable<string>): (name: string) => string {
  const taken = new Set(takenNames)
  const lastNumbers = new Map<string, number>()
  return name => {
    const folded = foldName(name)
    let free = name
    let number = lastNumbers.get(folded) ?? 1
    while (taken.has(foldName(free))) {
      number += 1
      free = `${name}_${number}`
    }
    lastNumbers.set(folded, number)
    taken.add(foldName(free))
    return free
  }
}
