import { resolveModel } from '@cadmus/model/resolved-model'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import {
  aResolvedModel,
  aKey,
  aList,
  aManifest,
  anEntity,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '@cadmus/model/testing/builders'
import { describe, expect, it } from 'vitest'
import { expectedAfterImport, existingUids } from '../testing/expected-import.ts'
import { comparable } from '../testing/equal-models.ts'
import { contractBreaches } from '../testing/contract.ts'
import { list, object } from '../testing/contract-names.ts'
import { expectRoundTrip, definedNames, roundTrip } from '../testing/exported.ts'
import { placedModel } from '../placed-model.ts'
import { writeCdm } from './write.ts'

function definition(files: ReadonlyMap<string, string>, path: string): unknown {
  return list(object(JSON.parse(files.get(path) ?? 'null'))['definitions'])[0]
}

const listed = ({ id }: { id: number }) => ({ id, type: 'EXCLUSIVE' as const })
const extending = ({ id, name, path }: { id: number; name: string; path: string }) => ({ id, name, path })

describe('CDM export of models that a folder cannot express', () => {
  it('an entity that redefines an inherited attribute is written without its parent and extends it again after import', () => {
    const parent = anEntity({
      name: 'Parent',
      typeAttributes: aList(
        aKey(),
        aTypeAttribute({ name: 'amount', maxLength: 20 }),
        aTypeAttribute({ name: 'note' }),
      ),
    })
    const child = anEntity({
      name: 'Child',
      extendsEntity: extending(parent),
      typeAttributes: aList(aTypeAttribute({ name: 'extra' }), aTypeAttribute({ name: 'amount', dataType: 'double' })),
    })
    const other = anEntity({
      name: 'Other',
      extendsEntity: extending(parent),
      typeAttributes: aList(aTypeAttribute({ name: 'last' }), aTypeAttribute({ name: 'note', description: 'More.' })),
    })
    const { files, notes } = expectRoundTrip(aResolvedModel([parent, child, other]))
    expect(definition(files, 'Child.cdm.json')).toMatchObject({
      extendsEntity: 'CdmEntity',
      hasAttributes: [{ name: 'id' }, { name: 'amount', dataType: 'double' }, { name: 'note' }, { name: 'extra' }],
    })
    expect(definition(files, 'Other.cdm.json')).toMatchObject({ extendsEntity: 'Parent' })
    expect(notes).toEqual([
      {
        path: 'Child.cdm.json/Child',
        message:
          'Its document cannot preserve what it inherits from "Parent": it has no parent and contains all attributes.',
        isLost: false,
      },
    ])
  })

  it('external parents and targets, scopes, types and the configuration are not exported, and the import reports it', () => {
    const far = anEntity({
      name: 'Far',
      path: 'predefined/core/Far',
      typeAttributes: aList(aKey(), aTypeAttribute({ unique: true })),
    })
    const near = anEntity({
      name: 'Near',
      type: 'TEMPLATE',
      extendsEntity: extending(far),
      typeAttributes: [],
      entityAttributes: [aRelationship(far)],
      operationScopes: {
        selectOperationScopes: ['read'],
        selectAllOperationScopes: [],
        deleteOperationScopes: [],
        insertOperationScopes: [],
        updateOperationScopes: [],
      },
    })
    const resolvedModel = aResolvedModel([near], [far])
    const { files, read, notes } = roundTrip(resolvedModel, { configured: new Set([resolvedModel.root.id]) })
    expect(contractBreaches(files, definedNames)).toEqual([])
    expect(comparable(placedModel(read), existingUids(resolvedModel))).toEqual(expectedAfterImport(resolvedModel))
    expect(read.entities[0]?.entityAttributes[0]?.associatedEntity).toEqual({
      id: -1,
      uid: far.uid,
      name: 'Far',
      path: 'predefined/core/Far',
    })
    expect(read.report.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'Shop.manifest.cdm.json: A CDM folder cannot hold its configuration.',
      'Near.cdm.json/Near: A CDM folder cannot hold its type TEMPLATE.',
      'Near.cdm.json/Near: A CDM folder cannot hold the scopes of its operations.',
      'Near.cdm.json/Near: It extends "Far", which is not in the folder: its document has no parent and contains all attributes.',
    ])
    expect(notes).toHaveLength(5)
    expect(notes.at(-1)?.message).toMatch(/^The target "Far" of its relationship is not in the folder/)
    const text = [...files.values()].join('')
    for (const word of ['read', 'TEMPLATE"', 'operationScopes']) expect(text).not.toContain(`"${word}`)
  })

  it('invalid file names and names of standard definitions are replaced in the folder and restored by the import', () => {
    const names = [
      'string',
      'CdmEntity',
      'a/b',
      '../up',
      'naïve',
      '名前',
      'x'.repeat(300),
      'nul\u0000',
      'a b',
      'Case',
      'cASE',
      '..',
    ]
    const entities = names.map(name =>
      anEntity({ name, typeAttributes: aList(aKey({ name: `${name}/id` }), aTypeAttribute({ name: ' ' })) }),
    )
    const { files } = expectRoundTrip(aResolvedModel(entities))
    const unchanged = ['naïve', '名前', 'a b', 'Case']
    expect([...files.keys()]).toEqual(expect.arrayContaining(unchanged.map(name => `${name}.cdm.json`)))
    for (const path of files.keys())
      expect(path).toMatch(/^[\p{L}\p{N}_ -]+(?:\/[\p{L}\p{N}_ -]+)?(?:\.manifest)?(?:\.cdm)?\.json$/u)
  })

  it('duplicate entity names, names that differ only in case, a date as key and a missing target are exported', () => {
    const left = anEntity({
      name: 'Twofold',
      typeAttributes: aList(aKey(), aTypeAttribute({ name: 'ID' }), aTypeAttribute({ name: 'Id' })),
    })
    const right = anEntity({
      name: 'Twofold',
      path: 'user-defined/Right/Twofold',
      typeAttributes: aList(aKey({ dataType: 'dateTime', format: 'date' })),
    })
    const gone = anEntity({ name: 'Gone', path: 'user-defined/Gone' })
    const subtype = anEntity({
      name: 'Heir',
      extendsEntity: extending(left),
      typeAttributes: aList(aTypeAttribute({ name: 'note' }), aTypeAttribute({ name: 'NOTE' })),
      entityAttributes: [aRelationship(gone, { position: 2 })],
    })
    const { files, notes } = expectRoundTrip(aResolvedModel([left, right, subtype]))
    expect([...files.keys()].filter(path => path.includes('Twofold'))).toEqual([
      'Twofold.cdm.json',
      'Twofold/Twofold.cdm.json',
    ])
    expect(definition(files, 'Twofold.cdm.json')).toMatchObject({ hasAttributes: [{ name: 'id' }, { name: 'ID' }, {}] })
    expect(notes.map(({ message }) => message)).toEqual([
      'The target "Gone" of its relationship is not in the folder, or its name is ambiguous there: it is a plain attribute.',
    ])
  })

  it('attributes that differ only in case are not merged in an entity without a parent', () => {
    const parent = anEntity({ name: 'Parent', typeAttributes: aList(aKey(), aTypeAttribute({ name: 'size' })) })
    const child = anEntity({
      name: 'Child',
      extendsEntity: extending(parent),
      typeAttributes: aList(
        aTypeAttribute({ name: 'size', dataType: 'double' }),
        aTypeAttribute({ name: 'note' }),
        aTypeAttribute({ name: 'NOTE' }),
      ),
    })
    const { files } = expectRoundTrip(aResolvedModel([parent, child]))
    expect(definition(files, 'Child.cdm.json')).toMatchObject({
      extendsEntity: 'CdmEntity',
      hasAttributes: [{ name: 'id' }, { name: 'size' }, {}, {}],
    })
  })

  it('imported traits are written if CDM readers support them, otherwise stored in the sidecar', () => {
    const traits = [
      { traitReference: 'is.requiredAtLevel', arguments: [{ name: 'level', value: 'required' }] },
      'means.location.address',
      'is.readOnly',
      { traitReference: 'is.CDS.lookup', arguments: [] },
      'is.dataFormat.guid',
      'their.own',
    ]
    const attribute = newTypeAttribute({ name: 'street', position: 0, traits, format: 'guid', unique: true })
    const { files } = expectRoundTrip(aResolvedModel([anEntity({ name: 'Place', typeAttributes: [attribute] })]))
    expect(definition(files, 'Place.cdm.json')).toMatchObject({
      hasAttributes: [{ appliedTraits: traits.slice(0, 3) }],
    })
  })
})

it('writeCdm terminates for cyclic manifests, parents and references', () => {
  const a = anEntity({ name: 'A', typeAttributes: aList(aKey()) })
  const b = anEntity({ name: 'B', extendsEntity: referenceTo(a), typeAttributes: [] })
  const [x, y] = [
    { ...a, extendsEntity: referenceTo(b), entityAttributes: [aRelationship(a), aRelationship(b)] },
    { ...b, entityAttributes: [aRelationship(a), aRelationship(b)] },
  ]
  const below = aManifest({ name: 'Below', entities: [y, x].map(listed) })
  const root = aManifest({ name: 'Root', entities: [x, y].map(listed), subManifests: [below.id] })
  const around = { ...below, subManifests: [root.id, below.id] }
  const manifests = new Map([root, around].map(one => [one.id, one]))
  const entities = new Map([x, y].map(one => [one.id, one]))
  const { files } = writeCdm(resolveModel(root, { manifests, entities }))
  expect([...files.keys()].toSorted()).toEqual([
    'A.cdm.json',
    'B.cdm.json',
    'Below/Below.manifest.cdm.json',
    'Root.manifest.cdm.json',
    'cadmus.json',
  ])
})
