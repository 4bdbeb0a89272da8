import { expect, it } from 'vitest'
import { cdmFolder, document, entityDocument, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

const unlisted = 'No manifest lists this entity; it was not imported as one of its own.'

function reportOf(documents: Record<string, unknown>, others: Record<string, string> = {}): string[] {
  const files = new Map([...cdmFolder(documents), ...Object.entries(others)])
  return readCdm(files).report.map(line => `${line.level} ${line.path}: ${line.message}`)
}

it('issue 2, step 3: tells of every entity that no manifest lists, in documents that are used and in those that are not', () => {
  const report = reportOf({
    'm.manifest.cdm.json': manifest('Model', ['Book.cdm.json/Book']),
    'Book.cdm.json': document(
      [
        { entityName: 'Book', extendsEntity: 'Base', hasAttributes: [key('bookId')] },
        { entityName: 'Page', extendsEntity: 'CdmEntity', hasAttributes: [] },
      ],
      ['sub/Base.cdm.json'],
    ),
    'sub/Base.cdm.json': entityDocument('Base', [{ name: 'note', dataType: 'string' }]),
    'sub/Lonely.cdm.json': document([{ entityName: 'One' }, { entityName: 'Two' }, { dataTypeName: 'Code' }, 5]),
  })
  expect(report).toEqual([
    `warning Book.cdm.json/Page: ${unlisted}`,
    `warning sub/Base.cdm.json/Base: ${unlisted}`,
    `warning sub/Lonely.cdm.json/One: ${unlisted}`,
    `warning sub/Lonely.cdm.json/Two: ${unlisted}`,
  ])
})

it.each(['', 'wrapping/'])(
  'is silent about the standard documents, and about files that are no documents: "%s"',
  folder => {
    const entity = document([{ entityName: 'attributeGroupSet', hasAttributes: [] }])
    const report = reportOf(
      {
        [`${folder}m.manifest.cdm.json`]: manifest('Model', ['Book.cdm.json/Book']),
        [`${folder}Book.cdm.json`]: entityDocument('Book', [key('bookId')]),
        [`${folder}foundations.cdm.json`]: entity,
        [`${folder}meanings.location.cdm.json`]: entity,
        [`${folder}core/cdsConcepts.cdm.json`]: entity,
        [`${folder}schema.manifest.cdm.json`]: { properties: { manifestName: {} }, entities: {} },
      },
      { [`${folder}data/Book.csv`]: '1,2', [`${folder}notes.json`]: '{' },
    )
    expect(report).toEqual([])
  },
)

it('tells of manifests that no other lists, of documents that cannot be read, and counts older copies', () => {
  const book = entityDocument('Book', [key('bookId')])
  const report = reportOf(
    {
      'm.manifest.cdm.json': manifest('Model', ['Book.cdm.json/Book']),
      'Book.cdm.json': book,
      'Book.1.0.cdm.json': book,
      'Book.1.1.cdm.json': book,
      'm.1.0.manifest.cdm.json': manifest('Model', ['Book.1.0.cdm.json/Book']),
      'sub/other.manifest.cdm.json': manifest('Other', ['Gone.cdm.json/Gone']),
    },
    { 'sub/broken.manifest.cdm.json': '{', 'sub/Broken.cdm.json': '{', 'sub/List.cdm.json': '[]' },
  )
  expect(report).toEqual([
    'warning sub/other.manifest.cdm.json: No other manifest lists this one; it was not imported.',
    'warning sub/broken.manifest.cdm.json: "sub/broken.manifest.cdm.json" is not a JSON document.',
    'warning sub/Broken.cdm.json: "sub/Broken.cdm.json" is not a JSON document.',
    'warning m.manifest.cdm.json: 3 documents are older copies that no manifest lists: the file name has a version.',
  ])
})

it('says once that a document cannot be read', () => {
  const report = reportOf(
    { 'm.manifest.cdm.json': manifest('Model', ['Book.cdm.json/Book']) },
    { 'Book.cdm.json': '{' },
  )
  expect(report).toEqual(['error Book.cdm.json: "Book.cdm.json" is not a JSON document.'])
})
