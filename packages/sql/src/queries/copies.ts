import { limits } from '@cadmus/model/limits'
import { statement, type Query } from './context.ts'
import { faults } from './faults.ts'
import type { EntityMapping } from './fields.ts'
import { PlanFault, type Steps } from './plan.ts'
import type { ListReading, Reading } from './reading.ts'
import { countOf } from './records.ts'
import { countRecords } from './selects.ts'
import { newSelect } from './tree.ts'

/** The maximum number of records of an entity. */
type Sizes = (mapping: EntityMapping) => number

/**
 * Bounds repeated records: nested lists hold a record once, but below a record that many others refer to, related
 * records are repeated for each of these. Relations back and forth can repeat a few records millions of times, which
 * would block the database and the instance. If the limit could be exceeded, the table sizes are read first; a
 * PlanFault is thrown if they do not rule it out. `list`: null if a single record is read.
 */
export function boundCopies<R>(query: Query, reading: Reading, list: ListReading | null, steps: Steps<R>): Steps<R> {
  const isTooMuch = (sizes: Sizes) => copiesOf(query, reading, list, sizes) > limits.copies
  return isTooMuch(() => Infinity) ? afterSizes(query, reading, isTooMuch, steps) : steps
}

function* afterSizes<R>(
  query: Query,
  reading: Reading,
  isTooMuch: (sizes: Sizes) => boolean,
  steps: Steps<R>,
): Steps<R> {
  const { checker } = query
  const mappings = [...new Set(mappingsIn(reading))]
  const columns = mappings.map(mapping => ({ kind: 'scalar', select: countRecords(mapping, 'c', []) }) as const)
  const [row = []] = yield statement(query, `${checker.shape} sizes`, () => newSelect({ columns }), checker.values)
  const sizes = new Map(mappings.map((mapping, index) => [mapping, countOf(row[index])]))
  if (isTooMuch(mapping => sizes.get(mapping) ?? 0)) throw new PlanFault('invalid', faults.tooManyCopies(limits.copies))
  return yield* steps
}

function mappingsIn({ mapping, relations }: Reading): EntityMapping[] {
  return [mapping, ...relations.flatMap(({ reading }) => mappingsIn(reading))]
}

function copiesOf({ checker }: Query, reading: Reading, list: ListReading | null, sizes: Sizes): number {
  const max = ({ limit }: ListReading, mapping: EntityMapping) =>
    Math.min(Number(checker.values[limit]?.value), sizes(mapping))
  let copies = 0
  const walk = ({ relations }: Reading, rows: number, isRepeated: boolean) => {
    for (const { reading: other, list: nestedList } of relations) {
      const times = nestedList === null ? 1 : max(nestedList, other.mapping)
      const rowsBelow = nestedList === null || isRepeated ? rows * times : Math.min(rows * times, sizes(other.mapping))
      if (nestedList !== null && isRepeated) copies += rowsBelow
      walk(other, rowsBelow, isRepeated || (nestedList === null && rows > 1))
    }
  }
  walk(reading, list === null ? 1 : max(list, reading.mapping), false)
  return copies
}
