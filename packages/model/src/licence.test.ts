import { expect, it } from 'vitest'
import { parseLicence } from './licence.ts'

it('M3.58 M3.59 M3.60 M3.61 M3.62 reads the four keys', () => {
  expect(parseLicence('mc=50|rs=1|gqls=0|db=mysql~hsql')).toEqual({
    manifestLimit: 50,
    rest: true,
    graphql: false,
    databaseTypes: ['mysql', 'hsql'],
  })
})

it('M3.39 M9.12 of the databases only those that the product knows can be chosen, in the order of the licence', () => {
  expect(parseLicence('db=db2~ORACLE12c~postgres~h2~oracle').databaseTypes).toEqual(['oracle', 'postgresql'])
  expect(parseLicence('db=').databaseTypes).toEqual([])
})

it('what is not said is allowed', () => {
  expect(parseLicence('')).toEqual({
    manifestLimit: Number.POSITIVE_INFINITY,
    rest: true,
    graphql: true,
    databaseTypes: ['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'],
  })
})
