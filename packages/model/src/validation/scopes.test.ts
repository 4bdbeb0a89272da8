import { expect, it } from 'vitest'
import { newConfiguration } from '../configuration.ts'
import { noScopes } from '../entity.ts'
import { aResolvedModel, anEntity } from '../testing/builders.ts'
import { entityFindings, findings } from '../testing/findings.ts'
import { entityScopes, globalScopes } from './scopes.ts'

it('Errors: a scope used but not defined', () => {
  const operationScopes = { ...noScopes, selectOperationScopes: ['read', 'gone'], insertOperationScopes: ['gone'] }
  const resolvedModel = aResolvedModel([anEntity({ name: 'Customer', operationScopes })])
  const configuration = newConfiguration('Shop')
  configuration.configurationBuild.apiScopeConfiguration.scopeDefinitions = ['read']
  configuration.configurationBuild.apiScopeConfiguration.globalScopes = ['all']
  expect([
    ...findings(globalScopes, resolvedModel, { configuration }),
    ...entityFindings(entityScopes, resolvedModel, { configuration }),
  ]).toEqual([
    ['error', 'scope', 'The scope "all" is used but not defined.', 'Shop'],
    ['error', 'scope', 'The scope "gone" is used but not defined.', 'Shop/Customer'],
  ])
})

it('Errors: a scope used before any configuration was saved', () => {
  const operationScopes = { ...noScopes, selectOperationScopes: ['read'] }
  expect(
    entityFindings(entityScopes, aResolvedModel([anEntity({ name: 'Customer', operationScopes }), anEntity()])),
  ).toEqual([['error', 'scope', 'The scope "read" is used but not defined.', 'Shop/Customer']])
})
