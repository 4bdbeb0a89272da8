import { expect, it } from 'vitest'
import { hiddenValue } from './hidden-value.ts'
import { conflictValue, conflictWords } from './configuration-words.ts'

it('a configuration conflict is described with the labels of the screen', () => {
  expect([
    conflictWords({ path: 'packageProperties.connectionPoolInfo', field: 'url' }),
    conflictWords({ path: 'configurationBuild.apiConfiguration', field: 'security' }),
    conflictWords({ path: 'configurationBuild.sqlExport', field: 'naming' }),
    conflictWords({ path: 'configurationBuild.aggregateQueries.order: total', field: 'columns' }),
    conflictWords({ path: 'packageProperties.customProperties.a.b', field: 'deleted' }),
    conflictWords({ path: 'packageProperties', field: 'customProperties' }),
  ]).toEqual([
    'Connection Url',
    'Security',
    'Names',
    'Aggregate Queries, order: total: columns',
    'Properties, a.b: deleted or changed',
    'Properties',
  ])
})

it('a configuration conflict shows formatted values and never a secret', () => {
  const at = { path: 'configurationBuild.apiConfiguration', field: 'x' }
  const columns = [{ field: 'id', type: 'COUNT', alias: 'n' }]
  const values = ['', true, false, [], ['read', 'write'], columns, 'a\u202Eb'].map(value => conflictValue(at, value))
  expect(values).toEqual(['nothing', 'yes', 'no', 'nothing', 'read, write', 'COUNT(id) as n', 'a‹U+202E›b'])
  expect(conflictValue({ ...at, field: 'security' }, 'OAUTH2')).toBe('OAuth Authentication')
  expect(conflictValue({ ...at, field: 'type' }, ['REST', 'GRAPHQL'])).toBe('REST, GraphQL')
  expect(conflictValue({ ...at, field: 'naming' }, 'snake')).toBe('snake_case')
  expect(conflictValue({ ...at, field: 'type' }, 'MSSQL')).toBe('SQL Server')
  expect(conflictValue({ path: 'packageProperties.connectionPoolInfo', field: 'password' }, null)).toBe('not shown')
  expect(conflictValue({ ...at, field: 'deleted' }, null)).toBe('deleted')
  expect(conflictValue({ ...at, field: 'deleted' }, hiddenValue)).toBe('secret, changed')
  expect(conflictValue({ ...at, field: 'deleted', mine: null, theirs: null }, null)).toBe('not shown')
})

it('queries and properties of a configuration are shown as on the screen, not as JSON', () => {
  const at = { path: 'configurationBuild', field: 'aggregateQueries' }
  const columns = [
    { field: 'status', type: 'GROUPBY', alias: 'status' },
    { field: 'total', type: 'SUM', alias: 'revenue' },
  ]
  const query = { name: 'revenueByStatus', entity: 'SalesOrder', columns }
  expect(conflictValue(at, [query])).toBe(
    'revenueByStatus of SalesOrder: GROUPBY(status) as status, SUM(total) as revenue',
  )
  const properties = [
    { name: 'region', value: 'eu', secret: false },
    { name: 'key', value: hiddenValue, secret: true },
  ]
  expect(conflictValue({ path: 'packageProperties', field: 'customProperties' }, properties)).toBe(
    'region = eu, key (secret)',
  )
})
