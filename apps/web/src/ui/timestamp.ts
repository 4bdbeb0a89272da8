/** yyyy-MM-dd HH:mm:ss, where the page is. */
export function timestamp(instant: string): string {
  const at = new Date(instant)
  return `${dayOf(at)} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}

/** yyyy-MM-dd HH:mm, where the page is. */
export function minuteOf(instant: string): string {
  return timestamp(instant).slice(0, 'yyyy-MM-dd HH:mm'.length)
}

/** yyyy-MM-dd, where the page is: as date fields have it. */
export function dayOf(at: Date): string {
  return [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
