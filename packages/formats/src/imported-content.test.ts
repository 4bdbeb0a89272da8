import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { importedContent } from './imported-content.ts'

function again(before: string[], after: string[]) {
  const attributes = (names: string[]) => names.map((name, position) => newTypeAttribute({ name, position }))
  const previous = newEntityContent({ name: 'Thing', typeAttributes: attributes(before) })
  const imported = {
    name: 'Thing',
    corpusPath: '/Thing.cdm.json/Thing',
    description: '',
    extendsEntity: null,
    referenceImportPaths: [],
    traits: [],
    typeAttributes: attributes(after),
    entityAttributes: [],
    uid: null,
    copiedFrom: null,
    version: null,
  }
  const place = { uid: previous.uid, type: 'CADMUS', referenceOf: () => undefined, previous } as const
  const uids = importedContent(imported, place).typeAttributes.map(({ uid }) => uid)
  return { uids, known: previous.typeAttributes.map(({ uid }) => uid) }
}

it('attributes whose names differ in case only each keep their own uid', () => {
  const { uids, known } = again(['Code', 'code'], ['code', 'Code'])
  expect(uids).toEqual(known.toReversed())
})

it('an attribute that is now written in another case keeps its uid, and no second one gets it', () => {
  const { uids, known } = again(['Code'], ['code', 'CODE'])
  expect(uids[0]).toBe(known[0])
  expect(new Set(uids).size).toBe(2)
})
