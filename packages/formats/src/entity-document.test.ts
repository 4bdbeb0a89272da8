import { describe, expect, it } from 'vitest'
import { newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { holds } from '@cadmus/testing/holds'
import { readEntityDocument, writeEntityDocument } from './entity-document.ts'
import { ImportError } from './import-error.ts'
import { entityDocument, guided, key } from './testing/cdm-folder.ts'

const account = { id: 7, name: 'Account', path: 'predefined/core/Account' }
const order = newEntityContent({
  name: 'SpecialOrder',
  description: 'An order.',
  extendsEntity: account,
  referenceImportPaths: ['cdm:/foundations.cdm.json'],
  traits: [{ traitReference: 'is.CDM.entityVersion' }],
  typeAttributes: [
    newTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 0 }),
    newTypeAttribute({
      name: 'state',
      choices: ['open', 'closed'],
      maxLength: 10,
      defaultValue: 'open',
      nullable: true,
      position: 2,
    }),
  ],
  entityAttributes: [
    newEntityAttribute({
      associatedEntity: account,
      associatedEntityTypeAttribute: 'accountId',
      foreignKeyTypeAttribute: 'accountId',
      alternativeTargets: [{ entity: account, attribute: 'accountId' }],
      position: 1,
    }),
  ],
})
const place = { path: 'user-defined/Sales/SpecialOrder', version: '1.2.0' }

describe('an entity as a file', () => {
  it('an entity file contains the entity as JSON and its name ends in .json', holds('E7.66', 'E7.67'), () => {
    const { entityDoc, fileName } = writeEntityDocument(order, place)
    expect(fileName).toBe('SpecialOrder.json')
    expect(entityDoc).toMatchObject({
      document: 'cadmus-entity',
      format: 1,
      ...place,
      entity: { name: 'SpecialOrder', uid: order.uid },
    })
    expect(writeEntityDocument({ ...order, name: '../ü:"\u0000' }, place).fileName).toBe('entity.json')
  })

  it('an entity file restores the entity with its uids and without the ids of the store', () => {
    const { entityDoc, fileName } = writeEntityDocument(order, place)
    const read = readEntityDocument(JSON.stringify(entityDoc), fileName)
    const external = { ...account, id: -1 }
    expect(read).toEqual({
      content: {
        ...order,
        extendsEntity: external,
        entityAttributes: order.entityAttributes.map(attribute => ({
          ...attribute,
          associatedEntity: external,
          alternativeTargets: [{ entity: external, attribute: 'accountId' }],
        })),
      },
      path: place.path,
      version: place.version,
      report: [],
    })
    expect(writeEntityDocument(read.content, place)).toEqual({ entityDoc, fileName })
  })

  it('an entity file may be a CDM document: the entity named as the file is read, external references are reported', () => {
    const document = entityDocument(
      'Book',
      [key('bookId'), guided('Author', 'authorId')],
      { description: 'A title.' },
      ['Author.cdm.json'],
    )
    const other = { entityName: 'Other', hasAttributes: [] }
    const definitions = Array.isArray(document['definitions']) ? document['definitions'] : []
    const read = readEntityDocument(
      new TextEncoder().encode(JSON.stringify({ ...document, definitions: [other, ...definitions] })),
      'Book.cdm.json',
    )
    expect(read.content).toMatchObject({
      name: 'Book',
      description: 'A title.',
      extendsEntity: null,
      referenceImportPaths: ['cdm:/foundations.cdm.json', 'Author.cdm.json'],
      typeAttributes: [{ name: 'bookId', purpose: 'identifiedBy' }, { name: 'authorId' }],
    })
    expect(read.report.map(line => `${line.path}: ${line.message}`)).toEqual([
      'Book.cdm.json: The file defines one more entity; only "Book" was read.',
      'Book.cdm.json: The imported document "Author.cdm.json" is not in the folder.',
      'Book.cdm.json/Book/authorId: It refers to "Author", which is not in the folder.',
    ])
  })

  it('an entity file import reports unknown fields, duplicate keys and an invalid version', () => {
    const { entityDoc } = writeEntityDocument(order, place)
    const withMore = (item: object) => ({ ...item, colour: 'red' })
    const { entity } = entityDoc
    const modified = {
      ...entityDoc,
      version: 'second',
      hint: 1,
      entity: {
        ...entity,
        owner: { name: 'x' },
        typeAttributes: entity.typeAttributes.map(withMore),
        entityAttributes: entity.entityAttributes.map(item => ({
          ...item,
          cascade: true,
          associatedEntity: withMore(item.associatedEntity),
        })),
        traits: [{ traitReference: 'is.x', more: 1 }],
      },
    }
    const text = JSON.stringify(modified).replace('"hint":1', '"hint":1,"path":"elsewhere"')
    const { report, content } = readEntityDocument(text, 'x.json')
    expect(content.traits).toEqual([{ traitReference: 'is.x', more: 1 }])
    expect(report.map(line => `${line.path}: ${line.message}`)).toEqual([
      'x.json: The key "path" is duplicated in one object; the last value was used.',
      'version: Its version "second" is invalid; it was left out.',
      'hint: The field "hint" is not supported; it was left out.',
      'typeAttributes.id.colour: The field "colour", which occurs 2 times, is not supported; it was left out.',
      'entityAttributes.accountId.associatedEntity.colour: The field "colour" is not supported; it was left out.',
      'entityAttributes.accountId.cascade: The field "cascade" is not supported; it was left out.',
      'owner: The field "owner" is not supported; it was left out.',
    ])
  })

  it('an entity file import reports at most a hundred unknown fields and the number of others', () => {
    const { entityDoc } = writeEntityDocument(order, place)
    const more = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`x${index}`, index]))
    const { report } = readEntityDocument(JSON.stringify({ ...entityDoc, ...more }), 'x.json')
    expect(report).toHaveLength(101)
    expect(report[100]?.message).toBe('50 more fields are not supported; they were left out.')
  })

  it.each([
    ['invalid JSON', '{', 'not-json'],
    ['unrelated JSON', '{"name":"x"}', 'not-an-entity'],
    ['a list', '[]', 'not-an-entity'],
    ['a later format', '{"document":"cadmus-entity","format":2,"entity":{}}', 'not-an-entity'],
    ['an invalid entity', '{"document":"cadmus-entity","format":1,"entity":{"format":1,"name":5}}', 'not-an-entity'],
    [
      'an entity without a name',
      JSON.stringify(writeEntityDocument({ ...order, name: ' ' }, place).entityDoc),
      'not-an-entity',
    ],
    ['a CDM document without an entity', '{"definitions":[{"dataTypeName":"x"}]}', 'not-an-entity'],
    ['deeply nested JSON', '['.repeat(200), 'too-deep'],
  ])('readEntityDocument refuses %s', (_, text, code) => {
    expect(codeOf(text)).toBe(code)
  })
})

function codeOf(text: string): string {
  try {
    readEntityDocument(text, 'x.json')
  } catch (error) {
    return error instanceof ImportError ? error.code : 'another error'
  }
  return 'no error'
}
