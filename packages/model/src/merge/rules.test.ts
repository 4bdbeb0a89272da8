import { describe, expect, it } from 'vitest'
import { type Configuration, newConfiguration } from '../configuration.ts'
import type { EntityContent } from '../entity.ts'
import { parseLicence } from '../licence.ts'
import { configurationProblems } from '../rules/configuration.ts'
import { entityProblems } from '../rules/entity.ts'
import { aKey, anEntityContent, aTypeAttribute } from '../testing/builders.ts'
import { mergeConfigurations, mergeConfigurationsTakingTheirs } from './configuration.ts'
import { mergeEntity, mergeTakingTheirs } from './entity.ts'

type Build = Configuration['configurationBuild']
const licence = parseLicence('mc=1|rs=1|gqls=1')

function changed(from: Configuration, change: (build: Build) => void): Configuration {
  const next = structuredClone(from)
  change(next.configurationBuild)
  return next
}

const start = changed(newConfiguration('Shop'), build => {
  Object.assign(build.apiConfiguration, { type: ['REST'], security: 'OAUTH2' })
  Object.assign(build.apiScopeConfiguration, {
    enableRbac: true,
    identityProvider: 'MARTINI_USER_DIRECTORY',
    scopeDefinitions: ['read', 'write'],
  })
})

function outcomes(mine: Configuration, theirs: Configuration) {
  const rows = mergeConfigurations(start, mine, theirs).conflicts?.map(one => [one.field, one.mine, one.theirs])
  const left = mergeConfigurationsTakingTheirs(start, theirs, mine)
  const right = mergeConfigurationsTakingTheirs(start, mine, theirs)
  const problems = [left, right].flatMap(one => configurationProblems(one, { licence }))
  return { rows, left: left.configurationBuild, right: right.configurationBuild, problems }
}

