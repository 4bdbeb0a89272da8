import {
  adminCreateEntity,
  adminUpdateEntityContent,
  adminValidateEntityContent,
  createEntity,
  getEntity,
} from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'
import { addPredefined } from '../../testing/entities.ts'

describeOnBothStores("An administrator's entity calls", store => {
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

  it('E7.82 E7.83 E6.9 creates an entity in the organisation that is named; nobody else may', async () => {
    const body = { org: 'ACME', entity: { name: 'ByAdmin' } }
    const { entity } = await admin.call(adminCreateEntity, { body })
    expect((await get(entity.id)).entity).toEqual(entity)
    expect((await designer.refusal(adminCreateEntity, { body })).status).toBe(403)
    expect((await admin.refusal(adminCreateEntity, { body: { ...body, org: 'NOWHERE\0' } })).status).toBe(404)
  })

  it('E3.13 E6.7 an administrator may create a template, which then is read-only', async () => {
    const body = { org: 'ACME', entity: { name: 'Pattern' }, type: 'TEMPLATE' as const }
    const { entity } = await admin.call(adminCreateEntity, { body })
    expect(entity.type).toBe('TEMPLATE')
    const given = { body: { id: entity.id, content: entity.content.replace('"Pattern"', '"Other"') }, ifMatch: '*' }
    const refusal = await admin.refusal(adminUpdateEntityContent, given)
    expect(refusal).toMatchObject({ status: 403, answer: { message: messages.locked.template } })
  })

  it('E7.84 judges a content without storing it', async () => {
    const { entity, etag } = await get((await create('Judged')).id)
    const valid = entity.content.replace('"description":""', '"description":"new"')
    await admin.call(adminValidateEntityContent, { body: { id: entity.id, content: valid } })
    expect((await get(entity.id)).etag).toBe(etag)
    for (const content of [
      '{',
      '[]',
      '{}',
      '"text"',
      entity.content.replace('"integer"', '"money"'),
      '['.repeat(200),
    ]) {
      const refusal = await admin.refusal(adminValidateEntityContent, { body: { id: entity.id, content } })
      expect(refusal).toMatchObject({ status: 400, answer: { message: 'Invalid entity json content' } })
    }
    const content = entity.content.replace('"Judged"', '"a__b"')
    const refusal = await admin.refusal(adminValidateEntityContent, { body: { id: entity.id, content } })
    expect(refusal.answer.errors).toEqual([{ path: 'name', message: messages.namePattern }])
    const given = { body: { id: entity.id, content: valid } }
    expect((await designer.refusal(adminValidateEntityContent, given)).status).toBe(403)
  })

  it("E7.85 E8.5 E6.3 stores a content against its base; identity is not the text's to say", async () => {
    const { entity, etag } = await get((await create('Stored')).id)
    const content = entity.content
      .replace('"Stored"', '"StoredAnew"')
      .replace(`"uid":"${entity.uid}"`, '"uid":"00000000-0000-7000-8000-000000000000"')
    const body = { id: entity.id, content }
    expect((await admin.refusal(adminUpdateEntityContent, { body })).status).toBe(428)
    expect((await designer.refusal(adminUpdateEntityContent, { body, ifMatch: etag })).status).toBe(403)
    const { answer, etag: next } = await admin.callWithTag(adminUpdateEntityContent, { body, ifMatch: etag })
    expect(answer.entity).toMatchObject({ name: 'StoredAnew', path: 'user-defined/StoredAnew', uid: entity.uid })
    expect(await get(entity.id)).toEqual({ entity: answer.entity, etag: next })
    const bad = await admin.refusal(adminUpdateEntityContent, { body: { id: entity.id, content: '{' }, ifMatch: next })
    expect(bad.answer.message).toBe('Invalid entity json content')
  })

  it('predefined content stays read-only', async () => {
    const id = await addPredefined(server, { name: 'TestFixture' })
    const { answer, etag } = await admin.callWithTag(getEntity, { params: { id } })
    const body = { id, content: answer.entity.content.replace('"TestFixture"', '"Changed"') }
    const refusal = await admin.refusal(adminUpdateEntityContent, { body, ifMatch: etag })
    expect(refusal).toMatchObject({ status: 403, answer: { message: messages.locked.default } })
  })
})
