import { expect, it } from 'vitest'
import { aResolvedModel, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { maxLengths } from './max-lengths.ts'

it('Warnings: a max length that no database supports', () => {
  const entity = anEntity({
    name: 'Order',
    typeAttributes: [
      aTypeAttribute({ name: 'endless', maxLength: 1e12 }),
      aTypeAttribute({ name: 'beyond', maxLength: 1e21 }),
      aTypeAttribute({ name: 'longest', maxLength: 2_147_483_647 }),
      aTypeAttribute({ name: 'open' }),
    ],
  })
  expect(entityFindings(maxLengths, aResolvedModel([entity]))).toEqual([
    [
      'warning',
      'maxLength',
      'The max length of endless is not supported by databases: this must be a number from 1 to 2147483647.',
      'Shop/Order/endless',
    ],
    [
      'warning',
      'maxLength',
      'The max length of beyond is not supported by databases: this must contain only digits.',
      'Shop/Order/beyond',
    ],
  ])
})
