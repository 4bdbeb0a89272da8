import { expect, it } from 'vitest'
import { isNameUsed } from './use-name-check.ts'

const lookup = async () => [
  { id: 1, name: 'Order' },
  { id: 2, name: 'OrderLine' },
]

it('a name is in use in any case, except by the object itself', async () => {
  expect(await isNameUsed(lookup, 'order')).toBe(true)
  expect(await isNameUsed(lookup, 'order', 1)).toBe(false)
  expect(await isNameUsed(lookup, 'Orders')).toBe(false)
})

it('a failed look-up accepts the name', async () => {
  expect(await isNameUsed(() => Promise.reject(new Error('away')), 'Order')).toBe(false)
})
