import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { describeLicenceChange, parseLicence, writeLicence } from './licence.ts'

it('describes the differences of two licences in words', () => {
  const before = 'mc=3|rs=1|gqls=0|db=psql~mysql'
  expect(describeLicenceChange(before, 'rs=0|gqls=1|db=mysql')).toBe(
    'manifest limit from 3 to no limit; REST API no longer included; GraphQL API included; database types from PostgreSQL, MySQL to MySQL',
  )
  expect(describeLicenceChange(before, before.replace('mc=3', 'mc=4'))).toBe('manifest limit from 3 to 4')
  expect(describeLicenceChange('mc=3', 'mc=3|seats=9')).toBe('from mc=3 to mc=3|seats=9')
})

it('reads the four keys of a licence', holds('M3.58', 'M3.59', 'M3.60', 'M3.61', 'M3.62'), () => {
  expect(parseLicence('mc=50|rs=1|gqls=0|db=mysql~hsql')).toEqual({
    manifestLimit: 50,
    rest: true,
    graphql: false,
    databaseTypes: ['mysql', 'hsql'],
  })
})

it('offers only supported databases, in the order of the licence', holds('M3.39', 'M9.12'), () => {
  expect(parseLicence('db=db2~ORACLE12c~postgres~h2~oracle').databaseTypes).toEqual(['oracle', 'postgresql'])
  expect(parseLicence('db=').databaseTypes).toEqual([])
})

it('a missing key of a licence means no restriction', () => {
  expect(parseLicence('')).toEqual({
    manifestLimit: Number.POSITIVE_INFINITY,
    rest: true,
    graphql: true,
    databaseTypes: ['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'],
  })
})

it.each([
  ['mc=50|rs=1|gqls=1|db=mysql~hsql', { manifestLimit: 7 }, 'mc=7|rs=1|gqls=1|db=mysql~hsql'],
  ['mc=50|rs=1', { rest: false, graphql: false }, 'mc=50|rs=0|gqls=0'],
  ['', { databaseTypes: ['oracle', 'mysql'] as const }, 'db=oracle~mysql'],
  ['mc=5|seats=3|db=psql', { manifestLimit: Number.POSITIVE_INFINITY }, 'seats=3|db=psql'],
  ['db=DB2~PSQL~mysql|x', { databaseTypes: ['mysql', 'postgresql'] as const }, 'db=mysql~postgresql~DB2|x'],
  ['mc=1|a=b|mc=2', { manifestLimit: 3 }, 'a=b|mc=3'],
  [' mc = 4 |odd==|', {}, ' mc = 4 |odd==|'],
])('writing %s with %o gives %s', (before, changes, after) => {
  const licence = { ...parseLicence(before), ...changes }
  expect(writeLicence(before, licence)).toBe(after)
  expect(parseLicence(after)).toEqual(licence)
})
