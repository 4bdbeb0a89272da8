import { setFlagsFromString } from 'node:v8'

/** How much of it is going on. */
let running = 0

/**
 * Does work that needs much memory. While there is much to do V8 lets a heap grow to four times what is alive in it, and each thread has a
 * heap of its own: meanwhile all of them grow by a quarter. At other times that would only cost time.
 */
export async function withThriftyHeaps<T>(work: () => Promise<T>): Promise<T> {
  running += 1
  setFlagsFromString('--heap-growing-percent=25')
  try {
    return await work()
  } finally {
    running -= 1
    // As V8 itself sees fit.
    if (running === 0) setFlagsFromString('--heap-growing-percent=0')
  }
}
