import { describe, expect, it } from 'vitest'
import { chosenOrganisation, hasSubscription, sortedPermissions } from './organisation.ts'

const acme = { oc: 'ACME', on: 'Acme', ng: 3 }
const globex = { oc: 'GLOBEX', on: 'Globex', ng: 0 }
const cadmus = { oc: 'CADMUS', on: 'Cadmus', ng: 9 }

describe('organisations', () => {
  it('M3.52 a subscription number of 0 is none', () => {
    expect([acme, globex].map(hasSubscription)).toEqual([true, false])
  })

  it('are listed by subscription, highest first', () => {
    expect(sortedPermissions([globex, acme, cadmus]).map(item => item.oc)).toEqual(['CADMUS', 'ACME', 'GLOBEX'])
  })

  it('M4.52 the one used last is picked if it is the same user and it has a subscription', () => {
    const last = (organisationCode: string, isSameUser = true) => ({ organisationCode, isSameUser })
    expect(chosenOrganisation([acme, cadmus], last('ACME'))).toBe(acme)
    expect(chosenOrganisation([acme, cadmus, globex], last('GLOBEX'))).toBeUndefined()
  })

  it("M4.53 another user's last organisation is not picked", () => {
    expect(chosenOrganisation([acme, cadmus], { organisationCode: 'ACME', isSameUser: false })).toBeUndefined()
  })

  it('M4.54 M4.55 otherwise the only one with a subscription, otherwise the picker', () => {
    expect(chosenOrganisation([acme, globex], undefined)).toBe(acme)
    expect(chosenOrganisation([acme, cadmus], undefined)).toBeUndefined()
    expect(chosenOrganisation([globex], undefined)).toBeUndefined()
  })
})
