import { expect, it } from 'vitest'
import { enteredColumn } from './AggregateColumns.tsx'

const entered = (field: string, attributes: string[] | undefined) =>
  enteredColumn(
    { field, type: 'COUNT', alias: null },
    [],
    attributes?.map(name => ({ name, dataType: 'string' as const })),
  )

it('adds a column being entered only if the entity has its attribute', () => {
  expect(entered('Price', ['price'])).toMatchObject({ problem: null, result: { field: 'Price', alias: 'PriceCount' } })
  expect(entered('price', undefined).result).not.toBeNull()
  expect(entered('price', ['name'])).toMatchObject({
    problem: 'Choose an attribute of the entity.',
    result: null,
  })
})

it('rejects the sum of a text attribute', () => {
  const column = { field: 'country', type: 'SUM', alias: null } as const
  expect(enteredColumn(column, [], [{ name: 'country', dataType: 'string' }])).toMatchObject({
    wrongType: true,
    result: null,
  })
})
