/** A count with separators: 1,234,567. Avoids Intl, whose locale data take longer to load than the first page. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}
