import { expect, it } from 'vitest'
import { ambiguousFolders } from './ambiguous-folders.ts'

it('ambiguousFolders gives the folders of items whose names are equal ignoring case', () => {
  const folders = ambiguousFolders([
    { id: 1, name: 'Order', path: 'user-defined/Shop/Order' },
    { id: 2, name: 'order', path: 'user-defined/Depot/order' },
    { id: 3, name: 'Country', path: 'user-defined/Shop/Country' },
    { id: 4, name: 'ORDER' },
  ])
  expect([...folders]).toEqual([
    [1, 'user-defined/Shop'],
    [2, 'user-defined/Depot'],
  ])
})

it('ambiguousFolders counts a repeated item once', () => {
  const order = { id: 1, name: 'Order', path: 'user-defined/Shop/Order' }
  expect(ambiguousFolders([order, { ...order }]).size).toBe(0)
})
