import { expect, it } from 'vitest'
import { aResolvedModel, anEntity } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import { noEntity } from './no-entity.ts'

it('Errors: a manifest without entities', () => {
  expect(findings(noEntity, aResolvedModel([]))).toEqual([['error', 'noEntity', 'Shop has no entity.', 'Shop']])
  expect(findings(noEntity, aResolvedModel([anEntity()]))).toEqual([])
})
