import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { importedContent } from './imported-model.ts'

function reimport(before: string[], after: string[]) {
  const attributes = (names: string[]) => names.map((name, position) => newTypeAttribute({ name, position }))
  const previous = newEntityContent({ name: 'Thing', typeAttributes: attributes(before) })
  const imported = {
    name: 'Thing',
    corpusPath: '/Thing.cdm.json/Thing',
    description: '',
    extendsEntity: null,
    referenceImportPaths: [],
    groups: [],
    checks: [],
    traits: [],
    typeAttributes: attributes(after),
    entityAttributes: [],
    uid: null,
    copiedFrom: null,
    version: null,
  }
  const place = { uid: previous.uid, type: 'CADMUS', referenceOf: () => undefined, previous } as const
  const uids = importedContent(imported, place).typeAttributes.map(({ uid }) => uid)
  return { uids, existing: previous.typeAttributes.map(({ uid }) => uid) }
}

it('importedContent keeps the uids of attributes whose names differ only in case', () => {
  const { uids, existing } = reimport(['Code', 'code'], ['code', 'Code'])
  expect(uids).toEqual(existing.toReversed())
})

it('importedContent keeps the uid of an attribute whose name changed case and assigns it only once', () => {
  const { uids, existing } = reimport(['Code'], ['code', 'CODE'])
  expect(uids[0]).toBe(existing[0])
  expect(new Set(uids).size).toBe(2)
})
