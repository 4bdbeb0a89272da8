import { setFlagsFromString } from 'node:v8'

/** Number of memory-intensive tasks running. */
let running = 0

/**
 * Runs memory-intensive work with slow heap growth. Under load, V8 lets each thread's heap grow to four times its live
 * size; this limits growth to a quarter for all threads. Outside such work the limit would only cost time.
 */
export async function withHeapLimit<T>(work: () => Promise<T>): Promise<T> {
  running += 1
  setFlagsFromString('--heap-growing-percent=25')
  try {
    return await work()
  } finally {
    running -= 1
    // 0 restores V8's default.
    if (running === 0) setFlagsFromString('--heap-growing-percent=0')
  }
}
