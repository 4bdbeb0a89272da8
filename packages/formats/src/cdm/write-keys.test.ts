import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { EntityNode } from '@cadmus/model/entity'
import { describe, expect, it } from 'vitest'
import { list, object } from '../testing/contract-names.ts'
import { expectRoundTrip } from '../testing/exported.ts'
import { cdmFolder, entityDocument, entityOf, key, manifest, projected } from '../testing/cdm-folder.ts'
import { placedModel } from '../placed-model.ts'
import { readCdm } from './read.ts'
import { writeCdm } from './write.ts'

function membersOf(files: ReadonlyMap<string, string>, name: string): readonly unknown[] {
  const json = object(JSON.parse(files.get(`${name}.cdm.json`) ?? 'null'))
  return list(object(list(json['definitions'])[0])['hasAttributes'])
}

/** An entity whose key is a foreign key to another entity's key. */
function keyedBy(name: string, target: EntityNode, attribute: string): EntityNode {
  return anEntity({
    name,
    typeAttributes: [aTypeAttribute({ name: 'title', position: 1 })],
    entityAttributes: [
      aRelationship(target, {
        associatedEntityTypeAttribute: attribute,
        foreignKeyTypeAttribute: `${name.toLowerCase()}Id`,
        foreignKeyPurpose: 'identifiedBy',
        nullable: false,
        description: `One ${target.name}.`,
      }),
    ],
  })
}

describe('CDM export of keys that are foreign keys', () => {
  const person = anEntity({ name: 'Person', typeAttributes: aList(aKey({ name: 'personId' })) })
  const employee = keyedBy('Employee', person, 'personId')
  const manager = keyedBy('Manager', employee, 'employeeId')
  const director = keyedBy('Director', manager, 'managerId')

  it('a key that another key refers to is written as a plain attribute before its relationship, which keeps its name', () => {
    const { files } = expectRoundTrip(aResolvedModel([person, employee, manager, director]))
    const attribute = { name: 'managerId', purpose: 'identifiedBy', dataType: 'integer', isNullable: false }
    expect(membersOf(files, 'Manager')).toMatchObject([
      { ...attribute, description: 'One Employee.' },
      {
        name: 'managerId_Employee',
        description: 'One Employee.',
        entity: {
          source: 'Employee',
          operations: [{ $type: 'replaceAsForeignKey', reference: 'employeeId', replaceWith: attribute }],
        },
      },
      { name: 'title' },
    ])
    expect(membersOf(files, 'Director')).toMatchObject([{ name: 'directorId', entity: { source: 'Manager' } }, {}])
  })

  it('a key referenced by its own entity, and two keys that refer to each other, are written as plain attributes too', () => {
    const bb = anEntity({ name: 'Bb', typeAttributes: aList(aKey()) })
    const aa = keyedBy('Aa', bb, 'id')
    const own = { associatedEntityTypeAttribute: 'aaId', foreignKeyTypeAttribute: 'parentId', position: 2 }
    aa.entityAttributes.push(aRelationship(aa, own))
    const one = anEntity({ name: 'One', typeAttributes: [] })
    const other = keyedBy('Other', one, 'oneId')
    one.entityAttributes.push(...keyedBy('One', other, 'otherId').entityAttributes)
    const { files } = expectRoundTrip(aResolvedModel([aa, bb, one, other]))
    expect(membersOf(files, 'Aa')).toMatchObject([
      { name: 'aaId' },
      { name: 'aaId_Bb' },
      { name: 'title' },
      { name: 'parentId', entity: { operations: [{ reference: 'aaId' }] } },
    ])
    expect(membersOf(files, 'One')).toMatchObject([{ name: 'oneId' }, { name: 'oneId_Other' }])
    expect(membersOf(files, 'Other')).toMatchObject([{ name: 'otherId' }, { name: 'otherId_One' }, {}])
  })

  it('an inherited key that is referenced is written as a plain attribute at its declaration, under an unused name', () => {
    manager.typeAttributes.push(aTypeAttribute({ name: 'managerId_Employee', position: 2 }))
    const extendsEntity = { id: manager.id, name: manager.name, path: manager.path }
    const chief = anEntity({ name: 'Chief', extendsEntity, typeAttributes: [] })
    const office = anEntity({
      name: 'Office',
      typeAttributes: aList(aKey()),
      entityAttributes: [aRelationship(chief, { associatedEntityTypeAttribute: 'managerId', position: 1 })],
    })
    const { files } = expectRoundTrip(aResolvedModel([person, employee, manager, chief, office]))
    expect(membersOf(files, 'Manager')).toMatchObject([{ name: 'managerId' }, { name: 'managerId_Employee_2' }, {}, {}])
    expect(membersOf(files, 'Chief')).toEqual([])
  })

  it('a folder without such plain attributes is read as the same model as one with them', () => {
    const fk = (source: string, reference: string, name: string) =>
      projected(source, reference, { name, purpose: 'identifiedBy', dataType: 'integer' })
    const folder = cdmFolder({
      'staff.manifest.cdm.json': manifest('staff', [
        'Person.cdm.json/Person',
        'Employee.cdm.json/Employee',
        'Manager.cdm.json/Manager',
      ]),
      'Person.cdm.json': entityDocument('Person', [key('personId', 'integer')]),
      'Employee.cdm.json': entityDocument('Employee', [fk('Person', 'personId', 'employeeId')], {}, [
        'Person.cdm.json',
      ]),
      'Manager.cdm.json': entityDocument('Manager', [fk('Employee', 'employeeId', 'managerId')], {}, [
        'Employee.cdm.json',
      ]),
    })
    const before = readCdm(folder)
    const after = readCdm(
      new Map([...writeCdm(placedModel(before)).files].filter(([path]) => path.endsWith('.cdm.json'))),
    )
    for (const model of [before, after])
      expect(entityOf(model, 'Manager')).toMatchObject({
        typeAttributes: [],
        entityAttributes: [
          {
            associatedEntity: { path: '/Employee.cdm.json/Employee' },
            associatedEntityTypeAttribute: 'employeeId',
            foreignKeyTypeAttribute: 'managerId',
            foreignKeyPurpose: 'identifiedBy',
            foreignKeyDataType: 'integer',
          },
        ],
      })
    expect(after.report).toEqual([])
  })
})
