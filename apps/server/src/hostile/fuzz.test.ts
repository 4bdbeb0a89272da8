import { mutateJson, randomFrom } from '@cadmus/formats/testing/mutations'
import { newConfiguration } from '@cadmus/model/configuration'
import type { Call } from '@cadmus/model/contract/call'
import {
  addRelationship,
  createEntity,
  createEntityByWizard,
  exportEntity,
  getEntity,
  importEntity,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import { adminUpdateEntityContent, adminValidateEntityContent } from '@cadmus/model/contract/admin-documents'
import {
  addEntitiesToManifest,
  addSubManifests,
  createManifest,
  createManifestByWizard,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { exportManifest } from '@cadmus/model/contract/manifest-transfer'
import { testInstance } from '@cadmus/model/contract/instance'
import { buildManifest, uploadPackage } from '@cadmus/model/contract/package'
import { isProving } from '@cadmus/testing/proof'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, saveBody } from '../testing/entities.ts'
import { expectRejection, isHealthy } from '../testing/rejections.ts'

type CallInput = Parameters<ConsoleClient['send']>[1]
type TestObjects = {
  id: number
  target: number
  manifest: number
  sub: number
  body: unknown
  content: unknown
  doc: unknown
}

const attempts = isProving() ? 60 : 20

/** Valid bodies; each is mutated with a seeded generator before it is sent. */
const bodies: Record<
  string,
  (things: TestObjects) => { call: Call; body: unknown; given?: CallInput; wrap?: (body: unknown) => CallInput }
> = {
  createEntity: ({ body }) => ({ call: createEntity, body }),
  createEntityByWizard: ({ body }) => ({ call: createEntityByWizard, body }),
  updateEntity: ({ id, body }) => ({ call: updateEntity, body, given: { params: { id }, ifMatch: '*' } }),
  addRelationship: ({ id, target }) => ({
    call: addRelationship,
    body: {
      ...aRelationship({ id: target }, 'newId'),
      alternativeTargets: [{ entity: { id: target, name: 'T', path: 'p' }, attribute: 'id' }],
    },
    given: { params: { id }, ifMatch: '*' },
  }),
  updateRelationship: ({ id, target }) => ({
    call: updateRelationship,
    body: aRelationship({ id: target }, 'targetId'),
    given: { params: { id, associatedEntityId: target }, query: { associatedAttributeName: 'targetId' }, ifMatch: '*' },
  }),
  createManifest: ({ id, sub }) => ({
    call: createManifest,
    body: {
      manifestName: 'Fuzz',
      description: 'd',
      importsPath: ['a'],
      entities: [id],
      exclusiveEntities: ['Own'],
      subManifests: [sub],
    },
  }),
  createManifestByWizard: ({ manifest }) => ({
    call: createManifestByWizard,
    body: {
      manifestName: 'FuzzWizard',
      entities: [],
      duplicateManifest: manifest,
      manifestProperties: newConfiguration('FuzzWizard'),
      version: '1.0.0',
      generateType: 'Manifest',
    },
  }),
  addEntitiesToManifest: ({ id, manifest }) => ({
    call: addEntitiesToManifest,
    body: { entityIds: [id], type: 'EXCLUSIVE' },
    given: { params: { id: manifest } },
  }),
  addSubManifests: ({ manifest, sub }) => ({
    call: addSubManifests,
    body: { submanifests: [sub] },
    given: { params: { id: manifest } },
  }),
  exportManifest: ({ manifest }) => ({
    call: exportManifest,
    body: { databaseType: 'mysql', exportType: 'DB_STRUCTURE', applyAutoIncrement: true, version: '1.0.0' },
    given: { params: { id: manifest } },
  }),
  saveManifestConfiguration: ({ manifest }) => ({
    call: saveManifestConfiguration,
    body: newConfiguration('Fuzz'),
    given: { params: { id: manifest }, ifMatch: '*' },
  }),
  buildManifest: ({ manifest }) => ({
    call: buildManifest,
    body: {
      publishAs: 'PACKAGE',
      customPackageName: 'fuzz',
      manifestProperties: [newConfiguration('FuzzManifest')],
      version: '1.0.0',
      customBuild: true,
      manifestVersion: '1.0.0',
    },
    given: { params: { id: manifest } },
  }),
  uploadPackage: () => ({
    call: uploadPackage,
    body: {
      instanceUrl: 'http://127.0.0.1:9',
      version: '1.0.0',
      state: 'LOADED',
      credentials: { username: 'u', password: 'p' },
      token: 't',
    },
    given: { params: { name: 'fuzz' } },
  }),
  testInstance: () => ({
    call: testInstance,
    body: { instanceUrl: 'http://127.0.0.1:9/a', credentials: { username: 'u', password: 'p' }, token: 't' },
  }),
  adminValidateEntityContent: ({ id, content }) => ({
    call: adminValidateEntityContent,
    body: content,
    wrap: text => ({ body: { id, content: JSON.stringify(text) } }),
  }),
  adminUpdateEntityContent: ({ id, content }) => ({
    call: adminUpdateEntityContent,
    body: content,
    wrap: text => ({ body: { id, content: JSON.stringify(text) }, ifMatch: '*' }),
  }),
  importEntity: ({ doc }) => ({
    call: importEntity,
    body: doc,
    wrap: text => ({
      files: { entityFile: { name: 'a.json', bytes: new TextEncoder().encode(JSON.stringify(text) ?? '') } },
    }),
  }),
}

describeOnBothStores.whenProving('Randomly mutated bodies', store => {
  let server: TestConsole
  let admin: ConsoleClient
  let things: TestObjects
  beforeAll(async () => {
    server = await startConsole({ store })
    admin = await server.as('admin', 'ACME')
    const target = (await admin.call(createEntity, { body: { entity: { name: 'Target' } } })).entity
    const typeAttributes = [
      { name: 'code', choices: ['a', 'b'], maxLength: 5, defaultValue: 'a' },
      { name: 'amount', dataType: 'double' as const, precision: 10, scale: 2 },
    ]
    const entityAttributes = [aRelationship(target, 'targetId')]
    const { entity } = await admin.call(createEntity, {
      body: { entity: { name: 'Source', typeAttributes, entityAttributes, extendsEntity: { id: target.id } } },
    })
    const { entityDoc } = await admin.call(exportEntity, { params: { id: entity.id } })
    things = {
      id: entity.id,
      target: target.id,
      manifest: await addManifest(server, 'FuzzManifest'),
      sub: await addManifest(server, 'FuzzSub'),
      body: saveBody(entity),
      content: JSON.parse(entity.content),
      doc: entityDoc,
    }
  })
  afterAll(() => server.stop())

  it.each(Object.keys(bodies))('%s succeeds or is rejected with a message', async id => {
    const made = bodies[id]?.(things)
    if (made === undefined) throw new Error(id)
    const { call, body, given, wrap } = made
    let refused = 0
    for (let seed = 1; seed <= attempts; seed++) {
      server.advance(100)
      const random = randomFrom(seed * 7919)
      let changed = structuredClone(body)
      for (let times = 0; times <= random(3); times++) changed = mutateJson(changed, random)
      const answer = await admin.send(call, wrap === undefined ? { ...given, body: changed } : wrap(changed))
      if (answer.ok) continue
      refused++
      await expectRejection(answer).catch((error: unknown) => {
        throw new Error(`Seed ${seed}: ${JSON.stringify(changed)}`, { cause: error })
      })
    }
    expect(refused).toBeGreaterThan(0)
    expect(await isHealthy(server)).toBe(true)
    // The stored result can be read.
    expect((await admin.send(getEntity, { params: { id: things.id } })).status).toBe(200)
  })
})
