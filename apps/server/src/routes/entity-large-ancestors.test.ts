import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  getEntity,
  getEntityVersionContent,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { entityAnswer } from '../jobs/answers.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, organisationId, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('An entity with large ancestors and an inherited key', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let subtype: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    const typeAttributes = [
      { name: 'code', purpose: 'identifiedBy' as const },
      ...Array.from({ length: 20 }, (_none, at) => ({ name: `text${at}`, description: 'x'.repeat(10_000) })),
    ]
    const parent = await create({ name: 'Heavy', typeAttributes })
    subtype = await create({ name: 'Heir', extendsEntity: { id: parent }, typeAttributes: [{ name: 'title' }] })
  })
  afterAll(() => server.stop())

  async function create(entity: CallInput) {
    return (await designer.call(createEntity, { body: body(entity) })).entity.id
  }

  it('an entity with large ancestors is read in a worker with its inherited key, with or without the resolved list', async () => {
    const run = vi.spyOn(server.context.workers, 'run')
    const query = { typeAttributeFilter: 'UNRESOLVED' } as const
    const { entity } = await designer.call(getEntity, { params: { id: subtype }, query })
    expect([entity.primaryKey, entity.resolvedAttributes]).toEqual(['code', undefined])
    expect(run.mock.calls.map(([name]) => name)).toEqual(['entity'])
    run.mockRestore()
  })

  it("an entity with large ancestors is read directly if no inherited data is needed, as for a version's content", async () => {
    const params = { id: subtype }
    await designer.call(addEntityVersion, { params, query: { version: '1.1.0' } })
    const run = vi.spyOn(server.context.workers, 'run')
    const { entity } = await designer.call(getEntityVersionContent, { params, query: { version: '1.0.0' } })
    expect(JSON.parse(entity.CONTENT)).toMatchObject({ name: 'Heir' })
    expect(run).not.toHaveBeenCalled()
    run.mockRestore()
    const place = { store: server.context.store, organisationId: await organisationId(server) }
    const { entity: own } = await entityAnswer(place, subtype, { withResolved: false, withKey: false })
    expect([own.primaryKey, own.typeAttributes.map(({ name }) => name)]).toEqual([null, ['title']])
  })

  it('an entity with large ancestors is returned after each change, even if the queue rejects other reads', async () => {
    const aim = await create({ name: 'Aim', typeAttributes: [{ name: 'title' }] })
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id: subtype } })
    const { workers } = server.context
    const place = { organisationId: await organisationId(server), id: subtype }
    let isOver = false
    const read = async () => {
      while (!isOver) await workers.run('entity', place).catch(() => wait(1))
    }
    const readers = Array.from({ length: 60 }, read)
    const params = { id: subtype }
    await expect.poll(async () => (await designer.send(getEntity, { params })).status).toBe(503)
    const saved = await designer.callWithTag(updateEntity, {
      params,
      body: saveBody(answer.entity, { description: 'Changed.' }),
      ifMatch: etag,
    })
    expect(saved.answer.entity.description).toBe('Changed.')
    const related = await designer.callWithTag(addRelationship, {
      params,
      body: aRelationship({ id: aim }, 'aimId', 'title'),
      ifMatch: saved.etag,
    })
    expect(related.answer.entity.entityAttributes.map(one => one.foreignKeyTypeAttribute)).toEqual(['aimId'])
    expect(related.etag).not.toBe(saved.etag)
    isOver = true
    await Promise.all(readers)
  })
})

type CallInput = {
  name: string
  extendsEntity?: { id: number }
  typeAttributes?: { name: string; description?: string; purpose?: 'identifiedBy' }[]
}

function body(entity: CallInput) {
  return { entity, targetManifestId: -1 }
}
