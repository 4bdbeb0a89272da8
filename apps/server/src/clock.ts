/**
 * Returns a clock in milliseconds since 1970 that never goes back: it follows a wall clock set forward and ignores one
 * set back. Durations measured with it, such as session lifetimes, remain correct when daylight saving ends.
 */
export function steadyClock(wall: () => number = Date.now, monotonic: () => number = () => performance.now()) {
  let offset = -Infinity
  return (): number => {
    offset = Math.max(offset, wall() - monotonic())
    return offset + monotonic()
  }
}

/** Returns the time some milliseconds from now, as stored in rows. */
export function isoTime({ now }: { now: () => number }, milliseconds: number): string {
  return new Date(now() + milliseconds).toISOString()
}
