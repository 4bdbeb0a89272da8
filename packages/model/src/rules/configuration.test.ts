import { expect, it } from 'vitest'
import { holds } from '@cadmus/testing/holds'
import { newConfiguration } from '../configuration.ts'
import { parseLicence } from '../licence.ts'
import { aggregateQuery, alias, configurationProblems, typedValue } from './configuration.ts'
import { takenNames } from './names.ts'

const licence = parseLicence('mc=5|rs=1|gqls=1|db=mysql')

it('accepts a new configuration', () => {
  expect(configurationProblems(newConfiguration('Shop'), { licence })).toEqual([])
})

it('allows REST and GraphQL only if the licence includes them', holds('M3.60', 'M3.61'), () => {
  const configuration = newConfiguration('Shop')
  configuration.configurationBuild.apiConfiguration.type = ['REST', 'SOAP', 'GRAPHQL']
  expect(configurationProblems(configuration, { licence })).toEqual([])
  expect(configurationProblems(configuration, { licence: parseLicence('rs=0|gqls=0') })).toEqual([
    {
      path: 'configurationBuild.apiConfiguration.type',
      message: 'The licence of the organisation does not include REST: it allows SOAP.',
    },
    {
      path: 'configurationBuild.apiConfiguration.type',
      message: 'The licence of the organisation does not include GraphQL: it allows SOAP.',
    },
  ])
})

it('reports each problem of a configuration with the path of its field', () => {
  const configuration = newConfiguration('Shop')
  const { apiConfiguration, apiScopeConfiguration } = configuration.configurationBuild
  apiConfiguration.type = ['REST']
  apiConfiguration.security = 'BASIC'
  Object.assign(apiScopeConfiguration, { enableRbac: true, scopeDefinitions: ['a', 'a'], globalScopes: ['b'] })
  const column = { field: 'id', type: 'COUNT', alias: 'n' } as const
  configuration.configurationBuild.aggregateQueries = [
    { name: 'count', entity: 'Order', columns: [column] },
    { name: 'Count', entity: 'order', columns: [column] },
  ]
  expect(configurationProblems(configuration, { licence })).toEqual([
    {
      path: 'configurationBuild.aggregateQueries.1',
      message: 'An aggregate query with the name "Count" already exists.',
    },
    {
      path: 'configurationBuild.apiScopeConfiguration.scopeDefinitions',
      message: 'A scope with the name "a" already exists.',
    },
    { path: 'configurationBuild.apiScopeConfiguration.globalScopes', message: 'The scope "b" is not defined.' },
    {
      path: 'configurationBuild.apiScopeConfiguration.identityProvider',
      message: 'Basic Authentication requires the user directory as the identity provider.',
    },
  ])
})

it('requires a name for a custom property with a value, and unique property names', () => {
  const configuration = newConfiguration('Shop')
  const property = (name: string, value = '') => ({ name, value, secret: false })
  configuration.packageProperties.customProperties = [
    property(''),
    property('a', '1'),
    property(' a '),
    property('', 'x'),
  ]
  expect(configurationProblems(configuration, { licence })).toEqual([
    {
      path: 'packageProperties.customProperties.2.name',
      message: 'A property with the name "a" already exists.',
    },
    { path: 'packageProperties.customProperties.3.name', message: 'this is a required field' },
  ])
})

it('rejects empty, padded, too long and repeated scopes, and repeated API types', () => {
  const configuration = newConfiguration('Shop')
  const { apiConfiguration, apiScopeConfiguration, serviceConfiguration } = configuration.configurationBuild
  apiConfiguration.type = ['REST', 'REST']
  apiScopeConfiguration.scopeDefinitions = ['', ' padded ', 'x'.repeat(401), 'right']
  apiScopeConfiguration.globalScopes = ['right', 'right']
  serviceConfiguration.sotEntities = ['', 'Order']
  expect(
    configurationProblems(configuration, { licence }).map(({ path, message }) => [path.slice(19), message]),
  ).toEqual([
    ['apiConfiguration.type', '"REST" is in the list twice.'],
    ['serviceConfiguration.sotEntities', 'this is a required field'],
    ['apiScopeConfiguration.scopeDefinitions', 'this is a required field'],
    ['apiScopeConfiguration.scopeDefinitions', 'The scope " padded " must not begin or end with a space.'],
    ['apiScopeConfiguration.scopeDefinitions', 'this must be at most 400 characters long.'],
    ['apiScopeConfiguration.globalScopes', '"right" is in the list twice.'],
  ])
})

it('rejects the placeholder of a secret as the value of a property that is not secret', () => {
  const configuration = newConfiguration('Shop')
  configuration.packageProperties.customProperties = [
    { name: 'closed', value: '********', secret: true },
    { name: 'opened', value: '********', secret: false },
  ]
  expect(configurationProblems(configuration, { licence })).toEqual([
    {
      path: 'packageProperties.customProperties.1.value',
      message: 'The value of "opened" was secret and cannot be shown: enter it again.',
    },
  ])
})

it('rejects the placeholder of a secret as typed input', () => {
  for (const typed of ['********', '******** Lion-4711'])
    expect(typedValue(typed)).toBe('This text is the placeholder of a stored secret: enter the value itself.')
  for (const typed of ['', '*******', '*********', ' ********', 'Lion-4711']) expect(typedValue(typed)).toBeUndefined()
})

const column = { field: 'price', type: 'SUM', alias: 'priceSum' } as const
const query = { name: 'sums', entity: 'Order', columns: [column] }
const taken = takenNames(['others'])

it('an aggregate query requires a name, an entity and a column', holds('M5.11', 'M5.12', 'M5.13'), () => {
  expect(aggregateQuery(query, { taken })).toBeUndefined()
  expect(aggregateQuery({ ...query, name: ' ' }, { taken })).toBe('this is a required field')
  expect(aggregateQuery({ ...query, entity: '' }, { taken })).toBe('this is a required field')
  expect(aggregateQuery({ ...query, columns: [] }, { taken })).toBe('An aggregate query requires at least one column.')
  expect(aggregateQuery({ ...query, name: 'OTHERS' }, { taken })).toBe(
    'An aggregate query with the name "OTHERS" already exists.',
  )
})

it('a column alias must be unique within its aggregate query', holds('M5.14'), () => {
  expect(alias('PRICESUM', { others: [column] })).toBe('A column with the alias "PRICESUM" already exists.')
  expect(alias('priceMax', { others: [column] })).toBeUndefined()
  expect(alias('', { others: [] })).toBe('this is a required field')
  expect(aggregateQuery({ ...query, columns: [column, column] }, { taken })).toBe(
    'A column with the alias "priceSum" already exists.',
  )
})
