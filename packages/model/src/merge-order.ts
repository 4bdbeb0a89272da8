/**
 * Merges two orders with a common base. `keep`: keys of the result, each in `mine` or `theirs`. Items moved or added by
 * one side get the position of that side, relative to unmoved items; an item that both sides moved differently is a
 * conflict (undefined). Symmetric in both sides.
 */
export function mergeOrder(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  keep: ReadonlySet<string>,
): string[] | undefined {
  const left = new Side(base, mine, keep)
  const right = new Side(base, theirs, keep)
  const skeleton = base.filter(key => keep.has(key) && left.stays.has(key) && right.stays.has(key))
  const isFixed = new Set(skeleton)
  const isLeft = (key: string) => !isFixed.has(key) && !left.stays.has(key)
  const isRight = (key: string) => !isFixed.has(key) && !right.stays.has(key)
  const leftGaps = left.gaps(isFixed, isLeft)
  const rightGaps = right.gaps(isFixed, isRight)
  const order: string[] = []
  for (const anchor of [START, ...skeleton]) {
    if (anchor !== START) order.push(anchor)
    const gap = mergeGap(leftGaps.get(anchor) ?? [], rightGaps.get(anchor) ?? [])
    if (!gap) return undefined
    order.push(...gap)
  }
  // A key moved by both sides to different anchors appears twice.
  return new Set(order).size === order.length ? order : undefined
}

/** Keys in both orders that need not have moved: the longest common subsequence. */
export function unmovedKeys(base: readonly string[], order: readonly string[]): ReadonlySet<string> {
  const places = new Map(base.map((key, index) => [key, index]))
  return longestRise(
    order.filter(key => places.has(key)),
    key => places.get(key) ?? 0,
  )
}

const START = ''

class Side {
  /** Keys that this side left in place relative to each other. */
  readonly stays: ReadonlySet<string>
  private readonly order: readonly string[]

  constructor(base: readonly string[], order: readonly string[], keep: ReadonlySet<string>) {
    this.order = order.filter(key => keep.has(key))
    this.stays = unmovedKeys(base, this.order)
  }

  /** The requested keys by the fixed key before them. */
  gaps(isFixed: ReadonlySet<string>, isWanted: (key: string) => boolean): Map<string, string[]> {
    const gaps = new Map<string, string[]>()
    let anchor = START
    for (const key of this.order) {
      if (isFixed.has(key)) anchor = key
      else if (isWanted(key)) {
        const gap = gaps.get(anchor)
        if (gap) gap.push(key)
        else gaps.set(anchor, [key])
      }
    }
    return gaps
  }
}

/** Keys of both sides keep their order; between them the side with the lower first key comes first. */
function mergeGap(left: readonly string[], right: readonly string[]): string[] | undefined {
  const inRight = new Set(right)
  const inLeft = new Set(left)
  const common = left.filter(key => inRight.has(key))
  if (right.filter(key => inLeft.has(key)).some((key, index) => key !== common[index])) return undefined
  const leftRuns = runs(left, inRight)
  const rightRuns = runs(right, inLeft)
  return leftRuns.flatMap((run, index) => {
    const between = common[index - 1]
    return [...(between === undefined ? [] : [between]), ...lowerFirst(run, rightRuns[index] ?? [])]
  })
}

function runs(keys: readonly string[], isCommon: ReadonlySet<string>): string[][] {
  const answer: string[][] = [[]]
  for (const key of keys) {
    if (isCommon.has(key)) answer.push([])
    else answer.at(-1)?.push(key)
  }
  return answer
}

function lowerFirst(a: readonly string[], b: readonly string[]): string[] {
  const [firstOfA, firstOfB] = [a[0], b[0]]
  if (firstOfA === undefined || firstOfB === undefined) return [...a, ...b]
  return firstOfA < firstOfB ? [...a, ...b] : [...b, ...a]
}

/** The longest increasing subsequence of positions: keys that need not have moved. */
function longestRise(keys: readonly string[], placeOf: (key: string) => number): Set<string> {
  const ends: number[] = []
  const before: number[] = []
  const places = keys.map(placeOf)
  for (const [index, place] of places.entries()) {
    const length = lowerBound(ends, end => (places[end] ?? 0) >= place)
    before[index] = ends[length - 1] ?? -1
    ends[length] = index
  }
  const rise = new Set<string>()
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const key = keys[index]
    if (key !== undefined) rise.add(key)
  }
  return rise
}

/** Index of the first passing item; passing items come after all others. */
function lowerBound(items: readonly number[], passes: (item: number) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && passes(item)) high = middle
    else low = middle + 1
  }
  return low
}
