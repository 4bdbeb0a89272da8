import { describe, expect, it } from 'vitest'
import { holds } from '@cadmus/testing/holds'
import { newConfiguration } from '../configuration.ts'
import { newEntityContent, noScopes } from '../entity.ts'
import { parseLicence } from '../licence.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import { aggregateQuery, alias, configurationProblems } from './configuration.ts'
import { entityProblems } from './entity.ts'
import {
  boundedName,
  boundedText,
  entityName,
  hiddenCharacters,
  isTaken,
  manifestName,
  namePattern,
  takenNames,
} from './names.ts'
import { packageName, tokenName } from './organisation.ts'
import { typeAttributeName, choice, choices } from './type-attribute.ts'
import { foreignKeyName } from './relationship.ts'
import { newVersion } from './version.ts'

describe('entity name', () => {
  it('The name pattern holds for entity names', holds('E5.5'), () => {
    expect(entityName('a__b')).toBe(
      'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.',
    )
  })

  it('Entity name: required', holds('E5.7', 'M5.2'), () => {
    expect(entityName('')).toBe('this is a required field')
  })

  it('Entity name: at least 2 characters', holds('E5.8'), () => {
    expect(entityName('a')).toBe('this must be 2 to 120 characters long.')
    expect(entityName('ab')).toBeUndefined()
  })

  it('Entity name: at most 120 characters', holds('E5.9', 'M5.5'), () => {
    expect(entityName('a'.repeat(120))).toBeUndefined()
    expect(entityName('a'.repeat(121))).toBe('this must be 2 to 120 characters long.')
    expect(entityName('a'.repeat(10_000))).toBe('this must be 2 to 120 characters long.')
  })
})

describe('manifest name', () => {
  it('Manifest name is required', holds('M5.1'), () => {
    expect(manifestName('')).toBe('this is a required field')
  })

  it('Manifest name: 2 to 50 characters', holds('M5.3', 'M5.4'), () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'ab', 'a'.repeat(50), 'a'.repeat(51)].map(name => manifestName(name))).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })

  it('Manifest name follows the name pattern', holds('M5.6', 'M5.7'), () => {
    expect(manifestName('my-name')).toContain('alphanumeric')
    expect(manifestName('my__name')).toContain('alphanumeric')
  })
})

const taken = takenNames(['title', 'id'])

describe('type attribute name', () => {
  it('Type attribute name: required', holds('E5.14'), () => {
    expect(typeAttributeName('', { taken })).toBe('this is a required field')
  })

  it('Type attribute name: 2 to 50 characters', holds('E5.15'), () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'ab', 'a'.repeat(50), 'a'.repeat(51)].map(name => typeAttributeName(name, { taken }))).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })

  it('Type attribute name: follows the name pattern', holds('E5.5', 'E5.16'), () => {
    expect(typeAttributeName('a__b', { taken })).toContain('no consecutive underscores')
  })

  it('Type attribute name: different from the other type attributes', holds('E5.17', 'E4.47'), () => {
    expect(typeAttributeName('TITLE', { taken })).toBe('A type attribute with the name "TITLE" already exists.')
    expect(typeAttributeName('titles', { taken })).toBeUndefined()
  })

  it('Type attribute name: different from the foreign keys of the entity', () => {
    const foreignKeys = takenNames(['countryId'])
    expect(typeAttributeName('countryId', { taken, foreignKeys })).toBe(
      'A relationship with the foreign key "countryId" already exists.',
    )
  })
})

it('accepts letters, digits, - and _ in a package name, and rejects names reserved by the instance', () => {
  for (const name of ['a', 'Shop', 'acme-sales_2', '2', 'x'.repeat(100), 'cores', '_'])
    expect(packageName(name)).toBeUndefined()
  for (const name of ['a b', 'a.b', 'a/b', '../a', 'é', 'a\0', 'a\n'])
    expect(packageName(name)).toBe("this must contain only letters, digits, '-' and '_'.")
  expect(packageName('')).toBe('this is a required field')
  expect(packageName('x'.repeat(101))).toBe('this must be 1 to 100 characters long.')
  expect(packageName('core')).toBe('The package name "core" is reserved by the instance.')
  expect(packageName('CDM-Client')).toBe('The package name "CDM-Client" is reserved by the instance.')
})

