import { writeArchive } from '@cadmus/formats/archive'
import { createEntity, exportEntity, getEntity, importEntity, listEntities } from '@cadmus/model/contract/entity'
import { exportManifest, importManifest, validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { getManifest } from '@cadmus/model/contract/manifest'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { expectRejection, isHealthy } from '../testing/rejections.ts'

type Json = Record<string, unknown>

const root = 'odd.manifest.cdm.json'
const imports = [{ corpusPath: 'cdm:/foundations.cdm.json' }]
const key = { name: 'oddId', purpose: 'identifiedBy', dataType: 'entityId' }

/** Readable folders with an invalid meaning. Each is imported with a report or rejected with a message. */
const folders: Record<string, Record<string, unknown>> = {
  'an entity that extends itself': { [root]: manifest(['A']), 'A.cdm.json': entity('A', { extendsEntity: 'A' }) },
  'entities that extend each other': {
    [root]: manifest(['A', 'B']),
    'A.cdm.json': entity('A', { extendsEntity: 'B' }, ['B.cdm.json']),
    'B.cdm.json': entity('B', { extendsEntity: 'A' }, ['A.cdm.json']),
  },
  'a parent that is nowhere': { [root]: manifest(['A']), 'A.cdm.json': entity('A', { extendsEntity: 'Nowhere' }) },
  'imports that are missing': {
    [root]: manifest(['A']),
    'A.cdm.json': entity('A', {}, [
      'gone.cdm.json',
      '/gone/too.cdm.json',
      '../../../climbing.cdm.json',
      'cdm:/no.json',
    ]),
  },
  'documents that import each other and themselves': {
    [root]: manifest(['A', 'B']),
    'A.cdm.json': entity('A', {}, ['A.cdm.json', 'B.cdm.json']),
    'B.cdm.json': entity('B', {}, ['A.cdm.json', 'B.cdm.json']),
  },
  'an entity that is listed and missing': { [root]: manifest(['A', 'Gone']), 'A.cdm.json': entity('A') },
  'an entity that is listed twice': { [root]: manifest(['A', 'A']), 'A.cdm.json': entity('A') },
  'a manifest that is its own sub-manifest': {
    [root]: manifest(['A'], { subManifests: [{ manifestName: 'odd', definition: root }] }),
    'A.cdm.json': entity('A'),
  },
  'manifests that contain each other': {
    [root]: manifest(['A'], { subManifests: [{ manifestName: 'sub', definition: 'sub/sub.manifest.cdm.json' }] }),
    'A.cdm.json': entity('A'),
    'sub/sub.manifest.cdm.json': {
      ...manifest([]),
      manifestName: 'sub',
      subManifests: [{ manifestName: 'odd', definition: `../${root}` }],
    },
  },
  'a sub-manifest outside of the folder': {
    [root]: manifest(['A'], { subManifests: [{ manifestName: 'x', definition: '../../x.manifest.cdm.json' }] }),
    'A.cdm.json': entity('A'),
  },
  'names from every prototype': {
    [root]: manifest(['constructor', '__proto__', 'toString']),
    'constructor.cdm.json': entity('constructor', { hasAttributes: [key, { name: 'prototype', dataType: 'string' }] }),
    '__proto__.cdm.json': entity('__proto__', { hasAttributes: [key, { name: '__proto__', dataType: '__proto__' }] }),
    'toString.cdm.json': entity('toString', { extendsEntity: 'hasOwnProperty' }),
  },
  'attributes of one name': {
    [root]: manifest(['A']),
    'A.cdm.json': entity('A', { hasAttributes: [key, key, { ...key, name: 'ODDID' }] }),
  },
  'fields of wrong types': {
    [root]: manifest(['A'], { relationships: 7, subManifests: { a: 1 }, imports: 'x' }),
    'A.cdm.json': {
      jsonSchemaSemanticVersion: {},
      imports: 5,
      definitions: [null, 5, [], { entityName: 5 }, entityOf('A')],
    },
  },
  'an entity of 5,000 attributes': {
    [root]: manifest(['A']),
    'A.cdm.json': entity('A', {
      hasAttributes: Array.from({ length: 5000 }, (_, index) => ({ name: `wide${index}`, dataType: 'string' })),
    }),
  },
  'a chain of 300 parents': {
    [root]: manifest(['E299']),
    ...Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `E${index}.cdm.json`,
        entity(`E${index}`, index === 0 ? {} : { extendsEntity: `E${index - 1}` }, [
          `E${Math.max(0, index - 1)}.cdm.json`,
        ]),
      ]),
    ),
  },
}

