import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lowers the priority of this thread, so that the thread answering requests takes precedence. Not to the lowest, with
 * which a task of a second takes minutes on a busy machine. Linux only, where each thread has its own id and priority.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(/\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1])
    if (Number.isInteger(thread)) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Other systems keep equal priorities.
  }
}
