import { aKey, aList, aManifest, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import type { ManifestNode } from '@cadmus/model/manifest'
import { describe, expect, it } from 'vitest'
import { writeArchive } from '../archive.ts'
import { expectRoundTrip } from '../testing/exported.ts'
import { writeCdm } from './write.ts'

function document(files: ReadonlyMap<string, string>, path: string): unknown {
  return JSON.parse(files.get(path) ?? 'null')
}

function modelOf(manifests: readonly ManifestNode[], entities: readonly EntityNode[]): ResolvedModel {
  const [root] = manifests
  if (!root) throw new Error('A model has a manifest.')
  return resolveModel(root, {
    manifests: new Map(manifests.map(one => [one.id, one])),
    entities: new Map(entities.map(one => [one.id, one])),
  })
}

const listing = (...entities: readonly EntityNode[]) => entities.map(({ id }) => ({ id, type: 'EXCLUSIVE' as const }))
const extending = ({ id, name, path }: EntityNode) => ({ id, name, path })

describe('exporting a manifest as a CDM folder', () => {
  const author = anEntity({ name: 'Author', typeAttributes: aList(aKey({ name: 'authorId' })) })
  const book = anEntity({
    name: 'Book',
    description: 'A title.',
    typeAttributes: aList(
      aKey({ name: 'bookId' }),
      aTypeAttribute({ name: 'format', maxLength: 20, nullable: true, choices: ['Hardback', 'E-book'] }),
    ),
    entityAttributes: [
      aRelationship(author, {
        associatedEntityTypeAttribute: 'authorId',
        description: 'Who wrote it.',
        nullable: false,
        position: 2,
      }),
    ],
  })
  const loan = anEntity({
    name: 'Loan',
    typeAttributes: aList(aKey({ name: 'loanId', dataType: 'string', maxLength: 36 })),
    entityAttributes: [aRelationship(book, { associatedEntityTypeAttribute: 'bookId', position: 1 })],
  })
  const lending = aManifest({ name: 'lending', entities: listing(loan) })
  const library = aManifest({
    name: 'library',
    description: 'Books.',
    entities: listing(author, book),
    subManifests: [lending.id],
  })
  const model = modelOf([library, lending], [author, book, loan])

  it('Decisions §7, FORMAT §5: the root manifest is at the top without a wrapping folder, and sub-manifests are in folders', () => {
    const { files } = expectRoundTrip(model)
    expect([...files.keys()].toSorted()).toEqual([
      'Author.cdm.json',
      'Book.cdm.json',
      'cadmus.json',
      'lending/Loan.cdm.json',
      'lending/lending.manifest.cdm.json',
      'library.manifest.cdm.json',
    ])
    expect(document(files, 'library.manifest.cdm.json')).toEqual({
      $schema: 'CdmManifest.cdm.json',
      jsonSchemaSemanticVersion: '1.0.0',
      imports: [{ corpusPath: 'cdm:/foundations.cdm.json' }],
      manifestName: 'library',
      explanation: 'Books.',
      entities: [
        { type: 'LocalEntity', entityName: 'Author', entityPath: 'Author.cdm.json/Author' },
        { type: 'LocalEntity', entityName: 'Book', entityPath: 'Book.cdm.json/Book' },
      ],
      subManifests: [{ manifestName: 'lending', definition: 'lending/lending.manifest.cdm.json' }],
      relationships: [
        {
          fromEntity: 'Book.cdm.json/Book',
          fromEntityAttribute: 'authorId',
          toEntity: 'Author.cdm.json/Author',
          toEntityAttribute: 'authorId',
        },
        {
          fromEntity: 'lending/Loan.cdm.json/Loan',
          fromEntityAttribute: 'bookId',
          toEntity: 'Book.cdm.json/Book',
          toEntityAttribute: 'bookId',
        },
      ],
    })
  })

  it('FORMAT §5: attributes, choices and relationships are written in standard CDM form', () => {
    const { files } = writeCdm(model, {
      versions: { manifests: new Map([[library.id, '1.2.0']]), entities: new Map([[book.id, '1.0.1']]) },
    })
    expect(document(files, 'library.manifest.cdm.json')).toMatchObject({ documentVersion: '1.2.0' })
    expect(document(files, 'Book.cdm.json')).toEqual({
      jsonSchemaSemanticVersion: '1.4.0',
      documentVersion: '1.0.1',
      imports: [{ corpusPath: 'cdm:/foundations.cdm.json' }, { corpusPath: 'Author.cdm.json' }],
      definitions: [
        {
          entityName: 'Book',
          extendsEntity: 'CdmEntity',
          description: 'A title.',
          version: '1.0.1',
          hasAttributes: [
            { name: 'bookId', purpose: 'identifiedBy', dataType: 'integer', isNullable: false },
            {
              name: 'format',
              purpose: 'hasA',
              dataType: 'string',
              isNullable: true,
              maximumLength: 20,
              valueConstrainedToList: true,
              defaultValue: ['Hardback', 'E-book'].map((text, index) => ({
                languageTag: 'en',
                displayText: text,
                attributeValue: text,
                displayOrder: String(index),
              })),
            },
            {
              name: 'authorId',
              description: 'Who wrote it.',
              entity: {
                source: 'Author',
                operations: [
                  {
                    $type: 'replaceAsForeignKey',
                    reference: 'authorId',
                    replaceWith: { name: 'authorId', purpose: 'hasA', dataType: 'integer', isNullable: false },
                  },
                ],
              },
            },
          ],
        },
      ],
    })
    expect(document(files, 'Author.cdm.json')).toMatchObject({ jsonSchemaSemanticVersion: '1.0.0' })
    expect(document(files, 'lending/Loan.cdm.json')).toMatchObject({
      imports: [{ corpusPath: 'cdm:/foundations.cdm.json' }, { corpusPath: '/Book.cdm.json' }],
    })
  })

  it('Decisions §7: the same model gives the same bytes', () => {
    expect(writeArchive(writeCdm(model).files)).toEqual(writeArchive(writeCdm(structuredClone(model)).files))
  })

  it('an entity that extends one of the same name imports it under a moniker; references to the name resolve to the most derived one', () => {
    const base = anEntity({ name: 'Account', typeAttributes: aList(aKey({ name: 'accountId' })) })
    const derived = anEntity({
      name: 'Account',
      extendsEntity: extending(base),
      typeAttributes: aList(aTypeAttribute({ name: 'limit' })),
    })
    const third = anEntity({ name: 'Account', extendsEntity: extending(derived), typeAttributes: [] })
    const contact = anEntity({
      name: 'Contact',
      typeAttributes: aList(aKey({ name: 'contactId' })),
      entityAttributes: [aRelationship(base, { associatedEntityTypeAttribute: 'accountId', position: 1 })],
    })
    const person = anEntity({ name: 'Person', extendsEntity: extending(contact), typeAttributes: [] })
    const inner = aManifest({ name: 'inner', entities: listing(derived, person) })
    const innermost = aManifest({ name: 'innermost', entities: listing(third) })
    const outer = aManifest({ name: 'outer', entities: listing(base, contact), subManifests: [inner.id, innermost.id] })
    const { files } = expectRoundTrip(modelOf([outer, inner, innermost], [base, derived, third, contact, person]))
    expect(document(files, 'inner/Account.cdm.json')).toMatchObject({
      imports: [{}, { corpusPath: '/Account.cdm.json', moniker: 'base_Account' }],
      definitions: [{ extendsEntity: 'base_Account/Account' }],
    })
    expect(document(files, 'innermost/Account.cdm.json')).toMatchObject({
      definitions: [{ extendsEntity: 'base_Account_2/Account' }],
    })
    expect(document(files, 'Contact.cdm.json')).toMatchObject({
      imports: [{}, { corpusPath: 'innermost/Account.cdm.json' }],
    })
  })

  it('"a subtype is written beside its parent, so that inherited foreign keys resolve; a subtype with the parent\'s name is written without its parent"', () => {
    const target = anEntity({ name: 'Target', typeAttributes: aList(aKey()) })
    const parent = anEntity({
      name: 'Parent',
      typeAttributes: aList(aKey()),
      entityAttributes: [aRelationship(target, { position: 1 })],
    })
    const subtype = anEntity({ name: 'Heir', extendsEntity: extending(parent), typeAttributes: [] })
    const sameName = anEntity({ name: 'Parent', extendsEntity: extending(parent), typeAttributes: [] })
    const below = aManifest({ name: 'below', entities: listing(subtype, sameName) })
    const root = aManifest({ name: 'root', entities: listing(target, parent), subManifests: [below.id] })
    const { files } = expectRoundTrip(modelOf([root, below], [target, parent, subtype, sameName]))
    expect([...files.keys()].filter(path => path.startsWith('below/') || path.startsWith('Heir'))).toEqual([
      'below/below.manifest.cdm.json',
      'Heir.cdm.json',
      'below/Parent.cdm.json',
    ])
    expect(document(files, 'Heir.cdm.json')).toMatchObject({ definitions: [{ extendsEntity: 'base_Parent/Parent' }] })
    expect(document(files, 'below/Parent.cdm.json')).toMatchObject({ definitions: [{ extendsEntity: 'CdmEntity' }] })
    expect(document(files, 'below/below.manifest.cdm.json')).toMatchObject({
      entities: [{ entityPath: '/Heir.cdm.json/Heir' }, { entityPath: 'Parent.cdm.json/Parent' }],
    })
  })

  it('two entities with the same name in a manifest are declared with distinct names and paths', () => {
    const base = anEntity({ name: 'Account', typeAttributes: aList(aKey()) })
    const derived = anEntity({ name: 'Account', extendsEntity: extending(base), typeAttributes: [] })
    const root = aManifest({ name: 'root', entities: listing(base, derived) })
    const { files } = expectRoundTrip(modelOf([root], [base, derived]))
    expect(document(files, 'root.manifest.cdm.json')).toMatchObject({
      entities: [
        { entityName: 'Account', entityPath: 'Account.cdm.json/Account' },
        { entityName: 'Account_2', entityPath: 'Account/Account.cdm.json/Account' },
      ],
    })
  })
})
