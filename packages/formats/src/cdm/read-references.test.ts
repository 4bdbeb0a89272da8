import { describe, expect, it } from 'vitest'
import { cdmFolder, entityDocument, entityOf, guided, key, manifest, projected, table } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

describe('reading references of CDM entities', () => {
  const author = entityDocument('Author', [key('authorId'), { name: 'fullName', dataType: 'string' }])

  it('references in both styles become relationships with the data type of the target key, in attribute order', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Author.cdm.json/Author', 'Book.cdm.json/Book']),
        'Author.cdm.json': entityDocument('Author', [key('authorId', 'bigInteger')]),
        'Book.cdm.json': entityDocument(
          'Book',
          [
            key('bookId'),
            guided('Author', 'writtenBy', 'authorId'),
            { name: 'title', dataType: 'string' },
            {
              ...projected('Author', 'authorId', { name: 'editorId', dataType: 'entityId', isNullable: true }),
              description: 'Who edited it.',
            },
            {
              name: 'reviewer',
              entity: { entityReference: 'Author' },
              resolutionGuidance: { entityByReference: { allowReference: true } },
            },
          ],
          {},
          ['Author.cdm.json'],
        ),
      }),
    )
    const book = entityOf(model, 'Book')
    expect(book.typeAttributes.map(({ name, position }) => [name, position])).toEqual([
      ['bookId', 0],
      ['title', 2],
    ])
    const target = {
      associatedEntity: { id: -1, name: 'Author', path: '/Author.cdm.json/Author' },
      associatedEntityTypeAttribute: 'authorId',
      foreignKeyDataType: 'integer',
      alternativeTargets: [],
    }
    expect(book.entityAttributes).toMatchObject([
      { ...target, foreignKeyTypeAttribute: 'writtenBy', nullable: true, position: 1 },
      { ...target, foreignKeyTypeAttribute: 'editorId', nullable: true, description: 'Who edited it.', position: 3 },
      { ...target, foreignKeyTypeAttribute: 'reviewerId', nullable: false, position: 4 },
    ])
    expect(model.report).toEqual([])
  })

  it('a polymorphic reference takes its first target, the others as alternatives, and adds the type attribute', () => {
    const options = ['User', 'Team'].map(name => guided(name, `${name}Option`))
    const owner = {
      name: 'owner',
      entity: { entityReference: { entityName: 'Owner', hasAttributes: options } },
      resolutionGuidance: {
        entityByReference: { allowReference: true, foreignKeyAttribute: { name: 'id', dataType: 'entityId' } },
        selectsSubAttribute: { selects: 'one', selectedTypeAttribute: { name: 'idType', dataType: 'entityName' } },
      },
    }
    const payer = {
      name: 'payer',
      isPolymorphicSource: true,
      entity: {
        source: {
          entityReference: {
            entityName: 'Payers',
            hasAttributes: ['Team', 'User'].map(source => ({ name: source, entity: { source } })),
          },
        },
        runSequentially: true,
        operations: [
          {
            $type: 'combineAttributes',
            select: ['userId', 'teamId'],
            mergeInto: { name: 'both', dataType: 'entityId' },
          },
          { $type: 'replaceAsForeignKey', reference: 'both', replaceWith: { name: 'payerId', dataType: 'entityId' } },
          { $type: 'addTypeAttribute', typeAttribute: { name: 'payerType', dataType: 'entityName' } },
        ],
      },
    }
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['User.cdm.json/User', 'Team.cdm.json/Team', 'Deal.cdm.json/Deal']),
        'User.cdm.json': entityDocument('User', [key('userId')]),
        'Team.cdm.json': entityDocument('Team', [key('teamId')]),
        'Deal.cdm.json': entityDocument('Deal', [owner, payer], {}, ['User.cdm.json', 'Team.cdm.json']),
      }),
    )
    const deal = entityOf(model, 'Deal')
    expect(deal.typeAttributes.map(attribute => attribute.name)).toEqual(['ownerIdType', 'payerType'])
    expect(deal.entityAttributes).toMatchObject([
      {
        foreignKeyTypeAttribute: 'ownerId',
        associatedEntity: { name: 'User' },
        alternativeTargets: [{ entity: { name: 'Team' }, attribute: 'teamId' }],
      },
      {
        foreignKeyTypeAttribute: 'payerId',
        associatedEntity: { name: 'Team' },
        alternativeTargets: [{ entity: { name: 'User' }, attribute: 'userId' }],
      },
    ])
  })

  it('a polymorphic reference drops alternatives whose keys have another data type', () => {
    const options = ['User', 'Team'].map(name => guided(name, `${name}Option`))
    const owner = {
      name: 'owner',
      entity: { entityReference: { entityName: 'Owner', hasAttributes: options } },
      resolutionGuidance: { entityByReference: { allowReference: true }, selectsSubAttribute: { selects: 'one' } },
    }
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['User.cdm.json/User', 'Team.cdm.json/Team', 'Deal.cdm.json/Deal']),
        'User.cdm.json': entityDocument('User', [key('userId')]),
        'Team.cdm.json': entityDocument('Team', [key('teamId', 'integer')]),
        'Deal.cdm.json': entityDocument('Deal', [owner], {}, ['User.cdm.json', 'Team.cdm.json']),
      }),
    )
    expect(entityOf(model, 'Deal').entityAttributes).toMatchObject([
      { foreignKeyDataType: 'string', associatedEntity: { name: 'User' }, alternativeTargets: [] },
    ])
    // The type attribute gets a default name because the reference does not name it.
    expect(entityOf(model, 'Deal').typeAttributes).toMatchObject([{ name: 'ownerType', dataType: 'string' }])
    expect(model.report.map(line => line.message)).toEqual([
      'The key of "/Team.cdm.json/Team" has another data type; it was left out of the targets.',
    ])
  })

  it('FORMAT §6: a reference to a missing or unimported target keeps its key as a plain attribute and is reported', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Book.cdm.json/Book']),
        'Author.cdm.json': author,
        'Book.cdm.json': entityDocument('Book', [guided('Author', 'authorId'), guided('Nobody', 'nobodyId')], {}, [
          'Author.cdm.json',
        ]),
      }),
    )
    expect(entityOf(model, 'Book').typeAttributes.map(attribute => attribute.name)).toEqual(['authorId', 'nobodyId'])
    expect(entityOf(model, 'Book').entityAttributes).toEqual([])
    expect(model.report.map(line => `${line.level} ${line.path}: ${line.message}`)).toEqual([
      'warning Author.cdm.json/Author: No manifest lists this entity; it was not imported separately.',
      'warning Book.cdm.json/Book/authorId: It refers to "/Author.cdm.json/Author", which no manifest declares.',
      'warning Book.cdm.json/Book/nobodyId: It refers to "Nobody", which is not in the folder.',
      'warning Book.cdm.json/Book/authorId: It was imported as a plain attribute without a relationship.',
    ])
  })

  it('a link trait on a plain attribute becomes a relationship, also for self-references and cycles', () => {
    const link = {
      traitReference: 'is.linkedEntity.identifier',
      arguments: [table('entityGroupSet', [['Author.cdm.json/Author', 'authorId']])],
    }
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Author.cdm.json/Author', 'Book.cdm.json/Book']),
        'Author.cdm.json': entityDocument(
          'Author',
          [key('authorId'), guided('Author', 'teacherId', 'authorId'), guided('Book', 'firstBookId')],
          {},
          ['Book.cdm.json'],
        ),
        'Book.cdm.json': entityDocument(
          'Book',
          [key('bookId'), { name: 'by', dataType: 'entityId', appliedTraits: [link] }],
          {},
          ['Author.cdm.json'],
        ),
      }),
    )
    expect(entityOf(model, 'Author').entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'teacherId', associatedEntity: { name: 'Author' } },
      {
        foreignKeyTypeAttribute: 'firstBookId',
        associatedEntity: { name: 'Book' },
        associatedEntityTypeAttribute: 'bookId',
      },
    ])
    expect(entityOf(model, 'Book').entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'by', associatedEntity: { name: 'Author' } },
    ])
  })
})
