import { expect, it } from 'vitest'
import { newConfiguration } from '../configuration.ts'
import { newEntityContent, noScopes } from '../entity.ts'
import { parseLicence } from '../licence.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import { aggregateQuery, alias } from './aggregate-query.ts'
import { choice, choices } from './choices.ts'
import { configurationProblems } from './configuration.ts'
import { entityProblems } from './entity-content-rules.ts'
import { entityName } from './entity-name.ts'
import { foreignKeyName } from './foreign-key-name.ts'
import { hiddenCharacters } from './hidden-characters.ts'
import { manifestName } from './manifest-name.ts'
import { typeAttributeName } from './type-attribute-name.ts'
import { newVersion } from './version.ts'

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
