import { expect, it } from 'vitest'
import { type AggregateQuery, newConfiguration } from '../configuration.ts'
import { noScopes } from '../entity.ts'
import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import {
  aggregateQueries,
  configurationSettings,
  entityScopes,
  excludedOperations,
  globalScopes,
  sotEntities,
} from './configuration.ts'

it('Warnings: Source of Truth without a selected entity', () => {
  const resolvedModel = aResolvedModel([anEntity({ name: 'Customer' })])
  const configuration = newConfiguration('Shop')
  expect(findings(configurationSettings, resolvedModel, { configuration })).toEqual([])
  configuration.configurationBuild.serviceConfiguration.applySot = true
  const message =
    'Source of Truth is on, but no entity is selected: nothing is recorded. Select entities, or turn it off.'
  expect(findings(configurationSettings, resolvedModel, { configuration })).toEqual([
    ['warning', 'sotEmpty', message, 'Shop'],
  ])
  expect(findings(configurationSettings, resolvedModel)).toEqual([])
})

const typeAttributes = aList(
  aKey(),
  aTypeAttribute({ name: 'title' }),
  aTypeAttribute({ name: 'price', dataType: 'double' }),
)
const resolvedModel = aResolvedModel([anEntity({ name: 'Order', typeAttributes })])

function findingsOf(query: AggregateQuery) {
  const configuration = newConfiguration('Shop')
  configuration.configurationBuild.aggregateQueries = [query]
  return findings(aggregateQueries, resolvedModel, { configuration }).map(([severity, code, message]) => [
    severity,
    code,
    message,
  ])
}

const column = (field: string, type: AggregateQuery['columns'][number]['type']) => ({ field, type, alias: field })

it('Errors: an aggregate query on a missing entity or field', () => {
  expect(findingsOf({ name: 'sums', entity: 'Gone', columns: [] })).toEqual([
    ['error', 'aggregateEntity', 'The aggregate query sums is about Gone, which is not in the manifest.'],
  ])
  expect(findingsOf({ name: 'sums', entity: 'Order', columns: [column('gone', 'COUNT')] })).toEqual([
    ['error', 'aggregateField', 'The aggregate query sums uses Order.gone, which does not exist.'],
  ])
})

it('Errors: SUM or AVG of a field that is not numeric', () => {
  const columns = [column('title', 'SUM'), column('title', 'AVG'), column('title', 'MAX'), column('price', 'SUM')]
  expect(findingsOf({ name: 'sums', entity: 'order', columns })).toEqual([
    ['error', 'aggregateType', 'The aggregate query sums takes SUM of title, which is string.'],
    ['error', 'aggregateType', 'The aggregate query sums takes AVG of title, which is string.'],
  ])
})

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

it('Errors: Source of Truth is on and lists an entity that does not exist', () => {
  const configuration = newConfiguration('Shop')
  const { serviceConfiguration } = configuration.configurationBuild
  serviceConfiguration.sotEntities = ['Customer', 'customer', 'Nope', '__proto__']
  const resolvedModel = aResolvedModel([anEntity({ name: 'Customer', typeAttributes: [aKey({ name: 'code' })] })])
  const messages = () => findings(sotEntities, resolvedModel, { configuration }).map(([, , message]) => message)
  expect(messages()).toEqual([])
  serviceConfiguration.applySot = true
  expect(messages()).toEqual([
    'The source of truth includes Nope, which is not in the manifest.',
    'The source of truth includes __proto__, which is not in the manifest.',
  ])
})

it('Errors: a scope used but not defined', () => {
  const operationScopes = { ...noScopes, selectOperationScopes: ['read', 'gone'], insertOperationScopes: ['gone'] }
  const resolvedModel = aResolvedModel([anEntity({ name: 'Customer', operationScopes })])
  const configuration = newConfiguration('Shop')
  configuration.configurationBuild.apiScopeConfiguration.scopeDefinitions = ['read']
  configuration.configurationBuild.apiScopeConfiguration.globalScopes = ['all']
  expect([
    ...findings(globalScopes, resolvedModel, { configuration }),
    ...findings(entityScopes, resolvedModel, { configuration }),
  ]).toEqual([
    ['error', 'scope', 'The scope "all" is used but not defined.', 'Shop'],
    ['error', 'scope', 'The scope "gone" is used but not defined.', 'Shop/Customer'],
  ])
})

it('Errors: a scope used before any configuration was saved', () => {
  const operationScopes = { ...noScopes, selectOperationScopes: ['read'] }
  expect(findings(entityScopes, aResolvedModel([anEntity({ name: 'Customer', operationScopes }), anEntity()]))).toEqual(
    [['error', 'scope', 'The scope "read" is used but not defined.', 'Shop/Customer']],
  )
})
