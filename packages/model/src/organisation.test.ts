import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { chosenOrganisation, hasSubscription, sortedPermissions } from './organisation.ts'

const acme = { oc: 'ACME', on: 'Acme', ng: 3 }
const globex = { oc: 'GLOBEX', on: 'Globex', ng: 0 }
const cadmus = { oc: 'CADMUS', on: 'Cadmus', ng: 9 }

describe('organisations', () => {
  it('a subscription number of 0 is none', holds('M3.52'), () => {
    expect([acme, globex].map(hasSubscription)).toEqual([true, false])
  })

  it('are listed by subscription, highest first, then by name', () => {
    const zulu = { oc: 'ZULU', on: 'Zulu', ng: 9 }
    const sorted = sortedPermissions([globex, zulu, acme, cadmus])
    expect(sorted.map(item => item.oc)).toEqual(['CADMUS', 'ZULU', 'ACME', 'GLOBEX'])
  })

  it('the one used last is picked if it has a subscription', holds('M4.52'), () => {
    expect(chosenOrganisation([acme, cadmus], 'ACME')).toBe(acme)
    expect(chosenOrganisation([acme, cadmus, globex], 'GLOBEX')).toBeNull()
  })

  it('otherwise the only one with a subscription, otherwise the picker', holds('M4.54', 'M4.55'), () => {
    expect(chosenOrganisation([acme, globex], null)).toBe(acme)
    expect(chosenOrganisation([acme, cadmus], null)).toBeNull()
    expect(chosenOrganisation([globex], null)).toBeNull()
  })
})
