import { expect, it } from 'vitest'
import { aResolvedModel, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { defaultValues } from './default-values.ts'

it('Warnings: a default value that does not fit its attribute', () => {
  const entity = anEntity({
    name: 'Order',
    typeAttributes: [
      aTypeAttribute({ name: 'placed', dataType: 'dateTime', defaultValue: 'yesterday' }),
      aTypeAttribute({ name: 'state', choices: ['open'], defaultValue: 'closed' }),
      aTypeAttribute({ name: 'total', dataType: 'double', defaultValue: '.5' }),
    ],
  })
  expect(entityFindings(defaultValues, aResolvedModel([entity]))).toEqual([
    [
      'warning',
      'defaultType',
      'The default value of placed is invalid: this must be a date and time such as 2026-01-31T13:45:00Z.',
      'Shop/Order/placed',
    ],
    [
      'warning',
      'defaultType',
      'The default value of state is invalid: this must be one of the choices.',
      'Shop/Order/state',
    ],
  ])
})
