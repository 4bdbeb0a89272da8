import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entityDocumentForm } from '@cadmus/model/entity-document'
import { testStoredForms } from '@cadmus/model/testing/stored-samples'
import { expect, it } from 'vitest'
import { readArchive } from './archive.ts'
import { readCdm } from './cdm/read.ts'
import { readSidecar, sidecarForm } from './cdm/sidecar.ts'
import { deliveryForm } from './package/delivery.ts'
import { readPackages } from './package/read.ts'

const samples = join(import.meta.dirname, '../samples')

testStoredForms(samples, [entityDocumentForm, sidecarForm, deliveryForm])

it('a package zip of an earlier release opens with its model, owner and secrets', () => {
  const [read] = readPackages(readFileSync(join(samples, 'package-zip/1-shop.zip')))
  expect(read?.model.entities.map(({ name }) => name)).toEqual(['Customer', 'Order', 'Item'])
  expect(read?.delivery).toEqual({ owner: '019a9c00-0000-7000-8000-000000000099', adopts: true, secrets: true })
  const type = read?.properties.get('database.type')
  expect([read?.properties.get(`${type}.password`), read?.properties.get('key')]).toEqual(['hush', 'value'])
})

it('a CDM folder exported by an earlier release is imported with all uids and without a report', () => {
  const files = readArchive(readFileSync(join(samples, 'cdm-folder/1-shop.zip')))
  const { entities, report } = readCdm(files)
  const bytes = files.get('cadmus.json') ?? ''
  const sidecar = readSidecar(JSON.parse(typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)))
  expect(report).toEqual([])
  expect(entities.map(({ uid }) => uid)).toEqual(sidecar.entities.map(entity => entity?.uid))
  const uids = entities.flatMap(one => [...one.typeAttributes, ...one.entityAttributes].map(({ uid }) => uid))
  const attributes = sidecar.entities.flatMap(entity => entity?.attributes.map(({ uid }) => uid) ?? [])
  expect(uids.toSorted()).toEqual(attributes.toSorted())
})

it('a sidecar with fields of entities of another format is read; of a newer one it is refused', () => {
  const sidecar: object = JSON.parse(readFileSync(join(samples, 'sidecar/1-full.json'), 'utf8'))
  expect(readSidecar({ ...sidecar, entityFormat: 1 }).entities).toEqual(readSidecar(sidecar).entities)
  expect(() => readSidecar({ ...sidecar, entityFormat: 99 })).toThrow('its format is 99')
})
