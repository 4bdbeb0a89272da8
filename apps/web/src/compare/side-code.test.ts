import { describe, expect, it } from 'vitest'
import { stateIn } from '../workbench/address.ts'
import { type SideCode, sideIn, sideWord } from './side-code.ts'

const sides: SideCode[] = [
  { kind: 'now' },
  { kind: 'draft' },
  { kind: 'version', version: '1.0.0-rc.1+build-7' },
  { kind: 'build', package: 4, version: '2.0.0-a-b' },
  { kind: 'manifest', manifest: 7, version: null },
  { kind: 'manifest', manifest: 7, version: '1.0.0' },
]

describe('A side of a comparison in the address', () => {
  it.each(sides)('a word of the address names $kind and is read back', side => {
    const word = sideWord(side)
    expect(stateIn({ before: word })).toEqual({ before: word })
    expect(sideIn(word)).toEqual(side)
  })

  it.each([
    '',
    'then',
    'version-',
    'build-4',
    'build-0-1.0.0',
    'build-x-1.0.0',
    'manifest-',
    'manifest-99999999999999999',
  ])('another word is no side: "%s"', word => expect(sideIn(word)).toBeNull())
})
