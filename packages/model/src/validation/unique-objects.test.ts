import { expect, it } from 'vitest'
import { aResolvedModel, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { uniqueObjects } from './unique-objects.ts'

it('Warnings: a unique or indexed attribute of type object', () => {
  const entity = anEntity({
    name: 'Order',
    typeAttributes: [
      aTypeAttribute({ name: 'data', dataType: 'object', unique: true }),
      aTypeAttribute({ name: 'more', dataType: 'object', indexed: true }),
      aTypeAttribute({ name: 'plain', dataType: 'object' }),
      aTypeAttribute({ name: 'code', unique: true }),
    ],
  })
  expect(entityFindings(uniqueObjects, aResolvedModel([entity]))).toEqual([
    ['warning', 'notIndexable', 'data is an object: it can be neither unique nor indexed.', 'Shop/Order/data'],
    ['warning', 'notIndexable', 'more is an object: it can be neither unique nor indexed.', 'Shop/Order/more'],
  ])
})
