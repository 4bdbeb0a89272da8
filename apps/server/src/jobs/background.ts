import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets the thread that answers requests go first where processors are scarce. Linux only: there a thread has a number and a
 * priority of its own. Elsewhere nothing changes.
 */
export function workInBackground(): void {
  try {
    const thread = Number(/\/task\/(\d+)$/.exec(readlinkSync('/proc/thread-self'))?.[1])
    if (Number.isInteger(thread)) setPriority(thread, constants.priority.PRIORITY_LOW)
  } catch {
    // No such system: the threads share as equals.
  }
}