it('a token name has 1 to 100 characters, not counting surrounding spaces', () => {
  expect(tokenName('')).toBe('this is a required field')
  expect(tokenName(' \t ')).toBe('this is a required field')
  expect(tokenName('x')).toBeUndefined()
  expect(tokenName(` ${'😀'.repeat(100)} `)).toBeUndefined()
  expect(tokenName('x'.repeat(101))).toBe('this must be 1 to 100 characters long.')
})

it('a token name contains no invisible characters', () => {
  expect(tokenName('nightly\u202Ebuild')).toBe('"nightly‹U+202E›build" contains invisible characters.')
  expect(tokenName('nightly\0')).toContain('invisible characters')
  expect(tokenName('Nachtlauf 2: Export & Prüfung 🌙')).toBeUndefined()
})

it('compares token names case-insensitively and without surrounding spaces', () => {
  const taken = takenNames(['Nightly'])
  expect(tokenName(' nightLY ', { taken })).toBe('An access token with the name "nightLY" already exists.')
  expect(tokenName('Nightly 2', { taken })).toBeUndefined()
})

describe('bounded name', () => {
  it('rejects a name of spaces only as missing', () => {
    expect(boundedName('', { min: 2, max: 5 })).toBe('this is a required field')
    expect(boundedName('  \t', { min: 2, max: 5 })).toBe('this is a required field')
  })

  it('measures the length of a name in code points', () => {
    expect(boundedText('😀😀😀😀😀', { min: 2, max: 5 })).toBeUndefined()
    expect(boundedText('😀😀😀😀😀😀', { min: 2, max: 5 })).toBe('this must be 2 to 5 characters long.')
    expect(boundedText('😀', { min: 2, max: 5 })).toBe('this must be 2 to 5 characters long.')
  })

  it('reports both the length and the pattern of a name', () => {
    const pattern =
      'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'
    expect(boundedName('-', { min: 2, max: 5 })).toBe(
      `this must be 2 to 5 characters long. ${pattern} It must begin with a letter, not with "-".`,
    )
    expect(boundedName('a__bcd', { min: 2, max: 5 })).toBe(`this must be 2 to 5 characters long. ${pattern}`)
    expect(boundedName('a__b', { min: 2, max: 5 })).toBe(pattern)
  })
})

const message =
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'

describe('name pattern', () => {
  it('Name pattern: starts with a letter', holds('E5.1'), () => {
    expect(['1abc', '_abc'].map(namePattern)).toEqual([
      `${message} It must begin with a letter, not with "1".`,
      `${message} It must begin with a letter, not with "_".`,
    ])
    expect(namePattern('abc1')).toBeUndefined()
  })

  it('Name pattern: only letters, digits and underscores', holds('E5.2', 'M5.6'), () => {
    const wrong = ['a-b', 'a b', 'a.b', 'a\nb', 'ab\n', 'aé', 'a😀', 'a\u0000b', "a'; DROP TABLE x; --", ' ab', 'ab ']
    expect(wrong.filter(name => !namePattern(name)?.startsWith(`${message} It must`))).toEqual([])
    expect(namePattern('a_b')).toBeUndefined()
  })

  it('Name pattern: ends with a letter or digit', holds('E5.3'), () => {
    expect(namePattern('abc_')).toBe(`${message} It must end with a letter or a digit, not with "_".`)
    expect(namePattern('abc_1')).toBeUndefined()
  })

  it('Name pattern: no double underscore', holds('E5.4', 'M5.7'), () => {
    expect(namePattern('a__b')).toBe(message)
    expect(namePattern('a_b_c')).toBeUndefined()
  })

  it('the message of the name pattern is the specified text', holds('E5.6', 'M5.8'), () => {
    expect(namePattern('a__b')).toBe(message)
  })

  it.each([
    ['80', 'It must begin with a letter, not with "8".'],
    ['9', 'It must begin with a letter, not with "9".'],
    ['a-b.c', 'It must not contain "-".'],
    ['two words', 'It must not contain a space.'],
    [' ab', 'It must begin with a letter, not with a space.'],
    ['a\u200Bb', 'It must not contain "‹U+200B›".'],
    ['a\u{1F600}', 'It must end with a letter or a digit, not with "\u{1F600}".'],
    [
      '1 x_',
      'It must begin with a letter, not with "1". It must not contain a space. It must end with a letter or a digit, not with "_".',
    ],
  ])('states the fault of %j after the pattern message', (name, fault) => {
    expect(namePattern(name)).toBe(`${message} ${fault}`)
  })
})

