import { describe, expect, it } from 'vitest'
import { RequestGate } from './request-gate.ts'

describe('request gate of a package', () => {
  it('covers its addresses in every protocol and encoding', () => {
    const requestGate = new RequestGate()
    const open = requestGate.close('shop')
    for (const address of ['/api/shop/1.0/customer', '/graphql/shop/1.0?a=b', '/soap/shop/1.0', '/api/sh%6Fp/1.0']) {
      expect(requestGate.reopening(address)).toBeInstanceOf(Promise)
    }
    open()
    expect(requestGate.reopening('/api/shop/1.0/customer')).toBeUndefined()
  })

  it('the gate of a package does not delay requests to other packages', async () => {
    const requestGate = new RequestGate()
    for (const name of ['customer', 'api', '1.0']) requestGate.close(name)
    for (const address of ['/api/shop/1.0/customer', '/api/shop/1.0?customer', '/api/%zz/1.0', '/']) {
      expect(requestGate.reopening(address)).toBeUndefined()
      requestGate.enter(address)
    }
    await requestGate.drained(60_000, 'customer')
  })

  it('retires requests of a package that do not end in time', async () => {
    const requestGate = new RequestGate()
    const retired: string[] = []
    const enter = (address: string) => requestGate.enter(address, () => retired.push(address))
    enter('/api/shop/1.0')()
    enter('/soap/shop/1.0')
    enter('/api/other/1.0')
    await requestGate.drained(1)
    expect(retired).toEqual([])
    await requestGate.drained(1, 'shop')
    expect(retired).toEqual(['/soap/shop/1.0'])
  })
})
