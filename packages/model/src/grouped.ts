/** A count as people read it: 1,234,567. The rules of a language would have to be loaded first, which takes a page longer than its tree. */
export function grouped(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
