import { expect, it } from 'vitest'
import { aResolvedModel, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { choiceTypes } from './choices.ts'

it('Warnings: a choice of another type, or longer than the max length', () => {
  const entity = anEntity({
    name: 'Order',
    typeAttributes: [
      aTypeAttribute({ name: 'state', dataType: 'integer', choices: ['1', 'two', 'three'] }),
      aTypeAttribute({ name: 'size', maxLength: 2, choices: ['XL', 'XXL'] }),
      aTypeAttribute({ name: 'kind', maxLength: 2, choices: ['a', '😀😀'] }),
    ],
  })
  expect(entityFindings(choiceTypes, aResolvedModel([entity]))).toEqual([
    [
      'warning',
      'choicesType',
      'The choice "two" of state is not a valid value, so choices are not checked: this must be a whole number.',
      'Shop/Order/state',
    ],
    [
      'warning',
      'choicesLength',
      'The choice "XXL" of size can never be stored: this must be at most 2 characters long.',
      'Shop/Order/size',
    ],
  ])
})
