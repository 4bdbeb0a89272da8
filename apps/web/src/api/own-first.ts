import type { OptionSource } from '../ui/options.ts'

type Load<T> = OptionSource<T>['load']

/** The pages of two sources as one: all of the first, then those of the second, with whose first page the first one's last is filled up. */
export function oneAfterTheOther<T>(first: Load<T>, second: Load<T>): Load<T> {
  return async (search, page, limit, signal) => {
    const head = await first(search, page, limit, signal)
    const headPages = Math.ceil(head.total / limit)
    // The last page of the first one carries the first page of the second, so that the own ones are never alone on a short list.
    const step = page - Math.max(0, headPages - 1)
    if (step < 0) return { options: head.options, total: (headPages + 1) * limit }
    const tail = await second(search, step, limit, signal)
    return { options: [...head.options, ...tail.options], total: (page - step) * limit + tail.total }
  }
}
