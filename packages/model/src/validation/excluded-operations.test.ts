import { expect, it } from 'vitest'
import { newConfiguration } from '../configuration.ts'
import { aResolvedModel, aKey, anEntity } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import { excludedOperations } from './excluded-operations.ts'

it('Errors: an excluded operation that matches no operation', () => {
  const configuration = newConfiguration('Shop')
  const right = ['Customer.get', 'customer.POST', 'Customer.put', 'Customer.code.get', 'Customer.code.delete']
  const wrong = [
    'Gone.get',
    'Customer.id.get',
    'Customer.code.put',
    'Customer.delete',
    'Customer',
    'Customer.code.get.x',
    '',
  ]
  configuration.configurationBuild.apiConfiguration.excludeOperations = [...right, ...wrong]
  const resolvedModel = aResolvedModel([anEntity({ name: 'Customer', typeAttributes: [aKey({ name: 'code' })] })])
  expect(findings(excludedOperations, resolvedModel, { configuration }).map(([, , message]) => message)).toEqual(
    wrong.map(text => `The excluded operation "${text}" matches no operation.`),
  )
})
