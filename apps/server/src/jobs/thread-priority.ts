import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lowers the priority of this thread, so that the thread answering requests takes precedence. Linux only, where each
 * thread has its own id and priority.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(/\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1])
    if (Number.isInteger(thread)) setPriority(thread, constants.priority.PRIORITY_LOW)
  } catch {
    // Other systems keep equal priorities.
  }
}
