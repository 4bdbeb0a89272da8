/** Work in short steps, between which other work may run. */
export type Steps<T> = Generator<undefined, T, undefined>

/** All steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The results for all items, in order. */
export function* mapInSteps<T, R>(items: Iterable<T>, resultOf: (item: T) => R): Steps<R[]> {
  const results: R[] = []
  for (const item of items) {
    results.push(resultOf(item))
    yield
  }
  return results
}
