/** What a script declares, and models have a place for. `other`: constraints of other kinds. */
export const things = [
  'table',
  'column',
  'key',
  'foreignKey',
  'unique',
  'index',
  'check',
  'default',
  'comment',
  'other',
] as const
export type Thing = (typeof things)[number]
export type Counts = Record<Thing, number>

export function noCounts(): Counts {
  return { table: 0, column: 0, key: 0, foreignKey: 0, unique: 0, index: 0, check: 0, default: 0, comment: 0, other: 0 }
}

export function sumOf(...all: readonly Counts[]): Counts {
  const sum = noCounts()
  for (const counts of all) for (const thing of things) sum[thing] += counts[thing]
  return sum
}
