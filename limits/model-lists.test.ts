import { expect, it } from 'vitest'
import { contentFromRequest } from '@cadmus/model/apply-request'
import { compareEntities, describeChanges } from '@cadmus/model/compare'
import { columnsByEntity, isPinned, namesIn, withNewNames, withoutNames } from '@cadmus/model/configuration-names'
import { manifestForm } from '@cadmus/model/content'
import { readStored } from '@cadmus/model/stored/stored-form'
import { configurationSchema, type Configuration } from '@cadmus/model/configuration'
import { detachFrom } from '@cadmus/model/detach'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { applyEntityEdits, entityEditsBetween, invertEntityEdits } from '@cadmus/model/edits/entity-edits'
import { entityFromEdits } from '@cadmus/model/edits/requested-content'
import type { EntityContent, EntityNode } from '@cadmus/model/entity'
import { parseLicence } from '@cadmus/model/licence'
import { newManifestContent } from '@cadmus/model/manifest'
import { mergeEntity } from '@cadmus/model/merge/entity'
import { newNamesOfModel } from '@cadmus/model/names-of-model'
import { aggregateQuery, alias, configurationProblems } from '@cadmus/model/rules/configuration'
import { choice, choices } from '@cadmus/model/rules/type-attribute'
import { entityProblems } from '@cadmus/model/rules/entity'
import { newScopes, offeredScopes, parseScopes, removedScope, usedScopes } from '@cadmus/model/rules/scopes'
import { isTaken, takenNames } from '@cadmus/model/rules/names'
import { newVersion } from '@cadmus/model/rules/version'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { request, unchanged } from '@cadmus/model/testing/requests'
import { newUid } from '@cadmus/model/uid'
import { validate } from '@cadmus/model/validate'
import { within } from './within.ts'

// Each list must be processed in linear time. The generous limits detect quadratic algorithms only.

const count = 10_000
const numbers = Array.from({ length: count }, (_, index) => index)
const names = numbers.map(index => `name${index}`)

/** Fails if `run` takes longer than any linear algorithm would. */
const quickly = <T>(run: () => T): T => within(2500, run)

const wide = anEntity({
  name: 'Wide',
  typeAttributes: aList(aKey(), ...names.map(name => aTypeAttribute({ name }))),
})
const linked = anEntity({
  name: 'Linked',
  typeAttributes: aList(aKey()),
  entityAttributes: names.map((name, position) =>
    aRelationship(wide, {
      associatedEntityTypeAttribute: name,
      foreignKeyTypeAttribute: `${name}Key`,
      position: position + 1,
    }),
  ),
})
const chosen = anEntity({
  name: 'Chosen',
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'kind', choices: names, defaultValue: names.at(-1) ?? null })),
})

/** Renames every column and reverses the order. */
function changed<T extends EntityContent>(content: T): T {
  return {
    ...content,
    typeAttributes: content.typeAttributes.map(item => ({
      ...item,
      name: `${item.name}X`,
      position: 20_000 - item.position,
    })),
    entityAttributes: content.entityAttributes.map(item => ({
      ...item,
      foreignKeyTypeAttribute: `${item.foreignKeyTypeAttribute}X`,
      position: 20_000 - item.position,
    })),
  }
}

function configurationOf(build: Record<string, unknown>): Configuration {
  return configurationSchema.parse({ manifestName: 'Lists', configurationBuild: build })
}

const scoped = configurationOf({ apiScopeConfiguration: { scopeDefinitions: names, globalScopes: names } })
const columns = numbers.slice(0, 1000).map(index => ({ field: `name${index}`, type: 'COUNT', alias: `alias${index}` }))
const excluding = configurationOf({
  apiConfiguration: { excludeOperations: names.map(name => `Wide.${name}.get`) },
  serviceConfiguration: { sotEntities: names },
  aggregateQueries: names.slice(0, 1000).map((name, index) => ({
    name,
    entity: 'Wide',
    columns: index < 10 ? columns : columns.slice(0, 3),
  })),
})

it('10,000 choices are validated in linear time', () => {
  expect(quickly(() => choices(names))).toBeUndefined()
  expect(quickly(() => choices(names, names.toReversed()))).toBeUndefined()
  expect(quickly(() => choice('another', { others: names }))).toBeUndefined()
  expect(quickly(() => entityProblems(chosen))).toEqual([])
  expect(quickly(() => validate(aResolvedModel([chosen])))).toEqual([])
})

it('10,000 attributes and relationships are validated, compared, edited and merged in linear time', () => {
  for (const content of [wide, linked]) {
    // Existing contents may exceed the later limit; new ones report one problem.
    expect(quickly(() => entityProblems(content))).toHaveLength(1)
    expect(quickly(() => entityProblems(changed(content), { previous: content }))).toEqual([])
    const edits = quickly(() => entityEditsBetween(content, changed(content)))
    expect(quickly(() => applyEntityEdits(content, edits)).name).toBe(content.name)
    expect(quickly(() => invertEntityEdits(content, edits)).length).toBeGreaterThan(0)
    const changes = quickly(() => compareEntities(content, changed(content)))
    expect(changes.length).toBeGreaterThan(count)
    expect(quickly(() => describeChanges(changes))).not.toBe('')
    const half = {
      ...content,
      typeAttributes: content.typeAttributes.slice(0, 5000),
      entityAttributes: content.entityAttributes.slice(0, 5000),
    }
    const given = request(unchanged(half))
    expect(quickly(() => contentFromRequest(given, content)).uid).toBe(content.uid)
    expect(quickly(() => contentFromRequest(given)).name).toBe(content.name)
    expect(quickly(() => mergeEntity(content, changed(content), { ...content, description: 'theirs' }))).toBeDefined()
    expect(quickly(() => mergeEntity(content, changed(content), reversed(content)))).toBeDefined()
  }
})

