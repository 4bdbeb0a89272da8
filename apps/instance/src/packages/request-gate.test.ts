import { describe, expect, it } from 'vitest'
import { Visits } from './visits.ts'

describe('The door of a package', () => {
  it('is at its own addresses in every protocol, however they are written', () => {
    const visits = new Visits()
    const open = visits.close('shop')
    for (const address of ['/api/shop/1.0/customer', '/graphql/shop/1.0?a=b', '/soap/shop/1.0', '/api/sh%6Fp/1.0']) {
      expect(visits.doorOf(address)).toBeInstanceOf(Promise)
    }
    open()
    expect(visits.doorOf('/api/shop/1.0/customer')).toBeUndefined()
  })

  it('keeps nobody waiting who goes to another, whatever is asked for there', async () => {
    const visits = new Visits()
    for (const name of ['customer', 'api', '1.0']) visits.close(name)
    for (const address of ['/api/shop/1.0/customer', '/api/shop/1.0?customer', '/api/%zz/1.0', '/']) {
      expect(visits.doorOf(address)).toBeUndefined()
      visits.enter(address)
    }
    await visits.gone(60_000, 'customer')
  })
})
