import { processorTime } from '@cadmus/testing/processor-time'
import { expect } from 'vitest'

/**
 * Runs a function and asserts its processor time in milliseconds. Limits are generous: they detect quadratic algorithms
 * and hangs.
 */
export function within<T>(milliseconds: number, run: () => T): T {
  const start = processorTime()
  const result = run()
  expect(processorTime() - start).toBeLessThan(milliseconds)
  return result
}
