import { expect, it } from 'vitest'
import { cdmFolder, document, entityDocument, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

const unlisted = 'No manifest lists this entity; it was not imported separately.'

function reportOf(documents: Record<string, unknown>, others: Record<string, string> = {}): string[] {
  const files = new Map([...cdmFolder(documents), ...Object.entries(others)])
  return readCdm(files).report.map(line => `${line.level} ${line.path}: ${line.message}`)
}

it('readCdm reports every entity that no manifest lists, in loaded and in other documents', () => {
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
  'readCdm does not report standard documents or files that are not documents: "%s"',
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

it('readCdm reports unlisted manifests and unreadable documents, and counts other versions', () => {
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
    'warning sub/broken.manifest.cdm.json: "sub/broken.manifest.cdm.json" is not a JSON document.',
    'warning sub/other.manifest.cdm.json: No manifest of this import lists this manifest; it was not imported.',
    'warning sub/Broken.cdm.json: "sub/Broken.cdm.json" is not a JSON document.',
    'warning m.manifest.cdm.json: 3 documents are other versions that no manifest lists: the file name has a version.',
  ])
})

it('readCdm reports an unreadable document once', () => {
  const report = reportOf(
    { 'm.manifest.cdm.json': manifest('Model', ['Book.cdm.json/Book']) },
    { 'Book.cdm.json': '{' },
  )
  expect(report).toEqual(['error Book.cdm.json: "Book.cdm.json" is not a JSON document.'])
})

it('readCdm reports the reason why an entity was not imported', () => {
  const one = (name: string) => entityDocument(name, [key('id')])
  const report = reportOf(
    {
      'm.manifest.cdm.json': manifest('Model', [
        'Book.cdm.json/Book',
        'book.cdm.json/Shelf',
        'Gone.cdm.json/Gone',
        'Twice.cdm.json/Missing',
        'Book.cdm.json/Book',
      ]),
      'Book.cdm.json': document([{ entityName: 'Book' }, { entityName: 'Shelf' }]),
      'Twice.cdm.json': one('Twice'),
      'sub/other.manifest.cdm.json': manifest('Other', ['Leaf.cdm.json/Leaf', '/Twice.cdm.json/Twice']),
      'sub/Leaf.cdm.json': one('Leaf'),
      'sub/Lonely.cdm.json': one('Lonely'),
      'broken/lost.manifest.cdm.json': manifest('Lost', ['local:/broken/Page.cdm.json/Page']),
      'broken/Page.cdm.json': one('Page'),
    },
    { 'Cut.cdm.json': '{' },
  )
  expect(report.toSorted()).toEqual(
    [
      'error m.manifest.cdm.json: The document of the entity "book.cdm.json/Shelf" is not in the folder; the entity was left out.',
      'error m.manifest.cdm.json: The document of the entity "Gone.cdm.json/Gone" is not in the folder; the entity was left out.',
      'error Twice.cdm.json: The document does not define the entity "Missing".',
      'warning Book.cdm.json/Shelf: "m.manifest.cdm.json" lists it as "book.cdm.json/Shelf", which is spelled differently; it was not imported.',
      'warning Twice.cdm.json/Twice: Only "sub/other.manifest.cdm.json" lists it, which is not part of this import; it was not imported separately.',
      'warning sub/other.manifest.cdm.json: No manifest of this import lists this manifest; it was not imported.',
      'warning sub/Leaf.cdm.json/Leaf: Only "sub/other.manifest.cdm.json" lists it, which is not part of this import; it was not imported separately.',
      `warning sub/Lonely.cdm.json/Lonely: ${unlisted}`,
      'warning broken/lost.manifest.cdm.json: No manifest of this import lists this manifest; it was not imported.',
      'warning broken/Page.cdm.json/Page: Only "broken/lost.manifest.cdm.json" lists it, which is not part of this import; it was not imported separately.',
      'warning Cut.cdm.json: "Cut.cdm.json" is not a JSON document.',
    ].toSorted(),
  )
})
