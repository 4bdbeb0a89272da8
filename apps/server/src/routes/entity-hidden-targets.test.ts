import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { messages } from '@cadmus/model/messages'
import { setHidden } from '../store/library-state.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, aRelationship, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('A predefined entity that is hidden after leaving the library', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let removed: number
  let referrer: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    removed = await addPredefined(server, { name: 'Vanished' })
    const elder = await addPredefined(server, { name: 'Elder' })
    const entity = { entityAttributes: [aRelationship({ id: removed }, 'vanishedId')], extendsEntity: { id: elder } }
    referrer = (await designer.call(createEntity, { body: { entity: { name: 'Referrer', ...entity } } })).entity.id
    await setHidden(server.context.store.of(0), 'entity', [removed, elder], 1)
  })
  afterAll(() => server.stop())

  const read = async (id: number) => designer.callWithTag(getEntity, { params: { id } })

  it('a hidden predefined entity is rejected as a target of new relationships and as a base entity', async () => {
    const refer = { name: 'Refers', entityAttributes: [aRelationship({ id: removed }, 'goneId')] }
    const extend = { name: 'Extends', extendsEntity: { id: removed } }
    const refused = [
      await designer.refusal(createEntity, { body: { entity: refer } }),
      await designer.refusal(createEntity, { body: { entity: extend } }),
    ]
    expect(refused.map(({ status, answer }) => [status, answer.message])).toEqual([
      [400, messages.targetMissing],
      [400, messages.parentMissing],
    ])
    const { id } = (await designer.call(createEntity, { body: { entity: { name: 'Plain' } } })).entity
    const { answer, etag } = await read(id)
    const changes = [
      { entityAttributes: refer.entityAttributes },
      { extendsEntity: { id: removed, name: '', path: '' } },
    ]
    for (const change of changes) {
      const body = saveBody(answer.entity, change)
      expect((await designer.refusal(updateEntity, { params: { id }, body, ifMatch: etag })).status).toBe(400)
    }
  })

  it('a hidden predefined entity is valid for existing references and their copies', async () => {
    const { answer, etag } = await read(referrer)
    const body = saveBody(answer.entity, { description: 'Still refers.' })
    const { entity } = await designer.call(updateEntity, { params: { id: referrer }, body, ifMatch: etag })
    expect(entity.entityAttributes.map(item => item.associatedEntity.id)).toEqual([removed])
    const copy = { entity: { name: 'Twin' }, duplicateEntityId: referrer }
    const twin = (await designer.call(createEntity, { body: copy })).entity
    expect(twin.entityAttributes.map(item => item.associatedEntity.id)).toEqual([removed])
    expect(twin.extendsEntity?.id).toBe(entity.extendsEntity?.id)
  })
})
