import { BlockList, isIPv6 } from 'node:net'

const notPublic = new BlockList()
// All networks that the IANA special-purpose registries do not mark globally reachable, and multicast.
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic.addSubnet(address, prefix, 'ipv4')
}
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
// Special networks within 2000::/3: Teredo and other protocol assignments, documentation, and 6to4, which embeds an
// IPv4 address.
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(address, prefix, 'ipv6')
}

/** Whether an address is publicly reachable, so that calling it cannot reach this network or machine. */
export function isGloballyRoutable(address: string): boolean {
  if (!isIPv6(address)) return !notPublic.check(address, 'ipv4')
  return publicV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}
