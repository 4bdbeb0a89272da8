import { entityForm } from '@cadmus/model/content'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { newUid } from '@cadmus/model/uid'
import { describe, expect, it } from 'vitest'
import { entityOf } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'
import { writeCdm } from './write.ts'

const author = anEntity({ name: 'Author', typeAttributes: aList(aKey()) })
const book = anEntity({
  name: 'Book',
  typeAttributes: aList(
    aKey({ format: 'int64' }),
    aTypeAttribute({ name: 'title', unique: true, defaultValue: 'x', description: 'Old.' }),
    aTypeAttribute({ name: 'pages', dataType: 'integer', format: 'int16' }),
  ),
  entityAttributes: [aRelationship(author, { onDelete: 'cascade', position: 3 })],
})
const resolvedModel = aResolvedModel([author, book])

function folder(change: (files: Map<string, string>) => void) {
  const { files } = writeCdm(resolvedModel, {
    versions: { manifests: new Map([[resolvedModel.root.id, '2.1.0']]), entities: new Map([[book.id, '1.5.0']]) },
  })
  change(files)
  return readCdm(files)
}

const edited = (files: Map<string, string>, path: string, from: string, to: string) =>
  void files.set(path, (files.get(path) ?? '').replaceAll(from, to))

describe('the sidecar file of an exported CDM folder', () => {
  it('a sidecar restores uids and versions, also if the folder lies in another one', () => {
    const plain = folder(() => undefined)
    const { files } = writeCdm(resolvedModel)
    const wrapped = readCdm(new Map([...files].map(([path, text]) => [`wrap/${path}`, text])))
    expect(plain.report).toEqual([])
    expect(plain.manifests).toMatchObject([{ uid: resolvedModel.root.uid, version: '2.1.0' }])
    expect(entityOf(plain, 'Book')).toMatchObject({
      uid: book.uid,
      version: '1.5.0',
      entityAttributes: [{ onDelete: 'cascade' }],
    })
    expect(entityOf(wrapped, 'Book')).toMatchObject({
      uid: book.uid,
      typeAttributes: book.typeAttributes.map(({ uid, format }) => ({ uid, format })),
      entityAttributes: [
        { uid: book.entityAttributes[0]?.uid, associatedEntity: { path: '/wrap/Author.cdm.json/Author' } },
      ],
    })
  })

  it('a changed document takes precedence over the sidecar, which still restores uids and properties that CDM cannot express', () => {
    const model = folder(files => {
      edited(files, 'Book.cdm.json', 'Old.', 'New.')
      edited(files, 'Book.cdm.json', '"pages"', '"sheets"')
    })
    const [key, title, sheets] = entityOf(model, 'Book').typeAttributes
    expect(entityOf(model, 'Book').uid).toBe(book.uid)
    expect(key).toMatchObject({ uid: book.typeAttributes[0]?.uid, format: 'int64' })
    expect(title).toMatchObject({
      uid: book.typeAttributes[1]?.uid,
      description: 'New.',
      unique: true,
      defaultValue: 'x',
    })
    expect(sheets?.uid).not.toBe(book.typeAttributes[2]?.uid)
    expect(sheets).toMatchObject({ name: 'sheets', format: 'int16' })
    expect(entityOf(model, 'Book').entityAttributes).toMatchObject([{ onDelete: 'cascade' }])
    expect(model.report).toEqual([
      {
        level: 'warning',
        kind: 'changed',
        path: 'Book.cdm.json',
        message:
          'It was changed after the export: its current content was imported. Properties that CDM does not support were restored if they still fit.',
      },
    ])
  })

  it('sidecar properties that do not fit a changed data type are dropped', () => {
    const typeAttributes = aList(
      aKey(),
      aTypeAttribute({ name: 'price', dataType: 'double', precision: 12, scale: 3, defaultValue: '1.5' }),
      aTypeAttribute({ name: 'big', dataType: 'integer', format: 'int64', defaultValue: '7' }),
      aTypeAttribute({ name: 'made', dataType: 'dateTime', defaultKind: 'now' }),
      aTypeAttribute({ name: 'stays', dataType: 'dateTime', defaultKind: 'now' }),
    )
    const { files } = writeCdm(aResolvedModel([anEntity({ name: 'Thing', typeAttributes })]))
    const types: Readonly<Record<string, string>> = { price: 'integer', big: 'string', made: 'date' }
    const path = 'Thing.cdm.json'
    const changed = JSON.parse(files.get(path) ?? '', (_key, value) => {
      const type = types[value?.name]
      return type === undefined ? value : { ...value, dataType: type }
    })
    files.set(path, JSON.stringify(changed))
    expect(entityOf(readCdm(files), 'Thing').typeAttributes).toMatchObject([
      {},
      { name: 'price', dataType: 'integer', precision: null, scale: null, defaultValue: null },
      { name: 'big', dataType: 'string', format: null, defaultValue: '7' },
      { name: 'made', dataType: 'dateTime', format: 'date', defaultKind: 'literal' },
      { name: 'stays', defaultKind: 'now' },
    ])
  })

  it('restores the groups of an entity, without those that exceed a limit', () => {
    const [title, pages] = book.typeAttributes.slice(1)
    const members = [title, pages].map(one => ({ uid: one?.uid ?? '', name: one?.name ?? '', descending: false }))
    const group = (uid: string, name = '') => ({ uid, kind: 'index' as const, name, members })
    const { files } = writeCdm(aResolvedModel([author, { ...book, groups: [group('g')] }]))
    const groupsOf = (groups: object[]) => {
      const changed = JSON.parse(files.get('cadmus.json') ?? '', (key, value) => (key === 'groups' ? groups : value))
      return entityOf(readCdm(new Map([...files, ['cadmus.json', JSON.stringify(changed)]])), 'Book').groups
    }
    expect(entityOf(readCdm(files), 'Book').groups).toEqual([group('g')])
    expect(groupsOf([group('h', 'a'.repeat(121)), group('g')])).toEqual([group('g')])
    expect(groupsOf(Array.from({ length: 101 }, (_, at) => group(`g${at}`)))).toHaveLength(100)
  })

  it('restores the enumerations of manifests and the references of attributes, without those that could not be saved', () => {
    const state = {
      uid: newUid(),
      name: 'State',
      description: 'Of a book.',
      values: ['new', 'old'].map(value => ({ uid: newUid(), value, label: value.toUpperCase() })),
    }
    const enumeration = { uid: state.uid, name: state.name }
    const attribute = aTypeAttribute({ name: 'state', choices: ['new', 'old'], enumeration })
    const model = aResolvedModel([anEntity({ name: 'Book', typeAttributes: aList(aKey(), attribute) })])
    const root = { ...model.root, enumerations: [state] }
    const { files } = writeCdm({ ...model, root, manifests: [root] })
    const enumerationsOf = (enumerations: object[]) => {
      const sidecar = JSON.parse(files.get('cadmus.json') ?? '')
      sidecar.manifests[0].enumerations = enumerations
      const { manifests, report } = readCdm(new Map([...files, ['cadmus.json', JSON.stringify(sidecar)]]))
      return { enumerations: manifests[0]?.enumerations, lost: report.map(({ message }) => message) }
    }
    const read = readCdm(files)
    expect([read.manifests[0]?.enumerations, read.report]).toEqual([[state], []])
    expect(entityOf(read, 'Book').typeAttributes[1]).toMatchObject({ choices: ['new', 'old'], enumeration })
    expect(enumerationsOf([state, state, { ...state, uid: 'x' }, { ...state, uid: newUid() }])).toEqual({
      enumerations: [state],
      lost: [
        "Enumeration 'State': This uid is invalid or already in use. (2 times)",
        'Enumeration \'State\': An enumeration with the name "State" already exists.',
      ],
    })
    edited(files, 'Book.cdm.json', '"new"', '"fresh"')
    expect(entityOf(readCdm(files), 'Book').typeAttributes[1]?.choices).toEqual(['fresh', 'old'])
  })

  it('an import without the sidecar uses the documents alone', () => {
    const model = folder(files => files.delete('cadmus.json'))
    expect(model.report).toEqual([])
    expect(entityOf(model, 'Book')).toMatchObject({
      uid: null,
      typeAttributes: [
        { name: 'id', purpose: 'identifiedBy' },
        { name: 'title', description: 'Old.' },
        { name: 'pages' },
      ],
      entityAttributes: [{ foreignKeyTypeAttribute: 'authorId', associatedEntityTypeAttribute: 'id' }],
    })
  })

  it.each([
    ['invalid JSON', '{', '"cadmus.json" is not a JSON document.'],
    ['unrelated content', '{"document":"x"}', 'Its format is not supported: the documents were imported without it.'],
    [
      'a later format',
      '{"document":"cadmus-cdm","format":5}',
      'Its format is 5, and this release reads formats up to 4: the documents were imported without it.',
    ],
    [
      'attributes of a later format',
      '{"document":"cadmus-cdm","format":1,"entityFormat":9,"entities":[{"attributes":[{"kind":"type","fields":{}}]}]}',
      `Its format is 9, and this release reads formats up to ${entityForm.format}: the documents were imported without it.`,
    ],
    ['a list', '[]', 'Its format is not supported: the documents were imported without it.'],
    [
      'an invalid record',
      '{"document":"cadmus-cdm","format":1,"entities":[{"path":5}]}',
      'Unsupported content in it was left out.',
    ],
  ])('a sidecar with %s is reported and ignored', (_, text, message) => {
    const model = folder(files => files.set('cadmus.json', text))
    expect(model.report).toEqual([{ level: 'warning', kind: 'lost', path: 'cadmus.json', message }])
    expect(entityOf(model, 'Book').uid).toBeNull()
  })

  it('invalid and duplicate uids in a sidecar are ignored', () => {
    const uid = book.typeAttributes[0]?.uid ?? ''
    const model = folder(files => {
      edited(files, 'cadmus.json', author.uid, book.uid)
      edited(files, 'cadmus.json', uid, 'x'.repeat(5000))
    })
    expect([entityOf(model, 'Author').uid, entityOf(model, 'Book').uid]).toEqual([book.uid, null])
    expect(entityOf(model, 'Book').typeAttributes[0]?.uid).toMatch(/^[\da-f-]{36}$/)
    expect(model.report.map(({ path }) => path)).toEqual(
      ['Book.cdm.json/Book', 'Book.cdm.json/Book/id'].map(path => expect.stringContaining(path)),
    )
  })
})
