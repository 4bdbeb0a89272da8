/**
 * The time in milliseconds since 1970, by a clock that never goes back: set forward it follows, set back it goes on from where
 * it was. Whoever measures a duration with it, such as the life of a session, is not kept waiting for the hour that is lived twice.
 */
export function steadyClock(wall: () => number = Date.now, monotonic: () => number = () => performance.now()) {
  let offset = -Infinity
  return (): number => {
    offset = Math.max(offset, wall() - monotonic())
    return offset + monotonic()
  }
}
