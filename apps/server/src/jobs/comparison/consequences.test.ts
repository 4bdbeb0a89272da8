import { type Configuration, newConfiguration } from '@cadmus/model/configuration'
import { compareConsequences } from '@cadmus/model/contract/comparison'
import { databaseTypes } from '@cadmus/model/database-types'
import type { EntityNode } from '@cadmus/model/entity'
import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { consequencesOf as workOut } from './consequences.ts'
import type { SideModel } from './sides.ts'

type Build = Configuration['configurationBuild']

function sideOf(entities: readonly EntityNode[], change?: (build: Build) => void): SideModel {
  const configuration = change && newConfiguration('Shop')
  if (configuration) change(configuration.configurationBuild)
  return {
    resolvedModel: aResolvedModel(entities),
    configuration,
    shown: { name: 'Shop', version: '1.0.0', packageVersion: null },
  }
}

/** Refuses an answer that the call refuses. */
function consequencesOf(before: SideModel, after: SideModel, database = databaseTypes[0] ?? 'postgresql') {
  return compareConsequences.answer.parse(workOut({ before, after }, database))
}

const withScopes = (select: string[]) => ({
  selectOperationScopes: select,
  selectAllOperationScopes: ['read'],
  deleteOperationScopes: [],
  insertOperationScopes: [],
  updateOperationScopes: [],
})
const key = aKey({ uid: 'key' })
const name = aTypeAttribute({ uid: 'name', name: 'name', nullable: true })
const customer = anEntity({ name: 'Customer', operationScopes: withScopes(['read']), typeAttributes: aList(key, name) })
const renamed = { ...customer, name: 'Client', operationScopes: withScopes([]) }
const ward = anEntity({ name: 'Ward', typeAttributes: aList(aKey()) })
const served = (build: Build) => {
  Object.assign(build.apiConfiguration, { type: ['REST'], security: 'OAUTH2' })
  Object.assign(build.apiScopeConfiguration, { enableRbac: true, scopeDefinitions: ['read'] })
}

it('a difference has consequences for tables, callers and scopes, matched by uid', () => {
  const { problems, schema, api, scopes } = consequencesOf(sideOf([customer, ward], served), sideOf([renamed], served))
  expect(problems).toEqual([])
  expect(schema.steps).toEqual([
    { grade: 'losesData', entity: 'Ward', attribute: '', text: "'Ward' is dropped with all its records." },
    { grade: 'locks', entity: 'Customer', attribute: '', text: "'Customer' is renamed to 'Client'." },
  ])
  expect(schema.statements?.at(-1)).toBe('COMMIT')
  expect(api).toEqual({
    isServed: true,
    breaks: ['Customer was renamed to Client.', 'Ward was removed.'],
    additions: [],
  })
  expect(scopes).toEqual([{ entity: 'Client', operation: 'select', before: ['read'], after: [], opens: true }])
})

it('both sides have the default configuration if none was saved, and equal sides have no consequences', () => {
  const none = { api: { isServed: false, breaks: [], additions: [] }, scopes: [], problems: [] }
  for (const database of databaseTypes) {
    const schema = { steps: [], refusals: [], statements: [] }
    expect(
      consequencesOf(
        sideOf([customer]),
        sideOf([customer], () => {}),
        database,
      ),
    ).toEqual({ ...none, schema })
  }
})

it('a side with errors is named with its first ones, and the rest is worked out', () => {
  const namesake = anEntity({ name: 'customer', path: 'user-defined/Other/customer', typeAttributes: aList(aKey()) })
  const { problems, schema, api } = consequencesOf(sideOf([customer], served), sideOf([customer, namesake], served))
  expect(problems).toEqual([
    expect.stringMatching(/^After \(Shop 1\.0\.0\): Two entities are named "customer" and neither extends the other/i),
  ])
  expect([schema, api]).toEqual([
    { steps: [], refusals: [], statements: null },
    { isServed: true, breaks: [], additions: [] },
  ])

  const keyless = Array.from({ length: 5 }, (_, at) => anEntity({ name: `Keyless${at}`, typeAttributes: aList(name) }))
  const rest = consequencesOf(sideOf(keyless, served), sideOf([...keyless, customer], served))
  expect(rest.problems).toHaveLength(8)
  expect(rest.problems.slice(0, 4)).toEqual([
    'Before (Shop 1.0.0): Keyless0 has no primary key.',
    'Before (Shop 1.0.0): Keyless1 has no primary key.',
    'Before (Shop 1.0.0): Keyless2 has no primary key.',
    'Before (Shop 1.0.0): and 2 more',
  ])
  expect(rest.schema.steps.map(({ text }) => text)).toEqual(["'Customer' is new."])
  expect(rest.api.additions).toEqual(['Customer is new.'])
})

it('an entity that extends itself and a missing parent are problems, not exceptions', () => {
  const cyclic = { ...customer, extendsEntity: { id: customer.id, name: customer.name, path: customer.path } }
  const orphan = { ...customer, extendsEntity: { id: -1, name: 'Gone', path: 'user-defined/Gone' } }
  expect(consequencesOf(sideOf([customer]), sideOf([cyclic])).problems).toEqual([
    expect.stringMatching(/^After \(Shop 1\.0\.0\): .*Customer/),
  ])
  expect(consequencesOf(sideOf([customer]), sideOf([orphan])).schema.steps).toEqual([])
})

it('every list is bounded and ends with the number left out, and long names are cut', () => {
  const scopes = Array.from({ length: 60 }, (_, at) => `scope${at}`)
  const many = Array.from({ length: 700 }, (_, at) => {
    const title = at === 0 ? 'x'.repeat(6000) : `Entity${at}`
    return anEntity({ name: title, operationScopes: withScopes(scopes), typeAttributes: aList(aKey()) })
  })
  const {
    schema,
    api,
    scopes: changes,
    problems,
  } = consequencesOf(sideOf([customer], served), sideOf([customer, ...many], served))
  expect([schema.steps.length, schema.steps.at(-1)]).toEqual([
    501,
    { grade: 'safe', entity: '', attribute: '', text: 'and 200 more' },
  ])
  expect([api.additions.length, api.additions.at(-1)]).toEqual([501, 'and 200 more'])
  expect(changes).toHaveLength(500)
  expect(problems.at(-1)).toBe('3,000 more operations require other scopes than before.')
  const guarded = consequencesOf(
    sideOf([customer], served),
    sideOf([customer, { ...ward, operationScopes: withScopes(scopes) }], served),
  )
  const select = guarded.scopes.find(({ operation }) => operation === 'select')
  expect([select?.after?.length, select?.after?.at(-1)]).toEqual([51, 'and 10 more'])
})
