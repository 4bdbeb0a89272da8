import { expect, it } from 'vitest'
import { parseLicence } from '../licence.ts'
import { licensedApi, licensedDatabase } from './licensed.ts'

it('rejects an API outside the licence and lists the included ones', () => {
  const licence = parseLicence('rs=0|gqls=1')
  expect(licensedApi('REST', licence)).toBe(
    'The licence of the organisation does not include REST: it allows SOAP, GraphQL.',
  )
  expect(licensedApi('GRAPHQL', licence)).toBeUndefined()
  expect(licensedApi('GRAPHQL', parseLicence('rs=0|gqls=0'))).toBe(
    'The licence of the organisation does not include GraphQL: it allows SOAP.',
  )
  expect(licensedApi('SOAP', parseLicence('rs=0|gqls=0'))).toBeUndefined()
  expect(licensedApi('REST', null)).toBeUndefined()
})

it('rejects a database outside the licence and lists the included ones in their order', () => {
  const licence = parseLicence('db=oracle~mysql')
  expect(licensedDatabase('PSQL', licence)).toEqual({
    refusal: 'The licence of the organisation does not include PostgreSQL: it allows Oracle, MySQL.',
  })
  expect(licensedDatabase('MYSQL', licence)).toEqual({ type: 'mysql' })
  expect(licensedDatabase(undefined, licence)).toEqual({ type: 'oracle' })
  expect(licensedDatabase('db2', licence)).toEqual({
    refusal: 'The licence of the organisation does not include db2: it allows Oracle, MySQL.',
  })
  expect(licensedDatabase(undefined, parseLicence('db='))).toEqual({
    refusal: 'The licence of the organisation does not include a database: it allows no database.',
  })
})
