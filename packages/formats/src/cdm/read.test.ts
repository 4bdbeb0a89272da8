import { describe, expect, it } from 'vitest'
import { cdmFolder, entityDocument, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

it('readCdm returns plain data and reports progress', () => {
  const phases: string[] = []
  const model = readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa']),
      'Aa.cdm.json': entityDocument('Aa', [key('id')]),
    }),
    {
      onProgress: (done, total, phase) => phases.push(`${phase} ${done}/${total}`),
    },
  )
  expect(structuredClone(model)).toEqual(model)
  expect(phases).toEqual(['read 1/2', 'read 2/2', 'resolve 1/1', 'convert 1/1'])
})

describe('reading manifests of a CDM folder', () => {
  it('readCdm keeps the manifest tree, each manifest and entity once, imports in order, and reports missing items', () => {
    const model = readCdm(
      cdmFolder({
        'root.manifest.cdm.json': manifest('Root', ['Aa.cdm.json/Aa'], {
          subManifests: [
            { manifestName: 'one', definition: 'sub/one.manifest.cdm.json' },
            { manifestName: 'two', definition: 'sub/two.manifest.cdm.json' },
            { manifestName: 'gone', definition: 'gone.manifest.cdm.json' },
          ],
          relationships: [
            {
              fromEntity: 'Aa.cdm.json/Aa',
              fromEntityAttribute: 'x',
              toEntity: 'Z.cdm.json/Z',
              toEntityAttribute: 'z',
            },
          ],
        }),
        'sub/one.manifest.cdm.json': manifest('one', ['Bb.cdm.json/Bb', '/Aa.cdm.json/Aa'], {
          subManifests: [{ definition: 'two.manifest.cdm.json' }],
        }),
        'sub/two.manifest.cdm.json': manifest('Two of two', ['Gone.cdm.json/Gone', 'Bb.cdm.json/Wrong'], {
          entities: [
            { type: 'LocalEntity', entityName: 'Gone', entityPath: 'Gone.cdm.json/Gone' },
            { type: 'LocalEntity', entityName: 'Wrong', entityPath: 'Bb.cdm.json/Wrong' },
            { type: 'ReferencedEntity', entityName: 'Far', entityPath: 'other:/far/Far.cdm.json/Far' },
            { type: 'ReferencedEntity', entityName: 'Aa', entityPath: '/Aa.cdm.json/Aa' },
          ],
        }),
        'Aa.cdm.json': entityDocument('Aa', []),
        'sub/Bb.cdm.json': entityDocument('Bb', []),
      }),
    )
    expect(model.name).toBe('Root')
    expect(model.manifests).toMatchObject([
      {
        path: 'root.manifest.cdm.json',
        entities: ['/Aa.cdm.json/Aa'],
        subManifests: ['sub/one.manifest.cdm.json', 'sub/two.manifest.cdm.json'],
        importsPath: ['cdm:/foundations.cdm.json'],
      },
      {
        name: 'one',
        entities: ['/sub/Bb.cdm.json/Bb', '/Aa.cdm.json/Aa'],
        subManifests: ['sub/two.manifest.cdm.json'],
      },
      { name: 'Two of two', entities: ['/Aa.cdm.json/Aa'], subManifests: [] },
    ])
    expect(model.entities.map(entity => entity.corpusPath)).toEqual(['/Aa.cdm.json/Aa', '/sub/Bb.cdm.json/Bb'])
    expect(model.report.map(line => `${line.level} ${line.path}: ${line.message}`)).toEqual([
      'error sub/two.manifest.cdm.json: The document of the entity "Gone.cdm.json/Gone" is not in the folder; the entity was left out.',
      'error sub/Bb.cdm.json: The document does not define the entity "Wrong".',
      'warning root.manifest.cdm.json: The sub-manifest "gone.manifest.cdm.json" is not in the folder.',
      'warning sub/two.manifest.cdm.json: The document of the entity "other:/far/Far.cdm.json/Far" is not in the folder; the entity was left out.',
      'warning root.manifest.cdm.json: One relationship that it lists has an end that is not in the folder and was left out: "Aa.cdm.json/Aa" "x" to "Z.cdm.json/Z" "z".',
      'info sub/two.manifest.cdm.json: The name "Two of two" is kept as it is, but this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed. It must not contain a space.',
    ])
  })

  it('FORMAT §1: readCdm accepts a byte-order mark, uri, old names, missing lists, unknown keys and a wrapping folder', () => {
    const files = new Map([
      [
        'Wrapped/old.folio.cdm.json',
        `\uFEFF${JSON.stringify({ folioName: 'Old', entities: [{ entityName: 'Aa', entityPath: './Aa.cdm.json/Aa' }], submanifests: [], odd: 1 })}`,
      ],
      [
        'Wrapped/Aa.cdm.json',
        JSON.stringify({
          jsonSchematicVersion: 1,
          imports: [{ uri: '/foundations.cdm.json' }, { uri: '/Base.cdm.json' }],
          definitions: [{ entityName: 'Aa', extendsEntity: 'Base', odd: [] }],
        }),
      ],
      [
        'Wrapped/Base.cdm.json',
        JSON.stringify({ definitions: [{ entityName: 'Base', hasAttributes: [{ name: 'aa', dataType: 'string' }] }] }),
      ],
      ['__MACOSX/Wrapped/._x.manifest.cdm.json', 'x'],
      ['Wrapped/readme.txt', 'x'],
    ])
    const model = readCdm(files)
    expect(model).toMatchObject({
      name: 'Old',
      entities: [{ name: 'Aa', typeAttributes: [{ name: 'aa', dataType: 'string' }] }],
      report: [
        { level: 'warning', path: 'Wrapped/Base.cdm.json/Base' },
        { path: 'Wrapped/Aa.cdm.json/Aa', message: 'The property "odd" of an entity was not kept.' },
      ],
    })
  })

  it('readCdm finds file names with accents in any Unicode normal form', () => {
    const files = cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Fläche.cdm.json/Area']),
      'Fla\u0308che.cdm.json': entityDocument('Area', [key('areaId')]),
    })
    expect(readCdm(files)).toMatchObject({ entities: [{ name: 'Area' }], report: [] })
  })

  it('readCdm takes the top-level manifest as root; of several, the one that no other lists and that has no version', () => {
    const sub = manifest('sub', [])
    const root = manifest('root', [], { subManifests: [{ definition: 'a.manifest.cdm.json' }] })
    const deep = manifest('deep', [])
    expect(
      readCdm(cdmFolder({ 'a.manifest.cdm.json': sub, 'b.manifest.cdm.json': root, 'c/c.manifest.cdm.json': deep }))
        .name,
    ).toBe('root')
    expect(readCdm(cdmFolder({ 'a.1.2.manifest.cdm.json': sub, 'a.manifest.cdm.json': deep })).name).toBe('deep')
  })
})
