import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { databaseTypes } from '@cadmus/model/database-types'
import type { EntityNode } from '@cadmus/model/entity'
import { ancestorsOf, resolvedAttributes } from '@cadmus/model/inherit'
import { validate } from '@cadmus/model/validate'
import { namingRules } from '@cadmus/sql/databases'
import { databaseStatements } from '@cadmus/sql/script'
import { describe, expect, it } from 'vitest'
import { readCdm } from './cdm/read.ts'
import { libraryFolder } from './testing/library-folder.ts'
import { placedModel } from './placed-model.ts'
import { describeScripts } from './testing/run-scripts.ts'

const files = libraryFolder()
const model = readCdm(files)
const resolvedModel = placedModel(model)
const lookup = (id: number) => resolvedModel.byId.get(id)
const attributesOf = (entity: EntityNode) => resolvedAttributes(entity, lookup)

describe('the predefined library', () => {
  it('the library is imported without report lines: every entity once, in themed folders with a manifest each', () => {
    expect(model.report).toEqual([])
    const folders = new Set([...files.keys()].flatMap(path => (path.includes('/') ? [path.split('/')[0]] : [])))
    expect(new Set(model.manifests.slice(1).map(manifest => manifest.path.split('/')[0]))).toEqual(folders)
    expect(model.manifests.every(manifest => manifest.description !== '')).toBe(true)
    const listed = model.manifests.flatMap(manifest => manifest.entities)
    expect(new Set(listed).size).toBe(listed.length)
    expect(resolvedModel.entities).toHaveLength(listed.length)
  })

  it('the library has at least 60 entities, each with a description, a key, 6 attributes and 1 relationship', () => {
    expect(resolvedModel.entities.length).toBeGreaterThanOrEqual(60)
    const lacking = resolvedModel.entities.filter(entity => {
      const attributes = attributesOf(entity)
      const relationships = attributes.filter(attribute => attribute.kind === 'foreignKey')
      const keys = attributes.filter(attribute => attribute.isPrimaryKey)
      return entity.description === '' || keys.length !== 1 || attributes.length < 6 || relationships.length < 1
    })
    expect(lacking.map(entity => entity.name)).toEqual([])
  })

  it('the library describes every attribute and relationship', () => {
    const silent = resolvedModel.entities.flatMap(entity =>
      [...entity.typeAttributes, ...entity.entityAttributes].filter(attribute => attribute.description === ''),
    )
    expect(silent).toEqual([])
  })

  it('the library has at least 40 value lists or lengths', () => {
    const attributes = resolvedModel.entities.flatMap(entity => entity.typeAttributes)
    const bounded = attributes.filter(({ choices, maxLength }) => choices.length > 0 || maxLength !== null)
    expect(bounded.length).toBeGreaterThanOrEqual(40)
    expect(attributes.filter(({ choices }) => choices.length > 0).length).toBeGreaterThanOrEqual(20)
    expect(attributes.filter(({ choices }) => choices.length === 1 || choices.some(choice => choice === ''))).toEqual(
      [],
    )
  })

  it('the library has at least 3 inheritance chains of three entities', () => {
    const chains = resolvedModel.entities.filter(entity => ancestorsOf(entity, lookup).length >= 2)
    expect(chains.length).toBeGreaterThanOrEqual(3)
  })

  it('the library has at least 2 self-references, a reference cycle and a many-to-many relationship', () => {
    const selfReferring = resolvedModel.entities.filter(entity => targetsOf(entity).has(entity.id))
    expect(selfReferring.length).toBeGreaterThanOrEqual(2)
    expect(pairs(resolvedModel)).toContainEqual(['Account', 'Contact'])
    expect(linkEntities(resolvedModel)).toEqual(
      expect.arrayContaining(['ProductCategoryAssignment', 'PartyAddress', 'SupplierProduct', 'ProjectMember']),
    )
  })

  it('the library validates without errors or warnings for all five databases and exports without warnings', () => {
    expect(validate(resolvedModel, { databases: namingRules(databaseTypes) })).toEqual([])
    expect(validate(resolvedModel, { databases: namingRules(databaseTypes), forApi: true })).toEqual([])
    for (const type of databaseTypes) {
      const { notes } = databaseStatements(resolvedModel, type, { applyAutoIncrement: true })
      expect(notes.filter(note => note.severity === 'warning')).toEqual([])
    }
  })

  it('the library manifests list every relationship that starts or ends at one of their entities, including inherited ones', () => {
    const expected = resolvedModel.entities.flatMap(entity =>
      attributesOf(entity).flatMap(attribute => {
        if (attribute.kind === 'type') return []
        const { associatedEntity, associatedEntityTypeAttribute } = attribute.relationship
        return [`${entity.path}.${attribute.name} -> ${associatedEntity.path}.${associatedEntityTypeAttribute}`]
      }),
    )
    for (const { path, entities } of model.manifests) {
      const touching = expected.filter(line => entities.some(one => line.includes(`${one}.`)))
      expect({ path, listed: relationshipsListedIn(path).toSorted() }).toEqual({ path, listed: touching.toSorted() })
    }
  })

  it('the README of the library lists each folder with its entities', () => {
    const rows = [...(files.get('README.md') ?? '').matchAll(/^\| `(\w+)` \|[^|]*\| ([^|]*) \|$/gm)]
    const listed = rows.map(([, folder, names]) => [folder, names?.split(', ').toSorted()])
    const shipped = model.manifests
      .slice(1)
      .map(({ path, entities }) => [path.split('/')[0], entities.map(nameIn).toSorted()])
    expect(new Map(listed.map(([folder, names]) => [folder, names]))).toEqual(
      new Map(shipped.map(([folder, names]) => [folder, names])),
    )
  })
})

describeScripts('the predefined library', () => [resolvedModel])

function targetsOf(entity: EntityNode): Set<number> {
  return new Set(entity.entityAttributes.map(relationship => relationship.associatedEntity.id))
}

/** Names of entities that refer to each other. */
function pairs({ entities }: ResolvedModel): string[][] {
  return entities.flatMap(one =>
    entities
      .filter(other => one.id < other.id && targetsOf(one).has(other.id) && targetsOf(other).has(one.id))
      .map(other => [one.name, other.name].toSorted()),
  )
}

/** Entities with at least two required references: a many-to-many link between each pair of targets. */
function linkEntities({ entities }: ResolvedModel): string[] {
  const required = (entity: EntityNode) =>
    new Set(entity.entityAttributes.filter(one => !one.nullable).map(one => one.associatedEntity.id))
  return entities.filter(entity => required(entity).size >= 2).map(entity => entity.name)
}

function relationshipsListedIn(path: string): string[] {
  const json: { relationships: Record<string, string>[] } = JSON.parse(files.get(path) ?? '')
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const absolute = (end = '') => (end.startsWith('/') ? end : `/${folder}${end}`)
  return json.relationships.map(
    one =>
      `${absolute(one['fromEntity'])}.${one['fromEntityAttribute']} -> ${absolute(one['toEntity'])}.${one['toEntityAttribute']}`,
  )
}

function nameIn(corpusPath: string): string {
  return corpusPath.slice(corpusPath.lastIndexOf('/') + 1)
}
