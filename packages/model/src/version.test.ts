import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { compareVersions, highestFirst, latestVersion, nextPatch, parseVersion } from './version.ts'

it('orders versions as semver.org specifies (§11)', () => {
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.9',
    '1.0.10',
    '1.2.0',
    '2.0.0',
    '99999999999999999999.0.0',
    '100000000000000000000.0.0',
  ]
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries())
      expect([a, b, Math.sign(compareVersions(a, b))]).toEqual([a, b, Math.sign(i - j)])
  }
  expect(latestVersion(ordered.toReversed())).toBe('100000000000000000000.0.0')
  expect(highestFirst(ordered, version => version)).toEqual(ordered.toReversed())
  expect(highestFirst(['nonsense', ...ordered], version => version).at(-1)).toBe('nonsense')
})

it('parses the parts of a version', () => {
  expect(parseVersion('1.2.3-rc.1+b.7')).toEqual({
    major: '1',
    minor: '2',
    patch: '3',
    prerelease: ['rc', '1'],
    build: ['b', '7'],
  })
  expect(parseVersion('1.2')).toBeUndefined()
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0)
  expect(compareVersions('nonsense', '0.0.0')).toBeLessThan(0)
})

it('Default next version: patch increment of the latest existing version', holds('M5.57'), () => {
  expect(nextPatch(['1.0.9', '1.0.10'])).toBe('1.0.11')
  expect(nextPatch(['1.0.0', '2.0.0-rc.1'])).toBe('2.0.0')
})

it('the first version is 1.0.0', () => {
  expect(nextPatch([])).toBe('1.0.0')
})
