import { processorTime } from '@cadmus/testing/processor-time'
import { describe, expect, it } from 'vitest'
import { cdmFolder, document, entityDocument, guided, key, manifest } from '../testing/cdm-folder.ts'
import { ImportError, type ImportErrorCode } from '../import-error.ts'
import { readCdm } from './read.ts'
import type { Files } from '../archive.ts'
import type { ReadOptions } from './folder.ts'

const root = { 'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa']) }

describe('CDM folders without importable content', () => {
  it.each<[string, ImportErrorCode, string, Map<string, string | Uint8Array>]>([
    [
      'no files',
      'no-root',
      'The folder has no root manifest: a file that ends in .manifest.cdm.json at its top.',
      new Map(),
    ],
    [
      'no manifest',
      'no-root',
      'The folder has no root manifest',
      cdmFolder({ 'Aa.cdm.json': entityDocument('Aa', []) }),
    ],
    [
      'several roots',
      'several-roots',
      'The folder has several root manifests: "a.manifest.cdm.json", "b.manifest.cdm.json".',
      cdmFolder({ 'a.manifest.cdm.json': manifest('aa', []), 'b.manifest.cdm.json': manifest('bb', []) }),
    ],
    [
      'manifests that list each other',
      'several-roots',
      'The folder has several root manifests: "a.manifest.cdm.json", "b.manifest.cdm.json".',
      cdmFolder({
        'a.manifest.cdm.json': manifest('aa', [], { subManifests: [{ definition: 'b.manifest.cdm.json' }] }),
        'b.manifest.cdm.json': manifest('bb', [], { subManifests: [{ definition: 'a.manifest.cdm.json' }] }),
      }),
    ],
    [
      'invalid JSON',
      'not-json',
      '"m.manifest.cdm.json" is not a JSON document.',
      new Map([['m.manifest.cdm.json', '{"entities": [']]),
    ],
    [
      'invalid UTF-8',
      'not-text',
      '"m.manifest.cdm.json" is not UTF-8 text.',
      new Map([['m.manifest.cdm.json', new Uint8Array([0xff, 0xfe, 0x7b])]]),
    ],
    [
      'JSON that is not a manifest',
      'no-root',
      '"m.manifest.cdm.json" is not a manifest.',
      cdmFolder({ 'm.manifest.cdm.json': [1] }),
    ],
    [
      'unrelated JSON',
      'no-root',
      '"m.manifest.cdm.json" is not a manifest.',
      cdmFolder({ 'm.manifest.cdm.json': { name: 'x', version: 1 } }),
    ],
    [
      'JSON 101 levels deep',
      'too-deep',
      '"m.manifest.cdm.json" is nested deeper than 100 levels.',
      new Map([['m.manifest.cdm.json', `${'['.repeat(101)}${']'.repeat(101)}`]]),
    ],
    [
      'five megabytes of empty lists',
      'too-large',
      '"m.manifest.cdm.json" has more than 1000000 lists and objects.',
      new Map([['m.manifest.cdm.json', `[${'[],'.repeat(1_750_000)}[]]`]]),
    ],
    [
      'JSON a million levels deep',
      'too-deep',
      'nested deeper',
      new Map([['m.manifest.cdm.json', '{"a":'.repeat(1_000_000)]]),
    ],
  ])('readCdm gives the reason for refusing a folder with %s', (_, code, message, files) => {
    const error = failureOf(files)
    expect(error).toMatchObject({ code })
    expect(error.message).toContain(message)
  })

  it('readCdm stops when the caller cancels', () => {
    const files = cdmFolder({ ...root, 'Aa.cdm.json': entityDocument('Aa', []) })
    expect(failureOf(files, { signal: AbortSignal.abort() })).toMatchObject({ code: 'cancelled' })
  })
})

