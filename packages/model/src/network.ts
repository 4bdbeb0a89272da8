/** Key for limits by address: an IPv4 address, or the /64 network of an IPv6 address, which one caller controls. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = address.split('::')
  const [first, last] = [head, tail].map(part => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: Math.max(0, 8 - (first?.length ?? 0) - (last?.length ?? 0)) }, () => '0')
  const groups = [...(first ?? []), ...zeros, ...(last ?? [])]
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
