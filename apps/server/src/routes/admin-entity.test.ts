import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  adminCreateEntity,
  adminReloadEntity,
  adminUpdateEntityContent,
  adminValidateEntityContent,
} from '@cadmus/model/contract/admin-documents'
import { createEntity, getEntity, listEntities, listEntityLogs } from '@cadmus/model/contract/entity'
import { addEntitiesToManifest, createManifest } from '@cadmus/model/contract/manifest'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { holds } from '@cadmus/testing/holds'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, type EntityBody } from '../testing/entities.ts'

describeOnBothStores.whenProving("An administrator's entity calls", store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await server.as('admin')
  })
  afterAll(() => server.stop())

  const create = async (name: string) => (await designer.call(createEntity, { body: { entity: { name } } })).entity
  const get = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { entity: answer.entity, etag }
  }

  it('create an entity in the named organisation, for administrators only', holds('E7.83'), async () => {
    const body = { org: 'ACME', entity: { name: 'ByAdmin' } }
    const { entity } = await admin.call(adminCreateEntity, { body })
    expect((await get(entity.id)).entity).toEqual(entity)
    expect((await designer.refusal(adminCreateEntity, { body })).status).toBe(403)
    expect((await admin.refusal(adminCreateEntity, { body: { ...body, org: 'NOWHERE\0' } })).status).toBe(404)
  })

  it(
    "create an entity with or without manifest there, under the administrator's name",
    holds('M7.95', 'M1.22'),
    async () => {
      const inAcme = async (entity: EntityBody['entity'], targetManifestId = -1) =>
        (await admin.call(adminCreateEntity, { body: { org: 'ACME', entity, targetManifestId } })).entity
      const global = await inAcme({ name: 'GlobalOne' })
      expect(global).toMatchObject({ path: 'user-defined/GlobalOne', targetManifest: null, type: 'EXCLUSIVE' })
      const { manifest } = await designer.call(createManifest, { body: { manifestName: 'AdminsTarget' } })
      const placed = await inAcme({ name: 'PlacedOne', extendsEntity: { id: global.id } }, manifest.id)
      expect(placed).toMatchObject({
        path: 'user-defined/AdminsTarget/PlacedOne',
        targetManifest: { id: manifest.id, name: 'AdminsTarget' },
        extendsEntity: { id: global.id, name: 'GlobalOne' },
      })
      const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 2 } })
      expect(entityLogs.map(entry => [entry.ENTITY_NAME, entry.ACTION_TYPE, entry.USER_NAME])).toEqual([
        ['PlacedOne', 'CREATE', 'Ada Admin'],
        ['GlobalOne', 'CREATE', 'Ada Admin'],
      ])
      expect((await admin.call(listEntities, { query: { search: 'PlacedOne' } })).entity).toEqual([])
      const taken = await admin.refusal(adminCreateEntity, { body: { org: 'acme', entity: { name: 'globalone' } } })
      expect([taken.status, taken.answer.message]).toEqual([400, 'An entity with the name "globalone" already exists.'])
      const own = (await admin.call(createManifest, { body: { manifestName: 'AdminsOwn' } })).manifest
      const body = { org: 'ACME', entity: { name: 'LostOne' }, targetManifestId: own.id }
      expect((await admin.refusal(adminCreateEntity, { body })).status).toBe(404)
    },
  )

  it('create a template, which is then read-only', holds('E3.13', 'E6.7'), async () => {
    const body = { org: 'ACME', entity: { name: 'Pattern' }, type: 'TEMPLATE' as const }
    const { entity } = await admin.call(adminCreateEntity, { body })
    expect(entity.type).toBe('TEMPLATE')
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'OfPatterns' } })
    const adding = { params: { id: manifest.id }, body: { entityIds: [entity.id], type: 'TEMPLATE' } }
    await server.bootstrap('ACME').call(addEntitiesToManifest, adding)
    expect((await get(entity.id)).entity.type).toBe('TEMPLATE')
    const input = { body: { id: entity.id, content: entity.content.replace('"Pattern"', '"Other"') }, ifMatch: '*' }
    const refusal = await admin.refusal(adminUpdateEntityContent, input)
    expect(refusal).toMatchObject({ status: 403, answer: { message: messages.locked.template } })
  })

  it("an administrator's entity calls validate a content without storing it", holds('E7.84'), async () => {
    const { entity, etag } = await get((await create('Judged')).id)
    const valid = entity.content.replace('"description":""', '"description":"new"')
    await admin.call(adminValidateEntityContent, { body: { id: entity.id, content: valid } })
    expect((await get(entity.id)).etag).toBe(etag)
    for (const content of ['[]', '{}', '"text"', entity.content.replace('"integer"', '"money"'), '['.repeat(200)]) {
      const refusal = await admin.refusal(adminValidateEntityContent, { body: { id: entity.id, content } })
      expect(refusal).toMatchObject({ status: 400, answer: { message: 'Invalid entity json content' } })
    }
    const content = entity.content.replace('"Judged"', '"a__b"')
    const refusal = await admin.refusal(adminValidateEntityContent, { body: { id: entity.id, content } })
    expect(refusal.answer.errors).toEqual([{ path: 'name', message: messages.namePattern }])
    await create('TakenName')
    const taken = { id: entity.id, content: entity.content.replace('"Judged"', '"TakenName"') }
    const { answer } = await admin.refusal(adminValidateEntityContent, { body: taken })
    expect(answer.errors).toEqual([{ path: 'name', message: 'An entity with the name "TakenName" already exists.' }])
    const input = { body: { id: entity.id, content: valid } }
    expect((await designer.refusal(adminValidateEntityContent, input)).status).toBe(403)
  })

  it('store a content against its base, without changing the identity', holds('E7.85'), async () => {
    const { entity, etag } = await get((await create('Stored')).id)
    const content = entity.content
      .replace('"Stored"', '"StoredAnew"')
      .replace(`"uid":"${entity.uid}"`, '"uid":"00000000-0000-7000-8000-000000000000"')
      .replace('"traits":[]', '"traits":["is.x"]')
    const body = { id: entity.id, content }
    expect((await admin.refusal(adminUpdateEntityContent, { body })).status).toBe(428)
    expect((await designer.refusal(adminUpdateEntityContent, { body, ifMatch: etag })).status).toBe(403)
    const { answer, etag: next } = await admin.callWithTag(adminUpdateEntityContent, { body, ifMatch: etag })
    expect(answer.entity).toMatchObject({ name: 'StoredAnew', path: 'user-defined/StoredAnew', uid: entity.uid })
    expect(answer.entity.content).toContain('"traits":["is.x"]')
    expect(await get(entity.id)).toEqual({ entity: answer.entity, etag: next })
    const bad = await admin.refusal(adminUpdateEntityContent, { body: { id: entity.id, content: '{' }, ifMatch: next })
    expect(bad.answer.message).toBe("Syntax Error: Expected '}' before the end (line 1, column 2)")
  })

  it('reject changes of predefined content', async () => {
    const id = await addPredefined(server, { name: 'TestFixture' })
    const { answer, etag } = await admin.callWithTag(getEntity, { params: { id } })
    const body = { id, content: answer.entity.content.replace('"TestFixture"', '"Changed"') }
    const refusal = await admin.refusal(adminUpdateEntityContent, { body, ifMatch: etag })
    expect(refusal).toMatchObject({ status: 403, answer: { message: messages.locked.default } })
  })

  it(
    'reload predefined entities from the library and reject custom ones',
    holds('E7.86', 'E6.2', 'M7.85'),
    async () => {
      const { entity: listed } = await admin.call(listEntities, { query: { filter: 'DEFAULT', search: 'account' } })
      const params = { id: listed.find(item => item.name === 'Account')!.id }
      const before = await admin.callWithTag(getEntity, { params })
      expect((await admin.send(adminReloadEntity, { params })).status).toBe(200)
      expect(await admin.callWithTag(adminReloadEntity, { params })).toEqual(before)
      expect((await designer.refusal(adminReloadEntity, { params })).status).toBe(403)
      const own = await create('NotFromThere')
      const inAcme = server.bootstrap('ACME')
      const refusal = await inAcme.refusal(adminReloadEntity, { params: { id: own.id } })
      expect(refusal).toMatchObject({ status: 403, answer: { message: messages.onlyPredefinedReload } })
    },
  )

  it('load changes of the library folder while keeping ids and uids', holds('E7.86'), async () => {
    const folder = temporaryFolder('library')
    const document = (description: string) => ({
      jsonSchemaSemanticVersion: '1.1.0',
      definitions: [
        {
          entityName: 'Gauge',
          description,
          hasAttributes: [{ name: 'gaugeId', dataType: 'entityId', purpose: 'identifiedBy' }],
        },
      ],
    })
    const manifest = {
      manifestName: 'gauges',
      entities: [{ type: 'LocalEntity', entityName: 'Gauge', entityPath: 'Gauge.cdm.json/Gauge' }],
    }
    const write = (description: string) => {
      writeFileSync(join(folder, 'Gauge.cdm.json'), JSON.stringify(document(description)))
      writeFileSync(join(folder, 'gauges.manifest.cdm.json'), JSON.stringify(manifest))
    }
    write('As it was.')
    const other = await startConsole({ store, env: { CADMUS_LIBRARY_DIR: folder } })
    try {
      const client = await other.as('admin')
      const { entity: listed } = await client.call(listEntities, { query: { search: 'gauge' } })
      const params = { id: listed[0]!.id }
      const { entity: before } = await client.call(getEntity, { params })
      expect(before.description).toBe('As it was.')
      write('As it is.')
      const { entity: after } = await client.call(adminReloadEntity, { params })
      expect(after).toMatchObject({ description: 'As it is.', uid: before.uid, typeAttributes: before.typeAttributes })
      const { entityLogs } = await client.call(listEntityLogs, { query: { limit: 1 } })
      expect(entityLogs[0]).toMatchObject({ DESCRIPTION: auditTexts.reloaded('Gauge'), ENTITY_NAME: 'Gauge' })
    } finally {
      await other.stop()
      removeFolder(folder)
    }
  })
})