describeOnBothStores.whenProving('Invalid models', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(10_000))

  it.each(Object.keys(folders))(
    'a folder with %s is imported or rejected, and an imported one can be used',
    async what => {
      const files = Object.entries(folders[what] ?? {}).map(([path, json]): [string, string] => [
        path,
        JSON.stringify(json),
      ])
      const bytes = writeArchive(new Map(files))
      const answer = await designer.send(importManifest, { files: { manifestFile: { name: 'odd.zip', bytes } } })
      const taken = answer.ok ? importManifest.answer.parse(await answer.json()) : null
      const refusal = taken === null ? await expectRejection(answer) : null
      expect([200, 400]).toContain(refusal?.status ?? 200)
      for (const line of taken?.report ?? []) expect(line.message).not.toMatch(/undefined|\[object|NaN|TypeError/)
      if (taken !== null) await useAll(taken.manifest.id)
      expect(await isHealthy(server)).toBe(true)
    },
  )

  /** Calls everything a user can do with it; each call succeeds or is rejected with a message. */
  async function useAll(id: number): Promise<void> {
    const { manifest: read } = await designer.call(getManifest, { params: { id } })
    for (const { id: entityId } of read.entityPaths.slice(0, 20)) {
      await designer.call(getEntity, { params: { id: entityId } })
      await designer.call(exportEntity, { params: { id: entityId } })
    }
    for (const [call, given] of [
      [validateManifest, { params: { id } }],
      [exportManifest, { params: { id }, body: {} }],
    ] as const) {
      const answer = await designer.send(call, given)
      if (!answer.ok) await expectRejection(answer)
    }
  }

  it.each<[string, (document: Json) => Json]>([
    [
      'that extends itself',
      document => withEntity(document, { extendsEntity: { id: 1, name: 'Odd', path: 'user-defined/Odd' } }),
    ],
    [
      'whose references are nowhere',
      document => withEntity(document, { extendsEntity: { id: 5, name: 'No', path: 'x/y' } }),
    ],
    ['with a name of 10,000 characters', document => withEntity(document, { name: 'x'.repeat(10_000) })],
    ['with a name of control characters', document => withEntity(document, { name: 'a\u0000\u0007b' })],
    ['with a name that is half a character', document => withEntity(document, { name: 'a\ud800' })],
    ['with SQL for a name', document => withEntity(document, { name: "x'; drop table entity; --" })],
    ['with a climbing name', document => withEntity(document, { name: '../../../etc/passwd' })],
    ['with a uid that is none', document => withEntity(document, { uid: "' or 1=1" })],
    ['with attributes that are no list', document => withEntity(document, { typeAttributes: { length: 5 } })],
    ['of another type', document => withEntity(document, { type: 'TEMPLATE' })],
    ['of no type', document => withEntity(document, { type: 'EVERYTHING' })],
  ])('an entity file %s is imported or rejected, and an imported one can be used', async (_what, change) => {
    const name = 'Odd'
    const made = await designer.send(createEntity, { body: { entity: { name } } })
    if (!made.ok) await expectRejection(made)
    const { entity: found } = await designer.call(listEntities, { query: { search: name, filter: 'PRIVATE' } })
    const own = found.find(item => item.name === name)
    const { entityDoc } = await designer.call(exportEntity, { params: { id: own?.id ?? 0 } })
    const bytes = new TextEncoder().encode(JSON.stringify(change({ ...Object(entityDoc) })))
    const answer = await designer.send(importEntity, { files: { entityFile: { name: 'odd.json', bytes } } })
    const taken = answer.ok ? importEntity.answer.parse(await answer.json()).entity : null
    if (taken === null) await expectRejection(answer)
    const { entity: all } = await designer.call(listEntities, { query: { filter: 'PRIVATE' } })
    for (const { id } of all.filter(item => item.id === taken?.id)) {
      const { entity: read } = await designer.call(getEntity, { params: { id } })
      expect([read.type, read.extendsEntity?.id === id]).toEqual(['EXCLUSIVE', false])
      await designer.call(exportEntity, { params: { id } })
    }
    expect(await isHealthy(server)).toBe(true)
  })
})

function manifest(names: string[], more: Json = {}): Json {
  const entities = names.map(name => ({
    type: 'LocalEntity',
    entityName: name,
    entityPath: `${name}.cdm.json/${name}`,
  }))
  return { manifestName: 'odd', imports, entities, subManifests: [], relationships: [], ...more }
}

function entity(name: string, more: Json = {}, paths: string[] = []): Json {
  return {
    jsonSchemaSemanticVersion: '1.0.0',
    imports: [...imports, ...paths.map(corpusPath => ({ corpusPath }))],
    definitions: [{ ...entityOf(name), ...more }],
  }
}

function entityOf(entityName: string): Json {
  return { entityName, hasAttributes: [key] }
}

/** The document with changes to its entity definition. */
function withEntity(document: Json, changes: Json): Json {
  const inner = document['entity']
  if (typeof inner === 'object' && inner !== null) return { ...document, entity: { ...inner, ...changes } }
  return { ...document, ...changes }
}