describe('CDM folders with partly invalid content', () => {
  it('entities that extend themselves, directly or indirectly, are reported and keep their own attributes', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa', 'Bb.cdm.json/Bb', 'Cc.cdm.json/Cc']),
        'Aa.cdm.json': entityDocument('Aa', [key('aaId')], { extendsEntity: 'Aa' }),
        'Bb.cdm.json': entityDocument('Bb', [key('bbId')], { extendsEntity: 'Cc' }, ['Cc.cdm.json']),
        'Cc.cdm.json': entityDocument('Cc', [key('ccId')], { extendsEntity: 'Bb' }, ['Bb.cdm.json']),
      }),
    )
    expect(model.entities).toHaveLength(3)
    expect(model.entities.map(entity => entity.extendsEntity)).not.toContain('/Aa.cdm.json/Aa')
    expect(model.report).toContainEqual({
      level: 'error',
      kind: 'lost',
      path: 'Aa.cdm.json/Aa',
      message: '"Aa" extends itself: "/Aa.cdm.json/Aa".',
    })
    expect(model.report).toContainEqual({
      level: 'error',
      kind: 'lost',
      path: 'Cc.cdm.json/Cc',
      message: '"Cc" extends itself: "/Bb.cdm.json/Bb".',
    })
    expect(extendsCycle(model.entities)).toBe(false)
  })

  it('missing imports are reported once; missing parents and groups and unreadable documents are reported', () => {
    const model = readCdm(
      new Map<string, string | Uint8Array>([
        ...cdmFolder({
          'm.manifest.cdm.json': manifest('Model', [
            'Aa.cdm.json/Aa',
            'Bb.cdm.json/Bb',
            'Cc.cdm.json/Cc',
            'Dd.cdm.json/Dd',
          ]),
          'Aa.cdm.json': entityDocument('Aa', ['someGroup', 5, {}, { entity: 'Bb' }], { extendsEntity: 'Gone' }, [
            '/Gone.cdm.json',
          ]),
          'Bb.cdm.json': entityDocument('Bb', [], {}, ['/Gone.cdm.json']),
          'Dd.cdm.json': [],
        }),
        ['Cc.cdm.json', '{'],
      ]),
    )
    expect(model.entities.map(entity => entity.name)).toEqual(['Aa', 'Bb'])
    expect(model.report.map(line => `${line.level} ${line.path}: ${line.message}`)).toEqual([
      'error Cc.cdm.json: "Cc.cdm.json" is not a JSON document.',
      'error Dd.cdm.json: "Dd.cdm.json" is not a CDM document.',
      'error Aa.cdm.json/Aa: Its parent entity "Gone" was not found.',
      'warning Aa.cdm.json/Aa: An attribute that is neither a name nor an object was left out.',
      'warning Aa.cdm.json/Aa: An attribute without a name was left out.',
      'warning Aa.cdm.json/Aa: A reference without a name was left out.',
      'warning Aa.cdm.json: The imported document "/Gone.cdm.json" is not in the folder. One more document imports it.',
      'warning Aa.cdm.json/Aa: The attribute group "someGroup" was not found; its attributes are missing.',
    ])
  })

  it('names of 10,000 characters, control characters, emoji and SQL are imported unchanged; the report shortens them', () => {
    const names = [
      'x'.repeat(10_000),
      'bell\u0007\nline',
      '🐘🐘',
      "Robert'); DROP TABLE students;--",
      '__proto__',
      'constructor',
      '\uD800',
    ]
    const files = cdmFolder({
      'm.manifest.cdm.json': manifest('Model', [], {
        entities: names.map(name => ({ type: 'LocalEntity', entityName: name, entityPath: `Aa.cdm.json/${name}` })),
      }),
      'Aa.cdm.json': document(
        names.map(entityName => ({ entityName, hasAttributes: names.map(name => ({ name, dataType: 'string' })) })),
      ),
    })
    const model = readCdm(files)
    expect(model.entities.map(entity => entity.name)).toEqual(names)
    for (const entity of model.entities) expect(entity.typeAttributes.map(attribute => attribute.name)).toEqual(names)
    for (const line of model.report) {
      expect(line.message.length).toBeLessThan(400)
      expect(line.path.length).toBeLessThan(600)
      expect(`${line.path}${line.message}`).not.toMatch(/\p{Cc}/u)
    }
  })

  it('reading groups and entities that multiply without bounds terminates', () => {
    const groups = Array.from({ length: 40 }, (_, index) => ({
      attributeGroupName: `g${index}`,
      members: Array.from({ length: 10 }, () => `g${index + 1}`),
    }))
    const doubled = Array.from({ length: 40 }, (_, index) => ({
      entityName: `E${index}`,
      hasAttributes: ['left', 'right'].map(name => ({
        name,
        entity: { entityReference: `E${index + 1}` },
        resolutionGuidance: { renameFormat: '{a}{M}' },
      })),
    }))
    const long = Array.from({ length: 5_000 }, (_, index) => ({
      attributeGroupName: `h${index}`,
      members: [`h${index + 1}`],
    }))
    const started = processorTime()
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa', 'Aa.cdm.json/E0', 'Aa.cdm.json/Ab']),
        'Aa.cdm.json': document([
          { entityName: 'Aa', hasAttributes: ['g0', guided('Aa', 'selfId')] },
          { entityName: 'Ab', hasAttributes: ['h0', guided('Ab', 'selfId')] },
          ...groups,
          ...doubled,
          ...long,
        ]),
      }),
    )
    expect(processorTime() - started).toBeLessThan(15_000)
    expect(model.report.filter(line => line.level === 'error').map(line => line.message)).toContain(
      'It has more than 20000 attributes; the others were left out.',
    )
  })
})

function failureOf(files: Files, options?: ReadOptions): ImportError {
  try {
    readCdm(files, options)
  } catch (error) {
    if (error instanceof ImportError) return error
    throw error
  }
  throw new Error('Nothing failed.')
}

function extendsCycle(entities: { corpusPath: string; extendsEntity: string | null }[]): boolean {
  const parents = new Map(entities.map(entity => [entity.corpusPath, entity.extendsEntity]))
  return entities.some(({ corpusPath }) => {
    let at = parents.get(corpusPath)
    for (let step = 0; at && step <= entities.length; step++) at = parents.get(at)
    return Boolean(at)
  })
}
