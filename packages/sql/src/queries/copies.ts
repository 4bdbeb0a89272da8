import { limits } from '@cadmus/model/limits'
import { statement, type Asked } from './context.ts'
import { faults } from './faults.ts'
import type { Place } from './fields.ts'
import { PlanFault, type Steps } from './plan.ts'
import type { ListReading, Reading } from './reading.ts'
import { countOf } from './records.ts'
import { counting } from './selects.ts'
import { selecting } from './tree.ts'

/** How many records an entity has at most. */
type Sizes = (place: Place) => number

/**
 * Lists below lists hold each record once, however many those are. Below a record that many others lead to, they hold theirs once for each
 * of these: there and back again, a few records become millions, which would keep a database and the instance from everybody else. What
 * could hold more of such copies than one operation may is asked for the sizes of its tables first, and throws a PlanFault where those are
 * no less. `list`: null where one record is read.
 */
export function boundCopies<R>(asked: Asked, reading: Reading, list: ListReading | null, steps: Steps<R>): Steps<R> {
  const isTooMuch = (sizes: Sizes) => copiesOf(asked, reading, list, sizes) > limits.copies
  return isTooMuch(() => Infinity) ? afterSizes(asked, reading, isTooMuch, steps) : steps
}

function* afterSizes<R>(
  asked: Asked,
  reading: Reading,
  isTooMuch: (sizes: Sizes) => boolean,
  steps: Steps<R>,
): Steps<R> {
  const { checker } = asked
  const places = [...new Set(placesIn(reading))]
  const columns = places.map(place => ({ kind: 'scalar', select: counting(place, 'c', []) }) as const)
  const [row = []] = yield statement(asked, `${checker.shape} sizes`, () => selecting({ columns }), checker.values)
  const sizes = new Map(places.map((place, index) => [place, countOf(row[index])]))
  if (isTooMuch(place => sizes.get(place) ?? 0)) throw new PlanFault('invalid', faults.tooManyCopies(limits.copies))
  return yield* steps
}

function placesIn({ place, relations }: Reading): Place[] {
  return [place, ...relations.flatMap(({ reading }) => placesIn(reading))]
}

function copiesOf({ checker }: Asked, reading: Reading, list: ListReading | null, sizes: Sizes): number {
  const most = ({ limit }: ListReading, place: Place) => Math.min(Number(checker.values[limit]?.value), sizes(place))
  let copies = 0
  const walk = ({ relations }: Reading, rows: number, areCopies: boolean) => {
    for (const { reading: other, list: below } of relations) {
      const times = below === null ? 1 : most(below, other.place)
      const found = below === null || areCopies ? rows * times : Math.min(rows * times, sizes(other.place))
      if (below !== null && areCopies) copies += found
      walk(other, found, areCopies || (below === null && rows > 1))
    }
  }
  walk(reading, list === null ? 1 : most(list, reading.place), false)
  return copies
}
