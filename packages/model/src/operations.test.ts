import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { defaultOperations, exclusionLabel, exclusionOf, isSameOperation, parseExclusion } from './operations.ts'

describe('operations', () => {
  it('Default REST operations: GET, POST, PUT on the collection; GET, DELETE on the item by primary key', () => {
    expect(defaultOperations('Customer', 'code').map(exclusionLabel)).toEqual([
      'GET - /customer',
      'POST - /customer',
      'PUT - /customer',
      'GET - /customer/{code}',
      'DELETE - /customer/{code}',
    ])
    expect(defaultOperations('Note', null)).toHaveLength(3)
  })

  it('exclusions have the form entity.method or entity.idparam.method', holds('M3.19'), () => {
    const operations = defaultOperations('Customer', 'id')
    expect(operations.map(exclusionOf)).toEqual([
      'Customer.get',
      'Customer.post',
      'Customer.put',
      'Customer.id.get',
      'Customer.id.delete',
    ])
    expect(operations.map(operation => parseExclusion(exclusionOf(operation)))).toEqual(operations)
    expect(['', 'Customer', '.get', 'Customer..get', 'a.b.c.get', 'Customer.patch'].map(parseExclusion)).toEqual(
      Array.from({ length: 6 }, () => undefined),
    )
  })

  it('exclusions are compared case-insensitively', () => {
    const [first] = defaultOperations('customer', null)
    expect(isSameOperation(first!, { entity: 'CUSTOMER', key: null, method: 'get' })).toBe(true)
    expect(isSameOperation(first!, { entity: 'CUSTOMER', key: 'id', method: 'get' })).toBe(false)
  })
})
