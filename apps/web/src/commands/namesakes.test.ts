import { expect, it } from 'vitest'
import { foldersOfNamesakes } from './namesakes.ts'

it('of those that have the name of another one the folder is told, whatever the case of the name', () => {
  const folders = foldersOfNamesakes([
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

it('one that is named twice is no namesake of itself', () => {
  const order = { id: 1, name: 'Order', path: 'user-defined/Shop/Order' }
  expect(foldersOfNamesakes([order, { ...order }]).size).toBe(0)
})
