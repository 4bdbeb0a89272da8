import { expect, it } from 'vitest'
import { parseLicence } from '../licence.ts'
import { countUpTo, licensedApi, licensedDatabase, organisationCode, organisationName } from './organisation.ts'

it.each(['AC', 'ACME', 'A_C-7', '42', 'X'.repeat(50)])('accepts %s as the code of an organisation', code => {
  expect(organisationCode(code)).toBeUndefined()
})

it.each([
  ['', 'this is a required field'],
  ['A', 'this must be 2 to 50 characters long.'],
  ['X'.repeat(51), 'this must be 2 to 50 characters long.'],
  ['Acme', "this must contain only upper-case letters, digits, '_' and '-'."],
  ['AC ME', "this must contain only upper-case letters, digits, '_' and '-'."],
  [' ACME', "this must contain only upper-case letters, digits, '_' and '-'."],
  ['ACME\n', "this must contain only upper-case letters, digits, '_' and '-'."],
  ['ÄCME', "this must contain only upper-case letters, digits, '_' and '-'."],
  ['a', "this must be 2 to 50 characters long. this must contain only upper-case letters, digits, '_' and '-'."],
  ['A/B', "this must contain only upper-case letters, digits, '_' and '-'."],
])('rejects "%s" as the code of an organisation', (code, why) => {
  expect(organisationCode(code)).toBe(why)
})

it('accepts any visible text as the name of an organisation', () => {
  expect(organisationName('Äcme & Söhne <b> 株式会社')).toBeUndefined()
  expect(organisationName('  ')).toBe('this is a required field')
  expect(organisationName('A')).toBe('this must be 2 to 100 characters long.')
  expect(organisationName('x'.repeat(101))).toBe('this must be 2 to 100 characters long.')
  expect(organisationName('Acme ')).toBe('this must not begin or end with a space.')
  expect(organisationName('Ac\u202Eme')).toContain('contains invisible characters.')
  expect(organisationName(`${'x'.repeat(100)} `)).toBe(
    'this must be 2 to 100 characters long. this must not begin or end with a space.',
  )
})

it.each(['0', '7', ' 12 ', '100'])('accepts %s as a number up to 100', text => {
  expect(countUpTo(text, 100)).toBeUndefined()
})

it.each(['-1', '1.5', '101', 'x', '1e1', '0x1', '9'.repeat(400)])('rejects %s as a number up to 100', text => {
  expect(countUpTo(text, 100)).toBe('this must be a whole number from 0 to 100.')
})

it('requires a number in an empty field', () => {
  expect(countUpTo(' ', 100)).toBe('this is a required field')
})

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