it('10,000 references in a model and to a deleted entity are resolved in linear time', () => {
  const entities = new Map<number, EntityNode>([wide, linked].map(entity => [entity.id, entity]))
  expect(quickly(() => newNamesOfModel()(entities)).size).toBe(2)
  const going = { removed: new Set([wide.id]), lookup: (id: number) => entities.get(id), onReferences: 'keep' } as const
  expect(quickly(() => detachFrom(linked, going)).typeAttributes).toHaveLength(count + 1)
  expect(quickly(() => validate(aResolvedModel([wide, linked]))).length).toBeGreaterThan(0)
})

it('10,000 members and sub-manifests are validated in linear time', () => {
  const members = numbers.map(id => ({ id, type: 'EXCLUSIVE' as const }))
  const manifest = newManifestContent({ name: 'Many', entities: members, subManifests: numbers })
  expect(quickly(() => readStored(manifestForm, manifest)).entities).toHaveLength(count)
  const entities = names.map(name => anEntity({ name, typeAttributes: aList(aKey()) }))
  expect(quickly(() => validate(aResolvedModel(entities)))).toEqual([])
  const alike = names.map(() => anEntity({ name: 'Same', typeAttributes: aList(aKey()) }))
  expect(quickly(() => validate(aResolvedModel(alike))).length).toBeGreaterThan(0)
})

it('10,000 scopes are validated in linear time', () => {
  const operationScopes = { ...wide.operationScopes, selectOperationScopes: names, insertOperationScopes: names }
  const entity = { ...chosen, operationScopes }
  expect(quickly(() => parseScopes(names.join(',')))).toHaveLength(count)
  expect(quickly(() => newScopes(operationScopes, operationScopes))).toBeUndefined()
  const used = quickly(() => usedScopes({ globalScopes: names, entities: [entity] }))
  expect(quickly(() => names.map(name => removedScope(name, used)).filter(Boolean))).toHaveLength(count)
  expect(quickly(() => offeredScopes({ scopeDefinitions: names, globalScopes: names }))).toEqual([])
  const licence = parseLicence('')
  expect(quickly(() => configurationProblems(scoped, { licence }))).toEqual([])
  const problems = quickly(() => validate(aResolvedModel([entity]), { configuration: scoped }))
  expect(problems).toEqual([])
  expect(quickly(() => validate(aResolvedModel([entity]), { configuration: excluding }))).not.toEqual([])
})

it('10,000 exclusions and names, 1,000 queries and columns of a query are validated in linear time', () => {
  expect(quickly(() => validate(aResolvedModel([wide]), { configuration: excluding })).length).toBe(count)
  const [query] = excluding.configurationBuild.aggregateQueries
  expect(quickly(() => aggregateQuery(query ?? { name: '', entity: '', columns: [] }, { taken: new Set() }))).toBe(
    undefined,
  )
  expect(quickly(() => alias('another', { others: query?.columns ?? [] }))).toBeUndefined()
  expect(quickly(() => namesIn(excluding)).length).toBeGreaterThan(count)
  expect(quickly(() => columnsByEntity(excluding)).size).toBe(count + 1)
  const named = names.map(name => ({ name, uid: newUid(), columns: [] }))
  expect(quickly(() => isPinned({ configuration: excluding, named }))).toBe(false)
  expect(quickly(() => withNewNames(excluding, { entity: name => `${name}X`, column: () => undefined }))).toBeDefined()
  expect(quickly(() => withoutNames(excluding, new Set(names)))).toBeDefined()
  expect(quickly(() => configurationEditsBetween(excluding, scoped)).length).toBeGreaterThan(0)
  const taken = quickly(() => takenNames(names))
  expect(quickly(() => names.every(name => isTaken(name, taken)))).toBe(true)
  expect(quickly(() => newVersion('10001.0.0', { existing: numbers.map(index => `${index}.0.0`) }))).toBeUndefined()
})

function reversed(content: EntityContent): EntityContent {
  const turned = (item: { position: number }) => ({ position: 20_000 - item.position })
  return {
    ...content,
    typeAttributes: content.typeAttributes.map(item => ({ ...item, ...turned(item) })),
    entityAttributes: content.entityAttributes.map(item => ({ ...item, ...turned(item) })),
  }
}

it('many edits of an entity with 5,000 attributes are applied in pieces that hold no other request', () => {
  const { id: _id, path: _path, ...content } = wide
  const base = { ...content, typeAttributes: wide.typeAttributes.slice(0, 5000) }
  const edits = base.typeAttributes.slice(1, 201).map(({ uid }) => ({
    kind: 'changeAttributes' as const,
    changes: [{ uid, change: { description: 'changed' } }],
  }))
  const work = entityFromEdits(base, edits)
  for (;;) {
    const step = within(200, () => work.next())
    if (step.done !== true) continue
    expect(step.value.problems).toEqual([])
    expect(step.value.content.typeAttributes.filter(({ description }) => description === 'changed')).toHaveLength(200)
    return
  }
})
