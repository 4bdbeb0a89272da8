import { describe, expect, it } from 'vitest'
import { configurationWarnings, needsEntities } from './configuration-warnings.ts'
import { newConfiguration, type Configuration } from './configuration.ts'
import { noScopes } from './entity.ts'
import type { ServedEntity } from './required-scopes.ts'
import { aResolvedModel, aKey, anEntity } from './testing/builders.ts'
import { validate } from './validate.ts'

type Build = Configuration['configurationBuild']
type Settings = { [Part in keyof Build]?: Partial<Build[Part]> }

function configured(settings: Settings): Configuration {
  const configuration = newConfiguration('Shop')
  const { configurationBuild } = configuration
  Object.assign(configurationBuild.apiConfiguration, settings.apiConfiguration)
  Object.assign(configurationBuild.serviceConfiguration, settings.serviceConfiguration)
  Object.assign(configurationBuild.apiScopeConfiguration, settings.apiScopeConfiguration)
  return configuration
}

const rest = { type: ['REST' as const], security: 'OAUTH2' as const }
const customer: ServedEntity = {
  name: 'Customer',
  primaryKey: 'id',
  operationScopes: { ...noScopes, selectOperationScopes: ['read'], selectAllOperationScopes: ['read'] },
}
const messagesOf = (settings: Settings, entities: readonly ServedEntity[] = [customer]) =>
  configurationWarnings(configured(settings), entities).map(({ part, message }) => `${part}: ${message}`)

describe('Configuration warnings', () => {
  it('a configuration with consistent settings has no warnings', () => {
    expect(messagesOf({})).toEqual([])
    expect(messagesOf({ apiConfiguration: rest })).toEqual([])
    expect(messagesOf({ serviceConfiguration: { applySot: true, sotEntities: ['Customer'] } })).toEqual([])
    expect(messagesOf({ serviceConfiguration: { sotEntities: [] } })).toEqual([])
  })

  it('Source of Truth without entities causes a warning', () => {
    expect(messagesOf({ serviceConfiguration: { applySot: true } })).toEqual([
      'service: Source of Truth is on, but no entity is selected: nothing is recorded. Select entities, or turn it off.',
    ])
  })

  it('a security setting without an API causes a warning', () => {
    expect(messagesOf({ apiConfiguration: { security: 'BASIC' } })).toEqual([
      'api: A security setting is selected, but no API type: nothing is protected. Select an API type.',
    ])
  })

  it('RBAC without a security setting causes a warning', () => {
    expect(messagesOf({ apiConfiguration: { type: ['REST'] }, apiScopeConfiguration: { enableRbac: true } })).toEqual([
      'api: RBAC is on, but Security is None: scopes are not checked. Select a security setting.',
    ])
  })

  it('served operations without a scope cause a warning that names their permitted callers', () => {
    const scopes = { enableRbac: true }
    expect(messagesOf({ apiConfiguration: rest, apiScopeConfiguration: scopes })).toEqual([
      "scopes: 3 of 5 operations require no scope: every authenticated caller may use them. Assign scopes to the entities' operations.",
    ])
    const excludeOperations = ['customer.POST', 'Customer.put']
    expect(messagesOf({ apiConfiguration: { ...rest, excludeOperations }, apiScopeConfiguration: scopes })).toEqual([
      "scopes: 1 of 3 operations requires no scope: every authenticated caller may use it. Assign scopes to the entities' operations.",
    ])
    // With a global scope they are restricted.
    const global = { enableRbac: true, globalScopes: ['all'] }
    expect(messagesOf({ apiConfiguration: rest, apiScopeConfiguration: global })).toEqual([])
    const keyless = { name: 'Note', primaryKey: null }
    expect(messagesOf({ apiConfiguration: rest, apiScopeConfiguration: scopes }, [keyless])[0]).toMatch(
      /^scopes: 2 of 2 /,
    )
  })

  it('excluded operations with scopes cause a warning with the names of the first three', () => {
    const one = { ...rest, excludeOperations: ['Customer.id.get', 'Customer.post', 'Gone.get'] }
    expect(messagesOf({ apiConfiguration: one })).toEqual([
      'api: GET - /customer/{id} is excluded: its scopes have no effect.',
    ])
    const entities = ['A', 'B', 'C', 'D', 'E'].map(name => ({ ...customer, name }))
    const many = { ...rest, excludeOperations: entities.map(({ name }) => `${name}.get`) }
    expect(messagesOf({ apiConfiguration: many }, entities)).toEqual([
      'api: GET - /a, GET - /b, GET - /c and 2 more are excluded: their scopes have no effect.',
    ])
  })

  it('a configuration without its entities has only warnings that do not depend on them', () => {
    const rbac = configured({ apiConfiguration: rest, apiScopeConfiguration: { enableRbac: true } })
    expect(configurationWarnings(rbac)).toEqual([])
    expect(needsEntities(rbac)).toBe(true)
    expect(needsEntities(configured({ apiConfiguration: { excludeOperations: ['A.get'] } }))).toBe(true)
    expect(needsEntities(configured({ serviceConfiguration: { applySot: true } }))).toBe(false)
  })
})

it('Validation reports the warnings of a configuration at the manifest', () => {
  const entity = anEntity({ name: 'Customer', typeAttributes: [aKey()] })
  const configuration = configured({
    apiConfiguration: rest,
    serviceConfiguration: { applySot: true },
    apiScopeConfiguration: { enableRbac: true },
  })
  const problems = validate(aResolvedModel([entity]), { configuration })
  expect(problems.map(({ severity, code, path }) => [severity, code, path.map(({ kind }) => kind)])).toEqual([
    ['warning', 'sotEmpty', ['manifest']],
    ['warning', 'unscoped', ['manifest']],
  ])
  expect(problems[1]?.message).toMatch(/^5 of 5 operations require no scope/)
})
