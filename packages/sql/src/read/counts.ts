import { type Thing, things } from '@cadmus/model/import-things'

export type Counts = Record<Thing, number>

export function noCounts(): Counts {
  return { table: 0, column: 0, key: 0, foreignKey: 0, unique: 0, index: 0, check: 0, default: 0, comment: 0, other: 0 }
}

export function sumOf(...all: readonly Counts[]): Counts {
  const sum = noCounts()
  for (const counts of all) for (const thing of things) sum[thing] += counts[thing]
  return sum
}
