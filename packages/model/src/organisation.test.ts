import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { chooseOrganisation, hasSubscription, sortPermissions } from './organisation.ts'

const acme = { oc: 'ACME', on: 'Acme', ng: 3 }
const globex = { oc: 'GLOBEX', on: 'Globex', ng: 0 }
const cadmus = { oc: 'CADMUS', on: 'Cadmus', ng: 9 }

describe('organisations', () => {
  it('a subscription number of 0 means no subscription', holds('M3.52'), () => {
    expect([acme, globex].map(hasSubscription)).toEqual([true, false])
  })

  it('organisations are sorted by subscription, highest first, then by name', () => {
    const zulu = { oc: 'ZULU', on: 'Zulu', ng: 9 }
    const sorted = sortPermissions([globex, zulu, acme, cadmus])
    expect(sorted.map(item => item.oc)).toEqual(['CADMUS', 'ZULU', 'ACME', 'GLOBEX'])
  })

  it('chooses the last used organisation if it has a subscription', holds('M4.52'), () => {
    expect(chooseOrganisation([acme, cadmus], 'ACME')).toBe(acme)
    expect(chooseOrganisation([acme, cadmus, globex], 'GLOBEX')).toBeNull()
  })

  it(
    'without a last used organisation, chooses the only one with a subscription or shows the picker',
    holds('M4.54', 'M4.55'),
    () => {
      expect(chooseOrganisation([acme, globex], null)).toBe(acme)
      expect(chooseOrganisation([acme, cadmus], null)).toBeNull()
      expect(chooseOrganisation([globex], null)).toBeNull()
    },
  )
})
