import { aKey, aList, aManifest, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { resolveModel } from '@cadmus/model/resolved-model'
import { expect, it } from 'vitest'
import { contractBreaches } from '../testing/contract.ts'
import { definedNames } from '../testing/exported.ts'
import { writeCdm } from './write.ts'

// Checks that the contract checker fails: violates each rule once.

function folder(): Map<string, string> {
  const price = aTypeAttribute({ name: 'price', dataType: 'double', format: 'decimal', precision: 9, scale: 2 })
  const a = anEntity({
    name: 'A',
    typeAttributes: aList(aKey(), aTypeAttribute({ choices: ['x'], maxLength: 5 }), price),
  })
  const b = anEntity({
    name: 'B',
    typeAttributes: aList(aKey()),
    entityAttributes: [aRelationship(a, { position: 1 })],
  })
  const tree = anEntity({
    name: 'Tree',
    typeAttributes: aList(aKey()),
    entityAttributes: aList(aRelationship(a), aRelationship(a, { foreignKeyTypeAttribute: 'eId' })),
  })
  tree.entityAttributes.push(aRelationship(tree, { associatedEntityTypeAttribute: 'aId', position: 2 }))
  const c = anEntity({ name: 'C', extendsEntity: { id: b.id, name: 'B', path: b.path }, typeAttributes: [] })
  const listing = (...ids: number[]) => ids.map(id => ({ id, type: 'EXCLUSIVE' as const }))
  const sub = aManifest({ name: 'sub', entities: listing(c.id) })
  const root = aManifest({ name: 'root', entities: listing(a.id, b.id, tree.id), subManifests: [sub.id] })
  const { files } = writeCdm(
    resolveModel(root, {
      manifests: new Map([root, sub].map(one => [one.id, one])),
      entities: new Map([a, b, c, tree].map(one => [one.id, one])),
    }),
  )
  return files
}

const broken: readonly (readonly [string, string, string, string])[] = [
  ['root.manifest.cdm.json', '"LocalEntity"', '"ReferencedEntity"', 'A is not a LocalEntity'],
  ['root.manifest.cdm.json', '"subManifests"', '"submanifests"', 'submanifests is silently ignored'],
  ['root.manifest.cdm.json', '"A.cdm.json/A"', '"./A.cdm.json/A"', './A.cdm.json/A leads upwards'],
  ['root.manifest.cdm.json', 'cdm:/foundations', 'cdm:/primitives', 'no foundations'],
  ['root.manifest.cdm.json', '"toEntityAttribute": "id"', '"toEntityAttribute": "title"', 'it does not list'],
  [
    'root.manifest.cdm.json',
    '"jsonSchemaSemanticVersion": "1.0.0"',
    '"jsonSchemaSemanticVersion": "2"',
    'its format is not 1.0.0',
  ],
  ['root.manifest.cdm.json', '"relationships": [', '"relationships": null, "x": [', 'relationships is null'],
  ['sub/sub.manifest.cdm.json', '/A.cdm.json/A', '/../A.cdm.json/A', 'leads upwards'],
  ['A.cdm.json', '"imports"', '"import"', 'the foundations are not imported first'],
  ['A.cdm.json', '"entityName": "A"', '"entityName": "a"', 'it defines a'],
  ['A.cdm.json', '"dataType": "string"', '"dataType": "email"', 'email is no data type of ours'],
  ['A.cdm.json', '"purpose": "hasA"', '"purpose": "createdOn"', 'createdOn is no purpose of ours'],
  ['A.cdm.json', '"isNullable": false', '"isNullable": "false"', 'whether it is nullable is not said'],
  ['A.cdm.json', '"maximumLength": 5', '"maximumLength": "5"', 'only a string has a maximum length'],
  ['A.cdm.json', '"displayOrder": "0"', '"displayOrder": 0', 'has another order'],
  [
    'A.cdm.json',
    '"valueConstrainedToList": true',
    '"appliedTraits": ["own.trait"]',
    'the trait own.trait is not known',
  ],
  ['A.cdm.json', '"title"', '"id"', 'two of its attributes have one name'],
  ['A.cdm.json', '"extendsEntity"', '"operationScopes": [], "extendsEntity"', 'an entity has no operationScopes'],
  ['A.cdm.json', '"1.0.0"', '"1.4.0"', 'its format is not 1.0.0'],
  ['B.cdm.json', '"corpusPath": "A.cdm.json"', '"corpusPath": "B.cdm.json"', 'it imports itself'],
  ['B.cdm.json', '"source": "A"', '"source": "A.cdm.json/A"', 'its source is not a name'],
  ['B.cdm.json', '"reference": "id"', '"reference": "gone"', 'refers to gone'],
  ['B.cdm.json', '"1.4.0"', '"1.0.0"', 'its format is not 1.4.0'],
  [
    'Tree.cdm.json',
    '"reference": "aId"',
    '"reference": "eId"',
    'refers to eId, which is no plain attribute of Tree.cdm.json',
  ],
  ['Tree.cdm.json', '"isNullable": true', '"isNullable": false', 'aId is an attribute and another key'],
  ['A.cdm.json', '"precision"', '"digits"', 'its data type is none of ours'],
  ['B.cdm.json', 'replaceAsForeignKey', 'renameAttributes', 'it is not one foreign key'],
  ['sub/sub.manifest.cdm.json', '"/C.cdm.json/C"', '"C.cdm.json/C"', 'C.cdm.json/C is not there'],
  ['root.manifest.cdm.json', '"entityName": "B"', '"entityName": "A"', 'two entities are declared by one name'],
  ['C.cdm.json', '"B.cdm.json"', '"sub/B.cdm.json"', 'sub/B.cdm.json is not there'],
  ['C.cdm.json', '"extendsEntity": "B"', '"extendsEntity": "X"', 'X, which it extends, is nothing from here'],
]

it.each(broken)('%s with %s as %s violates the contract: %s', (path, from, to, message) => {
  const files = folder()
  expect(contractBreaches(files, definedNames)).toEqual([])
  const text = files.get(path) ?? ''
  expect(text).toContain(from)
  files.set(path, text.replace(from, to))
  expect(contractBreaches(files, definedNames).join('\n')).toContain(message)
})

it('missing files, too many files and byte-order marks violate the contract', () => {
  const files = folder()
  files.set('A.cdm.json', `\uFEFF${files.get('A.cdm.json') ?? ''}`)
  expect(() => contractBreaches(files, definedNames)).toThrow(/JSON/)
  const more = folder().set('other.manifest.cdm.json', '{"manifestName":"other","entities":[]}')
  expect(contractBreaches(more, definedNames)).toContain('/: 2 manifests stand at the top')
  const less = folder()
  less.delete('C.cdm.json')
  expect(contractBreaches(less, definedNames).join('\n')).toContain('/C.cdm.json/C is not there'.slice(1))
  const unlisted = folder().set('D.cdm.json', (folder().get('A.cdm.json') ?? '').replace('"A"', '"D"'))
  expect(contractBreaches(unlisted, definedNames)).toContain('D.cdm.json: no manifest lists its entity')
})
