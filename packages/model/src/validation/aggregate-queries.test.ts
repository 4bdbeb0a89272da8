import { expect, it } from 'vitest'
import { newConfiguration, type AggregateQuery } from '../configuration.ts'
import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import { aggregateQueries } from './aggregate-queries.ts'

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
