import { entityAttributeSchema } from '@cadmus/model/entity-attribute'
import { typeAttributeSchema } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import { hasSharedCdm, sharedBytes } from '../testing/shared-cdm.ts'
import { readArchive } from '../archive.ts'
import type { ImportedModel } from '../imported-model.ts'
import { readCdm } from './read.ts'

describe.skipIf(!hasSharedCdm)('real CDM archives are imported completely', () => {
  it('customer-insights-journeys: 102 entities without keys, and 140 links to documents missing in the source', () => {
    const model = readZip('customer-insights-journeys')
    expect(model.entities).toHaveLength(102)
    expect(attributesOf(model).filter(attribute => attribute.purpose === 'identifiedBy')).toEqual([])
    expect(model.report).toHaveLength(140)
    expect(errorsOf(model)).toEqual([])
  })

  it('core-slice: every declared entity, with equal names distinguished by path, and every reference resolved', () => {
    const model = readZip('core-slice')
    expect(model.manifests).toHaveLength(14)
    expect(model.entities).toHaveLength(164)
    expect(new Set(model.entities.map(entity => entity.corpusPath)).size).toBe(164)
    expect(new Set(model.entities.map(entity => entity.name)).size).toBeLessThan(164)
    expectClosed(model)
    expect(errorsOf(model)).toEqual([])
  })

  it('core-applicationCommon-full: 34 manifests, 1,022 entities; one sub-manifest is missing in the source', () => {
    const model = readZip('core-applicationCommon-full')
    expect(model.manifests).toHaveLength(34)
    expect(model.entities).toHaveLength(1022)
    expectClosed(model)
    expect(errorsOf(model)).toEqual([])
    expect(model.report.filter(line => line.message.startsWith('The sub-manifest'))).toHaveLength(1)
    // The 35,422 relationships in the sub-manifest match those of the entities.
    expect(model.report.filter(line => line.message.includes('that it lists'))).toEqual([])
  })

  it('example-export: no report lines, and inherited attributes are not repeated', () => {
    const model = readZip('example-export')
    expect(model.report).toEqual([])
    expect(model.manifests.map(manifest => [manifest.name, manifest.entities.length])).toEqual([
      ['library', 2],
      ['lending', 2],
    ])
    const renewed = model.entities.find(entity => entity.name === 'RenewedLoan')
    expect(renewed).toMatchObject({
      extendsEntity: '/lending/Loan.cdm.json/Loan',
      typeAttributes: [{ name: 'renewals' }],
      entityAttributes: [],
    })
    const book = model.entities.find(entity => entity.name === 'Book')
    expect(book?.typeAttributes.find(attribute => attribute.name === 'format')).toMatchObject({
      choices: ['Hardback', 'Paperback', 'E-book'],
      traits: [],
    })
    expect(book?.entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'authorId', foreignKeyDataType: 'integer', nullable: false },
    ])
  })
})

function readZip(name: string): ImportedModel {
  return readCdm(readArchive(sharedBytes(`zips/${name}.zip`)))
}

function attributesOf(model: ImportedModel) {
  return model.entities.flatMap(entity => entity.typeAttributes)
}

function errorsOf(model: ImportedModel) {
  return model.report.filter(line => line.level === 'error')
}

/** Expects every path in the model to be the path of an entity in it, and every attribute to be valid for the store. */
function expectClosed(model: ImportedModel): void {
  const paths = new Set(model.entities.map(entity => entity.corpusPath))
  const named = model.entities.flatMap(entity => [
    ...(entity.extendsEntity === null ? [] : [entity.extendsEntity]),
    ...entity.entityAttributes.flatMap(({ associatedEntity, alternativeTargets }) => [
      associatedEntity.path,
      ...alternativeTargets.map(target => target.entity.path),
    ]),
  ])
  expect(named.length).toBeGreaterThan(500)
  for (const entity of model.entities) {
    entity.typeAttributes.forEach(attribute => typeAttributeSchema.parse(attribute))
    entity.entityAttributes.forEach(attribute => entityAttributeSchema.parse(attribute))
  }
  expect(named.filter(path => !paths.has(path))).toEqual([])
  expect(model.manifests.flatMap(manifest => manifest.entities).filter(path => !paths.has(path))).toEqual([])
}
