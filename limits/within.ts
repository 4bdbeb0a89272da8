import { processorTime } from '@cadmus/testing/processor-time'
import { expect } from 'vitest'

/** The result of `run`, which may compute for so many milliseconds. Limits are generous: they find squares and hangs. */
export function within<T>(milliseconds: number, run: () => T): T {
  const start = processorTime()
  const result = run()
  expect(processorTime() - start).toBeLessThan(milliseconds)
  return result
}