describe('Two valid sides of a configuration that break a rule once merged', () => {
  it('conflict in security and identity provider; either side can be taken, with the rest of both', () => {
    const mine = changed(start, build => {
      build.apiConfiguration.security = 'BASIC'
      build.sqlConfiguration.applyJoin = true
    })
    const theirs = changed(start, build => {
      build.apiScopeConfiguration.identityProvider = 'CADMUS'
      build.apiConfiguration.type = ['REST', 'SOAP']
    })
    const { rows, left, right, problems } = outcomes(mine, theirs)
    expect(rows).toEqual([
      ['security', 'BASIC', 'OAUTH2'],
      ['identityProvider', 'MARTINI_USER_DIRECTORY', 'CADMUS'],
    ])
    expect(left.apiConfiguration).toMatchObject({ security: 'BASIC', type: ['REST', 'SOAP'] })
    expect(left.apiScopeConfiguration.identityProvider).toBe('MARTINI_USER_DIRECTORY')
    expect(right.apiConfiguration).toMatchObject({ security: 'OAUTH2', type: ['REST', 'SOAP'] })
    expect(right.apiScopeConfiguration.identityProvider).toBe('CADMUS')
    expect([left, right].map(build => build.sqlConfiguration.applyJoin)).toEqual([true, true])
    expect(problems).toEqual([])
  })

  it('conflict in a scope removed by one side and made global by the other, and in no other scope', () => {
    const mine = changed(start, build => void (build.apiScopeConfiguration.scopeDefinitions = ['read', 'mine']))
    const theirs = changed(start, build => {
      build.apiScopeConfiguration.scopeDefinitions = ['read', 'write', 'theirs']
      build.apiScopeConfiguration.globalScopes = ['write', 'theirs']
    })
    const { rows, left, right, problems } = outcomes(mine, theirs)
    expect(rows).toEqual([
      ['scopeDefinitions', ['read', 'mine'], ['read', 'write', 'theirs']],
      ['globalScopes', [], ['write', 'theirs']],
    ])
    expect(left.apiScopeConfiguration).toMatchObject({
      scopeDefinitions: expect.not.arrayContaining(['write']),
      globalScopes: ['theirs'],
    })
    expect(right.apiScopeConfiguration.globalScopes.toSorted()).toEqual(['theirs', 'write'])
    for (const build of [left, right])
      expect(build.apiScopeConfiguration.scopeDefinitions).toEqual(expect.arrayContaining(['read', 'mine', 'theirs']))
    expect(problems).toEqual([])
  })

  const built = (api: object, scopes: object) =>
    changed(start, build => {
      Object.assign(build.apiConfiguration, api)
      Object.assign(build.apiScopeConfiguration, scopes)
    })
  const [basic, oauth] = [{ security: 'BASIC' }, { security: 'OAUTH2' }]
  const [cadmus, directory] = [{ identityProvider: 'CADMUS' }, { identityProvider: 'MARTINI_USER_DIRECTORY' }]

  it.each<[string, base: Configuration, one: Configuration, other: Configuration, fields: string[]]>([
    [
      'roles that only one side uses',
      built(oauth, { ...cadmus, enableRbac: false }),
      built(oauth, { ...cadmus, enableRbac: true }),
      built(basic, { ...cadmus, enableRbac: false }),
      ['security', 'enableRbac'],
    ],
    [
      'APIs that only one side has',
      built({ ...oauth, type: [] }, cadmus),
      built({ ...oauth, type: ['REST'] }, cadmus),
      built({ ...basic, type: [] }, cadmus),
      ['type', 'security'],
    ],
  ])('conflict in as few fields as possible: %s', (_title, base, one, other, fields) => {
    for (const [mine, theirs] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(
        mergeConfigurations(base, mine, theirs)
          .conflicts?.map(({ field }) => field)
          .toSorted(),
      ).toEqual(fields.toSorted())
      expect(mergeConfigurationsTakingTheirs(base, mine, theirs)).toEqual(theirs)
    }
  })

  it('conflict only once in a field that both changed', () => {
    const sides = [built({ security: 'NONE' }, directory), built(basic, directory), built(oauth, cadmus)] as const
    const { conflicts } = mergeConfigurations(...sides)
    expect(conflicts?.map(({ field }) => field)).toEqual(['security', 'identityProvider'])
    expect(mergeConfigurationsTakingTheirs(...sides)).toEqual(sides[2])
  })

  it('do not conflict if no rule is broken, or if one side alone broke it', () => {
    const mine = changed(start, build => void (build.apiConfiguration.security = 'NONE'))
    const theirs = changed(start, build => void (build.apiScopeConfiguration.identityProvider = 'CADMUS'))
    expect(mergeConfigurations(start, mine, theirs).conflicts).toBeUndefined()
    const broken = changed(start, build => void (build.apiScopeConfiguration.globalScopes = ['unknown']))
    expect(mergeConfigurations(start, broken, theirs).conflicts).toBeUndefined()
  })
})

describe('Two valid sides of an attribute that break a rule once merged', () => {
  const attribute = aTypeAttribute({ name: 'size', description: 'before' })
  const base = anEntityContent({ typeAttributes: [aKey(), attribute] })
  const side = (change: object): EntityContent => ({
    ...base,
    typeAttributes: base.typeAttributes.map(item => (item.uid === attribute.uid ? { ...item, ...change } : item)),
  })

  it.each([
    ['data type and default', { dataType: 'integer' }, { defaultValue: 'large' }, ['dataType', 'defaultValue']],
    ['choices and default', { choices: ['a', 'b'] }, { defaultValue: 'c' }, ['choices', 'defaultValue']],
  ])('conflict in %s', (_what, mineOf, theirsOf, fields) => {
    const [mine, theirs] = [side({ ...mineOf, unique: true }), side({ ...theirsOf, description: 'theirs' })]
    const { conflicts } = mergeEntity(base, mine, theirs)
    expect(conflicts?.map(({ path, field }) => [path, field])).toEqual(
      expect.arrayContaining(fields.map(field => ['typeAttributes.size', field])),
    )
    expect(conflicts?.some(({ field }) => field === 'description')).toBe(false)
    const taken = mergeTakingTheirs(base, mine, theirs)
    expect(taken.typeAttributes[1]).toMatchObject({ ...theirsOf, description: 'theirs' })
    expect(entityProblems(taken, { previous: theirs })).toEqual([])
  })

  it('do not conflict if the merged attribute is valid', () => {
    const { merged } = mergeEntity(base, side({ dataType: 'integer' }), side({ defaultValue: '7' }))
    expect(merged?.typeAttributes[1]).toMatchObject({ dataType: 'integer', defaultValue: '7' })
  })
})
