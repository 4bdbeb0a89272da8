import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { aggregateQuery, alias } from './aggregate-query.ts'
import { takenNames } from './taken-names.ts'

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
