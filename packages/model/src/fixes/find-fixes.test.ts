import { describe, expect, it } from 'vitest'
import { type Configuration, newConfiguration } from '../configuration.ts'
import { applyConfigurationEdits, invertConfigurationEdits } from '../edits/configuration-edits.ts'
import { applyEntityEdits, invertEntityEdits } from '../edits/entity-edits.ts'
import { noScopes, type EntityNode } from '../entity.ts'
import { newNamesOfModel } from '../names-of-model.ts'
import { type ResolvedModel, resolveModel } from '../resolved-model.ts'
import { arbitraryModel } from '../testing/arbitrary-model.ts'
import {
  aKey,
  aList,
  anEntity,
  aRelationship,
  aResolvedModel,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import { namingRules } from '../testing/naming-rules.ts'
import { newValidator, validate } from '../validate.ts'
import { findFixes, type FoundFix } from './find-fixes.ts'
import { fixedProblem } from './fix-state.ts'
import { fixableCodes } from './fixable.ts'

const databases = [namingRules.postgresql, namingRules.hsql]
type State = { model: ResolvedModel; configuration?: Configuration | undefined }

function problemsIn({ model, configuration }: State) {
  return validate(model, { configuration, databases })
}

function fixesFor(state: State, code: string, which: 'first' | 'all' = 'first'): FoundFix[] {
  const problem = problemsIn(state).find(one => one.code === code)
  const place = problem && which === 'first' ? fixedProblem(problem) : null
  const { model, configuration } = state
  return findFixes({ model, configuration, databases, validator: newValidator(), code, place })
}

/** The state with a fix, and with the fix undone. */
function applied({ model, configuration }: State, fix: FoundFix) {
  const [fixed, undone] = [new Map(model.byId), new Map(model.byId)]
  for (const { id, edits } of fix.entities) {
    const entity = model.byId.get(id)
    if (!entity) throw new Error('A fix edits an entity that does not exist.')
    const after = { ...applyEntityEdits(entity, edits), id, path: entity.path }
    fixed.set(id, after)
    undone.set(id, { ...applyEntityEdits(after, invertEntityEdits(entity, edits)), id, path: entity.path })
  }
  const base = configuration ?? newConfiguration(model.root.name)
  const after = applyConfigurationEdits(base, fix.configuration)
  const back = applyConfigurationEdits(after, invertConfigurationEdits(base, fix.configuration))
  const isConfigured = fix.configuration.length > 0 || configuration !== undefined
  return {
    fixed: { model: withEntities(model, fixed), ...(isConfigured ? { configuration: after } : {}) },
    undone: { model: withEntities(model, undone), configuration: back },
  }
}

function withEntities(model: ResolvedModel, entities: ReadonlyMap<number, EntityNode>): ResolvedModel {
  const manifests = new Map(model.manifests.map(one => [one.id, one]))
  return resolveModel(model.root, { manifests, entities: newNamesOfModel()(entities) })
}

const keyOf = (problem: Parameters<typeof fixedProblem>[0]) => JSON.stringify(fixedProblem(problem))
const keysIn = (state: State) => problemsIn(state).map(keyOf).toSorted()

function expectSolved(state: State, fix: FoundFix): void {
  const { fixed, undone } = applied(state, fix)
  const [before, after] = [keysIn(state), keysIn(fixed)]
  const left = [...before]
  for (const key of after) {
    expect(left, `${fix.kind} makes ${key}`).toContain(key)
    left.splice(left.indexOf(key), 1)
  }
  expect(left.length).toBeGreaterThanOrEqual(fix.count)
  expect(fix.count).toBeGreaterThan(0)
  const named = withEntities(state.model, state.model.byId)
  for (const { id } of fix.entities) expect(undone.model.byId.get(id)).toEqual(named.byId.get(id))
  const { configuration = newConfiguration(state.model.root.name) } = state
  expect(undone.configuration).toEqual(configuration)
}

function configured(change: (build: Configuration['configurationBuild']) => void): Configuration {
  const configuration = newConfiguration('Shop')
  change(configuration.configurationBuild)
  return configuration
}

const country = anEntity({ name: 'Country' })
const examples: Readonly<Record<(typeof fixableCodes)[number], () => State>> = {
  noKey: () => ({ model: aResolvedModel([anEntity({ name: 'Note', typeAttributes: [aTypeAttribute()] })]) }),
  twoKeys: () => {
    const child = anEntity({
      name: 'Province',
      extendsEntity: referenceTo(country),
      typeAttributes: [aKey({ name: 'code' })],
    })
    return { model: aResolvedModel([country, child]) }
  },
  keyType: () => ({ model: aResolvedModel([anEntity({ typeAttributes: [aKey({ dataType: 'boolean' })] })]) }),
  repeatedAttribute: () => ({
    model: aResolvedModel([
      anEntity({ typeAttributes: aList(aKey(), aTypeAttribute(), aTypeAttribute({ name: 'TITLE' })) }),
    ]),
  }),
  name: () => ({
    model: aResolvedModel([
      anEntity({ name: '2. Straße', typeAttributes: aList(aKey(), aTypeAttribute({ name: '-' })) }),
    ]),
  }),
  nameTooLong: () => ({ model: aResolvedModel([anEntity({ name: `Customer_${'x'.repeat(60)}` })]) }),
  reservedWord: () => ({
    model: aResolvedModel([
      anEntity({ name: 'Order', typeAttributes: aList(aKey(), aTypeAttribute({ name: 'user' })) }),
    ]),
  }),
  choicesType: () => withAttribute({ dataType: 'integer', choices: ['1', 'two'], defaultValue: 'two' }),
  choicesLength: () => withAttribute({ choices: ['short', 'longer than that'], maxLength: 8 }),
  defaultType: () => withAttribute({ dataType: 'integer', defaultValue: 'two' }),
  maxLength: () => withAttribute({ maxLength: 3_000_000_000 }),
  notIndexable: () => withAttribute({ dataType: 'object', unique: true }),
  parentGone: () => ({
    model: aResolvedModel([anEntity({ extendsEntity: { id: 999_999, name: 'Gone', path: 'user-defined/Gone' } })]),
  }),
  extendsCycle: () => {
    const [one, other] = [anEntity({ name: 'One' }), anEntity({ name: 'Other' })]
    return {
      model: aResolvedModel([
        { ...one, extendsEntity: referenceTo(other) },
        { ...other, extendsEntity: referenceTo(one) },
      ]),
    }
  },
  targetGone: () => {
    const target = { ...anEntity({ name: 'Country' }), id: 999_999 }
    return { model: aResolvedModel([country, withRelationship(aRelationship(target, { position: 1 }))]) }
  },
  targetAttributeGone: () => ofCountry({ associatedEntityTypeAttribute: 'gone' }),
  targetType: () => ofCountry({ foreignKeyDataType: 'string' }),
  targetNotUnique: () => {
    const target = anEntity({ name: 'Town', typeAttributes: aList(aKey(), aTypeAttribute({ name: 'code' })) })
    const relationship = aRelationship(target, {
      associatedEntityTypeAttribute: 'code',
      foreignKeyDataType: 'string',
      position: 1,
    })
    return { model: aResolvedModel([target, withRelationship(relationship)]) }
  },
  setNullRequired: () => ofCountry({ onDelete: 'setNull', nullable: false }),
  scope: () => ({
    model: aResolvedModel([anEntity({ operationScopes: { ...noScopes, selectOperationScopes: ['read'] } })]),
  }),
  exclusionScoped: () => ({
    model: aResolvedModel([
      anEntity({ name: 'Customer', operationScopes: { ...noScopes, selectAllOperationScopes: ['read'] } }),
    ]),
    configuration: configured(build => {
      build.apiConfiguration.excludeOperations = ['Customer.get']
      build.apiScopeConfiguration.scopeDefinitions = ['read']
    }),
  }),
  aggregateEntity: () => ofQuery('Gone', 'id', 'COUNT'),
  aggregateField: () => ofQuery('Country', 'gone', 'COUNT'),
  aggregateType: () => ofQuery('Town', 'title', 'SUM'),
  exclusion: () => ofCountry({}, build => (build.apiConfiguration.excludeOperations = ['Gone.get'])),
  sotEntity: () =>
    ofCountry({}, ({ serviceConfiguration }) =>
      Object.assign(serviceConfiguration, { applySot: true, sotEntities: ['Gone', 'Country'] }),
    ),
  sotEmpty: () => ofCountry({}, build => (build.serviceConfiguration.applySot = true)),
  securityUnused: () => ofCountry({}, build => (build.apiConfiguration.security = 'BASIC')),
  rbacUnused: () => ofCountry({}, build => (build.apiScopeConfiguration.enableRbac = true)),
}

function withAttribute(fields: Parameters<typeof aTypeAttribute>[0]): State {
  return { model: aResolvedModel([anEntity({ typeAttributes: aList(aKey(), aTypeAttribute(fields)) })]) }
}

function withRelationship(relationship: ReturnType<typeof aRelationship>): EntityNode {
  return anEntity({ name: 'Customer', entityAttributes: [relationship] })
}

function ofCountry(
  fields: Parameters<typeof aRelationship>[1],
  change?: (build: Configuration['configurationBuild']) => unknown,
): State {
  const model = aResolvedModel([country, withRelationship(aRelationship(country, { position: 1, ...fields }))])
  return change ? { model, configuration: configured(change) } : { model }
}

function ofQuery(entity: string, field: string, type: 'COUNT' | 'SUM'): State {
  const town = anEntity({ name: 'Town', typeAttributes: aList(aKey(), aTypeAttribute()) })
  const query = { name: 'totals', entity, columns: [{ field, type, alias: 'total' }] }
  return {
    model: aResolvedModel([country, town]),
    configuration: configured(build => build.aggregateQueries.push(query)),
  }
}

describe('Fixes', () => {
  it.each(fixableCodes)('of %s solve it, make no other problem, and can be undone', code => {
    const state = examples[code]()
    const fixes = fixesFor(state, code)
    expect(fixes).not.toEqual([])
    for (const fix of fixes) expectSolved(state, fix)
  })

  it('solve problems of random models and make none', () => {
    let solved = 0
    for (let seed = 1; seed <= 40; seed += 1) {
      const state = { model: arbitraryModel(seed, { checks: true }) }
      for (const code of new Set(problemsIn(state).map(problem => problem.code)))
        for (const fix of [...fixesFor(state, code), ...fixesFor(state, code, 'all')]) {
          expectSolved(state, fix)
          solved += 1
        }
    }
    expect(solved).toBeGreaterThan(100)
  })

  it('of all problems of a kind are one step for each entity', () => {
    const attributes = ['select', 'User'].map(name => aTypeAttribute({ name }))
    const model = aResolvedModel([
      anEntity({
        name: 'Customer',
        typeAttributes: aList(aKey(), ...attributes, aTypeAttribute({ name: 'customer_user' })),
      }),
      anEntity({ name: 'User' }),
    ])
    const [fix] = fixesFor({ model }, 'reservedWord', 'all')
    expect(fix).toMatchObject({ kind: 'avoidReserved', label: 'Rename Reserved Words (2)', count: 2, left: 0 })
    const { fixed } = applied({ model }, fix ?? neverFound())
    const names = fixed.model.entities.map(({ name, typeAttributes }) => [name, typeAttributes.map(one => one.name)])
    expect(names).toEqual([
      ['Customer', ['id', 'select', 'customerUser', 'customer_user']],
      ['Shop_User', ['id']],
    ])
  })

  it('offer names as they are written', () => {
    const offered = (code: 'name' | 'nameTooLong' | 'reservedWord') => fixesFor(examples[code](), code)[0]?.label
    expect(offered('name')).toBe('Rename to Entity_2_Stra_e')
    expect(offered('nameTooLong')).toBe(`Shorten to Customer_${'x'.repeat(54)}`)
    expect(offered('reservedWord')).toBe('Rename to Shop_Order')
  })

  it('do not change predefined entities, except their scopes', () => {
    const path = 'predefined/core/Note'
    const note = anEntity({ name: 'Note', path, typeAttributes: [aTypeAttribute()] })
    expect(fixesFor({ model: aResolvedModel([note]) }, 'noKey')).toEqual([])
    const scoped = anEntity({ path, operationScopes: { ...noScopes, deleteOperationScopes: ['admin'] } })
    const kinds = fixesFor({ model: aResolvedModel([scoped]) }, 'scope').map(({ kind }) => kind)
    expect(kinds).toEqual(['defineScope', 'removeScope'])
  })

  it('are not offered for unknown codes and solved problems', () => {
    const state = examples.noKey()
    expect(fixesFor(state, 'toString')).toEqual([])
    expect(fixesFor(state, 'external')).toEqual([])
    const place = { entity: 1, row: null, value: null }
    expect(
      findFixes({ ...state, configuration: undefined, databases, validator: newValidator(), code: 'noKey', place }),
    ).toEqual([])
  })
})

function neverFound(): never {
  throw new Error('There is no fix.')
}