const hostile = [
  'Or\u202Eder',
  'Or\u200Bder',
  'Or\u00ADder',
  'Or\u{E0041}der',
  'Or\uFE0Fder',
  'Or\u2066der',
  'Or\u0007der',
]

it.each(hostile)('rejects %j as the name of a new item', name => {
  const taken = new Set<string>()
  const column = { field: 'id', type: 'COUNT', alias: 'n' } as const
  const answers = {
    itself: hiddenCharacters(name),
    entity: entityName(name),
    manifest: manifestName(name),
    attribute: typeAttributeName(name, { taken }),
    foreignKey: foreignKeyName(name, { primaryKey: null, taken }),
    choice: choice(name, { others: [] }),
    choices: choices(['a', name]),
    query: aggregateQuery({ name, entity: 'Order', columns: [column] }, { taken }),
    alias: alias(name, { others: [] }),
    version: newVersion(name, { existing: [] }),
  }
  const accepted = Object.entries(answers).filter(([, message]) => message === undefined)
  expect(accepted).toEqual([])
})

it('rejects invisible characters in scopes and properties with the path of each', () => {
  const configuration = newConfiguration('Shop')
  configuration.configurationBuild.apiScopeConfiguration.scopeDefinitions = ['read', 're\u200Bad']
  configuration.packageProperties.customProperties = [{ name: 'a\u202Eb', value: '\u202E', secret: false }]
  expect(configurationProblems(configuration, { licence: parseLicence('mc=5') })).toEqual([
    {
      path: 'configurationBuild.apiScopeConfiguration.scopeDefinitions',
      message: '"re‹U+200B›ad" contains invisible characters.',
    },
    { path: 'packageProperties.customProperties.0.name', message: '"a‹U+202E›b" contains invisible characters.' },
  ])
  const content = newEntityContent({
    name: 'Order',
    operationScopes: { ...noScopes, insertOperationScopes: ['a\u200Bb'] },
  })
  expect(entityProblems(content)).toMatchObject([{ code: 'invalid.operationScopes', field: 'operationScopes' }])
  expect(entityProblems(content, { previous: content })).toEqual([])
})

it('keeps imported choices with invisible characters', () => {
  const attribute = newTypeAttribute({ name: 'state', dataType: 'string', position: 1, choices: ['a\u200Bb'] })
  const content = newEntityContent({ name: 'Order', typeAttributes: [attribute] })
  expect(entityProblems(content)).toMatchObject([{ code: 'invalid.choices' }])
  expect(entityProblems(content, { previous: content })).toEqual([])
})

it('compares names trimmed, case-insensitively and in one normal form', () => {
  const taken = takenNames(['Customer ', 'Größe', 'Cafe\u0301'])
  expect(['customer', ' CUSTOMER', 'GRÖSSE', 'größe', 'caf\u00e9', 'Custom'].map(name => isTaken(name, taken))).toEqual(
    [true, true, false, true, true, false],
  )
})
