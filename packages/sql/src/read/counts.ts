import { type Thing, things } from '@cadmus/model/import-things'

export type Counts = Record<Thing, number>

export function noCounts(): Counts {
  return Object.fromEntries(things.map(thing => [thing, 0])) as Counts
}

export function sumOf(...all: readonly Counts[]): Counts {
  const sum = noCounts()
  for (const counts of all) for (const thing of things) sum[thing] += counts[thing]
  return sum
}
