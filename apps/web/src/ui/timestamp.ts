/** yyyy-MM-dd HH:mm:ss in local time. */
export function timestamp(instant: string): string {
  const at = new Date(instant)
  return `${dayOf(at)} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}

/** yyyy-MM-dd HH:mm in local time. */
export function minuteOf(instant: string): string {
  return timestamp(instant).slice(0, 'yyyy-MM-dd HH:mm'.length)
}

/** yyyy-MM-dd in local time, the format of date fields. */
export function dayOf(at: Date): string {
  return [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
