import { expect, it } from 'vitest'
import { networkOf } from './network.ts'

it('counts IPv4 by address, also in IPv6 notation', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::FFFF:192.0.2.1')).toBe('192.0.2.1')
})

it('counts IPv6 by /64 in any notation', () => {
  for (const address of [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff::9',
    '2001:0db8:0001:0002:3:4:5:6',
    '2001:db8:1:2:3:4:192.0.2.1',
  ]) {
    expect([address, networkOf(address)]).toEqual([address, '2001:db8:1:2::/64'])
  }
  expect(networkOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('2001:db8::1:2:3:4:5')).toBe('2001:db8:0:1::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})
